import type { Command } from 'commander';
import { z } from 'zod';
import { type CheckLine, inWords } from '../../../functions/core/operate/check-verdict.ts';
import { EXIT } from '../../exit-codes.ts';
import { EndedEarly, UsageError } from '../../failure.ts';
import { flagFaults, leftovers, repeatable } from '../../flags.ts';
import { some } from '../../format.ts';
import { Output } from '../../output.ts';
import { progressLine } from '../../progress.ts';
import type { World } from '../../world.ts';
import { addBackendOptions, backendFaults, backendFlags } from '../operate/backend.ts';
import { addOrg, org } from '../operate/flags.ts';
import { coloured, MARKS, marked } from '../operate/marks.ts';
import { checkSystem } from './deployed.ts';
import { checkSettings } from './settings.ts';

const CONSUMER = 'expected a destination, = and the ARN of the role or user that reads it';

const consumers = z.array(z.string()).transform((pairs, context) => {
  const found = new Map<string, string>();
  for (const pair of pairs) {
    const [, id = '', arn = ''] =
      /^([A-Za-z0-9][\w.-]*)=(arn:aws[a-z-]*:iam::\d{12}:(?:role|user)\/.+)$/.exec(pair) ?? [];
    if (arn === '') context.addIssue({ code: 'custom', message: CONSUMER, params: { shown: pair } });
    found.set(id, arn);
  }
  return found;
});

const flags = {
  org: org.optional(),
  config: z.string().min(1, 'expected the path of a settings file').optional(),
  consumer: consumers.prefault([]),
  json: z.boolean().default(false),
};

const HELP = `
Without --config a running system is checked: the folder of --data-dir, or that
ORGLOG_DATA_DIR names, or else the system deployed in AWS. With --config nothing
needs to be deployed: the settings are checked, and the provider is asked; the
credential of ORGLOG_USERNAME and ORGLOG_PASSWORD is tried, where there is one.

✓ is fine, ✗ says what to do, · could not be checked and fails nothing.

Examples:
  orglog check --config orglog.config.json
  orglog check --org institution --profile operations
  orglog check --json | jq '.checks[] | select(.verdict == "failed")'

Exit codes: 0 nothing failed, 1 something did, 2 usage, 3 there is no such
organization, 130 interrupted.`;

/** `orglog check`: what must be so for events to arrive, before deploying and any time after. */
export function checkCommand(program: Command, world: World): void {
  const command = program
    .command('check')
    .summary('see whether everything is as it must be')
    .description(
      'See whether everything is as it must be for events to arrive: settings, secret,\n' +
        'provider, clock, credential, orgUrl, permissions, archive, tables, queues, and\n' +
        'who reads them. Changes nothing.',
    )
    .allowUnknownOption()
    .allowExcessArguments();
  addOrg(command, 'only this organization');
  command
    .option('--config <file>', 'settings that need not be deployed yet')
    .option('--consumer <id=arn>', "who reads a destination, if no role of the stack's", repeatable)
    .option('--json', 'one JSON document, for programs');
  addBackendOptions(command);
  command.addHelpText('after', HELP);
  command.action(() => check(command, world));
}

async function check(command: Command, world: World): Promise<void> {
  const raw = command.opts();
  const given = z.object(flags).safeParse(raw);
  const backend = z.object(backendFlags).safeParse(raw);
  const faults = [
    ...leftovers(command.args),
    ...flagFaults(given.error, raw),
    ...flagFaults(backend.error, raw),
    ...backendFaults(raw),
    ...faultsTogether(raw),
  ];
  if (faults.length > 0 || !given.success || !backend.success) throw new UsageError('orglog check', faults);
  const { org: id, config, consumer, json } = given.data;
  using stop = world.stopSignals();
  const { signal } = stop;
  const lines =
    config === undefined
      ? checkSystem({ backend: backend.data, org: id, consumers: consumer }, world.env, signal)
      : checkSettings({ file: config, org: id }, world.env, signal);
  const output = new Output(world, { json });
  try {
    await show(lines, output, world);
  } catch (error) {
    // Whoever closed the pipe had enough.
    if (output.closed) return;
    if (!signal.aborted || error instanceof EndedEarly) throw error;
    throw new EndedEarly(EXIT.interrupted, error instanceof Error ? error.message : String(error));
  }
}

function faultsTogether(raw: Readonly<Record<string, unknown>>): string[] {
  const wrong = raw.config !== undefined ? (['dataDir', 'stack', 'profile', 'region'] as const) : [];
  return [
    ...wrong
      .filter((name) => raw[name] !== undefined)
      .map((name) => `--${name === 'dataDir' ? 'data-dir' : name}: expected without --config`),
    ...(raw.consumer !== undefined && (raw.config ?? raw.dataDir) !== undefined
      ? ['--consumer: expected for a system in AWS only']
      : []),
  ];
}

async function show(lines: AsyncIterable<CheckLine>, output: Output, { err }: World): Promise<void> {
  const found: CheckLine[] = [];
  {
    using progress = progressLine(err);
    progress.show('checking …');
    for await (const line of lines) {
      found.push(line);
      progress.show(`checking … ${line.subject}`);
    }
  }
  const failures = found.filter(({ verdict }) => verdict === 'failed').length;
  await output.result({ ok: failures === 0, checks: found }, (space) =>
    coloured(
      found.flatMap((line) => marked(markOf(line), `${line.subject}: ${inWords(line)}`, space)),
      output,
    ),
  );
  if (failures > 0)
    throw new EndedEarly(EXIT.trouble, `${failures} of ${some(found.length, 'check')} failed`);
}

function markOf({ verdict }: CheckLine) {
  if (verdict === 'ok') return MARKS.ok;
  return verdict === 'failed' ? MARKS.broken : MARKS.note;
}
