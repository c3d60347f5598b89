import type { Command } from 'commander';
import type { World } from '../../world.ts';
import { addOperatorCommand } from './command.ts';
import { pause, resume } from './pause.ts';
import { redrive } from './redrive.ts';
import { rejectedCommand } from './rejected.ts';
import { replay } from './replay.ts';
import { rewind } from './rewind.ts';
import { status } from './status.ts';
import { verify } from './verify.ts';

/** The commands that work on a running system. */
export function operatorCommands(program: Command, world: World): void {
  addOperatorCommand(program, world, status);
  addOperatorCommand(program, world, verify);
  addOperatorCommand(program, world, replay);
  addOperatorCommand(program, world, rewind);
  addOperatorCommand(program, world, redrive);
  rejectedCommand(program, world);
  addOperatorCommand(program, world, pause);
  addOperatorCommand(program, world, resume);
}
