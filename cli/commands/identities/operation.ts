import type { Command } from 'commander';
import { z } from 'zod';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import { canAsk, confirm, type Plan } from '../../confirm.ts';
import { EXIT, EXIT_CODES } from '../../exit-codes.ts';
import { EndedEarly, UsageError } from '../../failure.ts';
import { flagFaults, leftovers } from '../../flags.ts';
import { Output } from '../../output.ts';
import { addressOf } from '../../provider-connection.ts';
import type { World } from '../../world.ts';
import {
  addConnectionOptions,
  type ConnectionOrder,
  connect,
  connectionFaults,
  connectionFlags,
} from './connection.ts';

/** What an operation works with. */
export interface Work {
  readonly api: IdentitiesApi;
  readonly output: Output;
  readonly world: World;
  readonly signal: AbortSignal;
  /** The provider's address, for people. */
  readonly address: string;
  /** Shows the plan and asks; returns for a yes. The plan is made only where it will be shown. */
  confirm(plan: (canLook: boolean) => Promise<Plan> | Plan): Promise<void>;
}

/** One subcommand: one or two of the provider's operations. */
export interface Operation<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  /** What a person should know before. */
  readonly about?: string;
  /** Name and meaning of what stands behind the subcommand's name: one, or nothing. */
  readonly operand?: readonly [name: string, meaning: string];
  /** Lines under `Examples:`, indented by two. */
  readonly examples: readonly string[];
  /** Whether it changes something, and so asks. */
  readonly changes: boolean;
  /** What stands behind `--json` in the help. */
  readonly json?: string;
  readonly options?: (command: Command) => void;
  /** The options' values; the world is there to read files and standard input from. */
  readonly flags: (world: World) => Shape;
  /** What is wrong with options together. They are as given, since each may be wrong by itself as well. */
  readonly faults?: (raw: Readonly<Record<string, unknown>>) => readonly string[];
  readonly run: (work: Work, flags: z.output<z.ZodObject<Shape>>, operand: string) => Promise<void>;
}

/** Adds the subcommand to `orglog identities`, or to a group in it. */
export function addOperation<Shape extends z.ZodRawShape>(
  parent: Command,
  world: World,
  operation: Operation<Shape>,
): void {
  const { name, summary, about, operand, examples, changes } = operation;
  const command = parent
    .command(name)
    .summary(summary)
    .description(about === undefined ? `${capital(summary)}.` : `${capital(summary)}.\n${about}`)
    // Told with all other faults, rather than one at a time.
    .allowUnknownOption()
    .allowExcessArguments();
  // Optional for commander, so that its absence is told with all other faults, too.
  if (operand !== undefined) command.argument(`[${operand[0]}]`, operand[1]);
  operation.options?.(command);
  if (changes) command.option('--yes', 'do it without asking');
  command.option('--json', operation.json ?? 'one JSON document, for programs');
  addConnectionOptions(command);
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n\n${EXIT_CODES}`,
  );
  command.action(async () => {
    await perform(command, world, operation);
  });
}

const common = { json: z.boolean().default(false), yes: z.boolean().default(false) };

async function perform<Shape extends z.ZodRawShape>(
  command: Command,
  world: World,
  operation: Operation<Shape>,
): Promise<void> {
  const title = titleOf(command);
  const raw = command.opts();
  const own = await z.object(operation.flags(world)).safeParseAsync(raw);
  const connection = z.object(connectionFlags).safeParse(raw);
  const { operand, faults } = operandOf(command, operation, world);
  faults.push(
    ...flagFaults(own.error, raw),
    ...(operation.faults?.(raw) ?? []),
    ...flagFaults(connection.error, raw),
    ...connectionFaults(raw, world.env),
  );
  if (faults.length > 0 || !own.success || !connection.success) throw new UsageError(title, faults);
  const { json, yes } = z.object(common).parse(raw);
  await carryOut(world, connection.data, { title, json, yes }, (work) =>
    operation.run(work, own.data, operand),
  );
}

interface Call {
  readonly title: string;
  readonly json: boolean;
  readonly yes: boolean;
}

async function carryOut(
  world: World,
  connection: ConnectionOrder,
  { title, json, yes }: Call,
  run: (work: Work) => Promise<void>,
): Promise<void> {
  using stop = world.stopSignals();
  const { signal } = stop;
  const output = new Output(world, { json });
  try {
    await using api = await connect(connection, world.env);
    await run({
      ...{ api, output, world, signal },
      address: addressOf(connection, world.env),
      confirm: async (plan) => {
        if (yes) return;
        await confirm(await plan(canAsk(world)), { command: title, yes, world, output, signal });
      },
    });
  } catch (error) {
    // Whoever closed the pipe had enough.
    if (output.closed) return;
    if (!signal.aborted || error instanceof EndedEarly) throw error;
    throw new EndedEarly(EXIT.interrupted, error instanceof Error ? error.message : String(error));
  }
}

/** The one operand, and whatever is too much. */
function operandOf<Shape extends z.ZodRawShape>(
  { args }: Command,
  { operand }: Operation<Shape>,
  world: World,
): { operand: string; faults: string[] } {
  if (operand === undefined) return { operand: '', faults: leftovers(args) };
  // What stands behind `--` is no option, whatever it looks like.
  const dashes = world.args.indexOf('--');
  const literalFrom = dashes < 0 ? args.length : args.length - (world.args.length - dashes - 1);
  const isOption = (text: string, at: number) => at < literalFrom && text.startsWith('-');
  const place = args.findIndex((text, at) => !isOption(text, at) && text !== '--');
  const value = args[place];
  const [name, meaning] = operand;
  const faults = leftovers(args.filter((text, at) => at !== place && text !== '--'));
  if (value === undefined || value === '') faults.unshift(`<${name}>: missing; expected ${meaning}`);
  return { operand: value ?? '', faults };
}

function titleOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
