import type { Command } from 'commander';
import { z } from 'zod';
import type { AwsDeploymentOptions } from '../../../functions/adapters/operator/deployment.ts';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { Deployment } from '../../../functions/core/operate/ports.ts';
import { confirm, type Plan } from '../../confirm.ts';
import { EXIT, EXIT_CODES } from '../../exit-codes.ts';
import { EndedEarly, UsageError } from '../../failure.ts';
import { flagFaults, leftovers } from '../../flags.ts';
import { Output } from '../../output.ts';
import type { World } from '../../world.ts';
import {
  addBackendOptions,
  type BackendOrder,
  backendFaults,
  backendFlags,
  openBackend,
  sameSystem,
} from './backend.ts';

/** What a command works with. */
export interface Work {
  readonly deployment: Deployment;
  /** What a person should know about it now. */
  readonly remark: () => string | undefined;
  /** How it was found in AWS; absent of a data folder. */
  readonly aws?: AwsDeploymentOptions;
  readonly output: Output;
  readonly world: World;
  /** Fires at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Behind a command that is shown to be copied: the options that name the same system, with a space before. */
  readonly same: string;
  /** Shows the plan and asks; returns for a yes. */
  confirm(plan: Plan): Promise<void>;
  /** A fault of the call that only the running system shows. */
  fault(message: string): UsageError;
}

/** One command that works on a running system. */
export interface OperatorCommand<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  /** What a person should know before: lines of at most 80 columns. */
  readonly about?: string;
  /** Lines under `Examples:`, indented by two. */
  readonly examples: readonly string[];
  /** Whether it changes something, and so asks. */
  readonly changes: boolean;
  /** What stands behind `--json` in the help. */
  readonly json?: string;
  /** In place of the usual exit codes. */
  readonly exitCodes?: string;
  /** Whether its result tells which system it is of. */
  readonly tellsSystem?: boolean;
  readonly options?: (command: Command) => void;
  readonly flags: Shape;
  /** What is wrong with options together. They are as given, since each may be wrong by itself as well. */
  readonly faults?: (raw: Readonly<Record<string, unknown>>) => readonly string[];
  readonly run: (work: Work, flags: z.output<z.ZodObject<Shape>>) => Promise<void>;
}

/** Adds the command to `orglog`, or to a group in it. */
export function addOperatorCommand<Shape extends z.ZodRawShape>(
  parent: Command,
  world: World,
  definition: OperatorCommand<Shape>,
): void {
  const { name, summary, about, examples, changes } = definition;
  const command = parent
    .command(name)
    .summary(summary)
    .description(about === undefined ? `${capital(summary)}.` : `${capital(summary)}.\n${about}`)
    // Told with all other faults, rather than one at a time.
    .allowUnknownOption()
    .allowExcessArguments();
  definition.options?.(command);
  if (changes) command.option('--yes', 'do it without asking');
  command.option('--json', definition.json ?? 'one JSON document, for programs; times in epoch ms');
  addBackendOptions(command);
  const shown = examples.map((line) => `  ${line}`).join('\n');
  const codes = definition.exitCodes ?? EXIT_CODES;
  command.addHelpText('after', `\n${ABOUT_SYSTEM}\n\nExamples:\n${shown}\n\n${codes}`);
  command.action(() => perform(command, world, definition));
}

const ABOUT_SYSTEM =
  'Without --data-dir and --stack: the folder that ORGLOG_DATA_DIR names, or else\n' +
  'the system deployed in AWS as orglog.';

const common = { json: z.boolean().default(false), yes: z.boolean().default(false) };

async function perform<Shape extends z.ZodRawShape>(
  command: Command,
  world: World,
  definition: OperatorCommand<Shape>,
): Promise<void> {
  const raw = command.opts();
  const own = z.object(definition.flags).safeParse(raw);
  const backend = z.object(backendFlags).safeParse(raw);
  const faults = [
    ...leftovers(command.args),
    ...flagFaults(own.error, raw),
    ...(definition.faults?.(raw) ?? []),
    ...flagFaults(backend.error, raw),
    ...backendFaults(raw),
  ];
  const title = titleOf(command);
  if (faults.length > 0 || !own.success || !backend.success) throw new UsageError(title, faults);
  const { json, yes } = z.object(common).parse(raw);
  const { tellsSystem = false, changes } = definition;
  const call = { title, json, yes, tellsSystem, changes };
  await carryOut(world, backend.data, call, (work) => definition.run(work, own.data));
}

interface Call {
  readonly title: string;
  readonly json: boolean;
  readonly yes: boolean;
  readonly tellsSystem: boolean;
  readonly changes: boolean;
}

const INTERRUPTED_CHANGE = 'interrupted: what was under way may have taken effect; calling it again is safe';

async function carryOut(
  world: World,
  order: BackendOrder,
  { title, json, yes, tellsSystem, changes }: Call,
  run: (work: Work) => Promise<void>,
): Promise<void> {
  using stop = world.stopSignals();
  const { signal } = stop;
  const output = new Output(world, { json });
  let isAws = false;
  try {
    await using backend = await openBackend(order, world.env, signal);
    const { deployment, remark, aws } = backend;
    isAws = aws !== undefined;
    if (!json && !tellsSystem) for (const text of [deployment.title, remark()]) if (text) output.note(text);
    await run({
      ...{ deployment, remark, output, world, signal },
      ...(aws !== undefined && { aws }),
      same: sameSystem(order),
      confirm: (plan) => confirm(plan, { command: title, yes, world, output, signal }),
      fault: (message) => new UsageError(title, [message]),
    });
  } catch (error) {
    // Whoever closed the pipe had enough.
    if (output.closed) return;
    if (!signal.aborted || error instanceof EndedEarly) throw isAws ? whereKept(error) : error;
    throw new EndedEarly(EXIT.interrupted, changes ? INTERRUPTED_CHANGE : 'interrupted: nothing was changed');
  }
}

/** A refused credential of a deployed system does not come from the environment, as it would be told to otherwise. */
function whereKept(error: unknown): unknown {
  if (!(error instanceof OrglogError) || error.code !== 'credentials-refused') return error;
  return new EndedEarly(EXIT.trouble, `${error.message} (\`orglog secret set\`)`);
}

/** A command that holds others. */
export function group(parent: Command, name: string, summary: string): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(`${capital(summary)}.`)
    .helpCommand(false);
}

function titleOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
