import { createInterface } from 'node:readline';
import { EXIT } from './exit-codes.ts';
import { EndedEarly, UsageError } from './failure.ts';
import type { Output } from './output.ts';
import type { TableSpace } from './table.ts';
import type { World } from './world.ts';

/** What a command is about to change. */
export interface Plan {
  /** One sentence: what, to whom, where. */
  readonly title: string;
  readonly lines: (space: TableSpace) => readonly string[];
}

export interface Confirmation {
  /** As it was called, for example `orglog identities modify`. */
  readonly command: string;
  /** `--yes` was given. */
  readonly yes: boolean;
  readonly world: World;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Whether there is somebody to ask. */
export function canAsk({ input, err }: World): boolean {
  return input.isTTY === true && err.isTTY === true;
}

/**
 * Shows the plan and asks whether to go on; returns for a yes, or at once with `--yes`.
 *
 * @throws UsageError without a terminal and without `--yes`, after showing the plan
 * @throws EndedEarly for any other answer
 */
export async function confirm(plan: Plan, confirmation: Confirmation): Promise<void> {
  const { command, yes, world, output, signal } = confirmation;
  if (yes) return;
  output.announce(plan.title, plan.lines);
  if (!canAsk(world)) {
    throw new UsageError(command, [
      '--yes: missing; expected where there is no terminal to ask on. Nothing was changed',
    ]);
  }
  const answer = await ask('Go on? [y/N] ', world, signal);
  if (answer === undefined || !/^\s*y(es)?\s*$/i.test(answer)) {
    throw new EndedEarly(EXIT.trouble, 'answered with no: nothing was changed');
  }
}

/**
 * One line from the terminal; undefined at its end (Ctrl-D).
 *
 * @throws EndedEarly when the signal fires
 */
async function ask(
  question: string,
  { input, err }: World,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const interrupted = () => reject(new EndedEarly(EXIT.interrupted, 'interrupted: nothing was changed'));
  if (signal.aborted) interrupted();
  signal.addEventListener('abort', interrupted, { once: true });
  // Not in readline's terminal mode: that would keep Ctrl-C from being a signal.
  const reader = createInterface({ input, terminal: false });
  reader.once('line', resolve).once('close', () => resolve(undefined));
  err.write(question);
  let answer: string | undefined;
  try {
    answer = await promise;
    return answer;
  } finally {
    // No Enter has ended the line.
    if (answer === undefined) err.write('\n');
    signal.removeEventListener('abort', interrupted);
    reader.close();
  }
}
