import type { Command } from 'commander';
import { z } from 'zod';
import { asOrglogError } from '../../../functions/core/errors.ts';
import { EXIT, exitCodeOf } from '../../exit-codes.ts';
import { EndedEarly, UsageError } from '../../failure.ts';
import { flagFaults, leftovers } from '../../flags.ts';
import { count, size, some } from '../../format.ts';
import { type ProgressLine, progressLine } from '../../progress.ts';
import { addressOf, credentialsOf, providerFaults } from '../../provider-connection.ts';
import type { World } from '../../world.ts';
import { addPullOptions, type PullOrder, pullFlags } from './flags.ts';
import type { LineSink } from './line-sink.ts';
import type { Ending, Pulled } from './pull-log.ts';

const HELP = `
The credential comes from ORGLOG_USERNAME and ORGLOG_PASSWORD, or with --secret
from AWS Secrets Manager. Events are written as the provider sent them, one a
line, whole pages at a time: no line is torn, also where the disk runs full.

The last line on stderr is \`next-token: …\`, however it ended (the reader left,
the disk is full, Ctrl-C): --from-token goes on with the first event that was
not written. It is missing only where the provider gave no token.

Examples:
  orglog pull --base-url https://api.provider.example \\
      --org-url https://institution.edu/ | jq -c .logType
      the last hour
  orglog pull --org-url https://institution.edu/ --filter service=bridge \\
      --output log.ndjson 2>log.txt
  orglog pull --org-url https://institution.edu/ --output log.ndjson --append \\
      --from-token "$(sed -n 's/^next-token: //p' log.txt)"
      what has come since

Exit codes: 0 the log's end, or nobody reads any more, 1 trouble, 2 usage,
130 interrupted.`;

/** `orglog pull`: a log as NDJSON, without anything that keeps it. */
export function pullCommand(program: Command, world: World): void {
  const command = program
    .command('pull')
    .summary('fetch a log as NDJSON, with no AWS at all')
    .description('Fetch a log as NDJSON: to standard output or a file, with no AWS at all.')
    .allowUnknownOption()
    .allowExcessArguments();
  addPullOptions(command);
  command.addHelpText('after', HELP);
  command.action(async () => {
    const { pulled, ending } = await pull(orderFrom(command, world), world);
    tellEnd(pulled, ending, world);
  });
}

function orderFrom(command: Command, { env }: World): PullOrder {
  const raw = command.opts();
  const given = z.object(pullFlags).safeParse(raw);
  const faults = [
    ...leftovers(command.args),
    ...flagFaults(given.error, raw, new Set(['fromToken'])),
    ...(raw.append && raw.output === undefined ? ['--append: expected together with --output only'] : []),
    ...providerFaults(raw, env, 'its log interface'),
  ];
  if (faults.length > 0 || !given.success) throw new UsageError('orglog pull', faults);
  return given.data;
}

/** What was handed over, once it is durable. */
async function pull(order: PullOrder, world: World): Promise<{ pulled: Pulled; ending: Ending }> {
  const { env, out, err } = world;
  using stop = world.stopSignals();
  const { orgUrl, filter: filters, limit, fromToken, output, append } = order;
  const baseUrl = addressOf(order, env);
  const [
    { createHttpLogSource },
    { systemClock: clock },
    { fileSink, outputSink },
    { pullLog },
    credentials,
  ] = await Promise.all([
    import('../../../functions/adapters/http-log-source.ts'),
    import('../../../functions/adapters/system-clock.ts'),
    import('./line-sink.ts'),
    import('./pull-log.ts'),
    credentialsOf(order, env),
  ]);
  await using source = createHttpLogSource({ baseUrl, orgUrl, filters, credentials });
  await using sink = output === undefined ? outputSink(out) : await fileSink(output, append);
  // Where the events are seen themselves, a line that is redrawn would get between them.
  using progress = output === undefined && out.isTTY ? undefined : progressLine(err);
  const { pulled, ending } = await pullLog(
    {
      ...{ baseUrl, orgUrl, filters, limit, fromToken, source, clock, sink, random: Math.random },
      observe: (event) => {
        if (event.kind === 'retry') progress?.show(`waiting, as there was trouble: ${event.reason}`);
      },
      onProgress: (soFar) => showProgress(progress, soFar),
    },
    stop.signal,
  );
  return { pulled, ending: await durable(ending, sink) };
}

/** What could not be made durable is not vouched for. */
async function durable(ending: Ending, sink: LineSink): Promise<Ending> {
  try {
    await sink.finish();
    return ending;
  } catch (error) {
    return ending.kind === 'failed' ? ending : { kind: 'failed', error: asOrglogError(error, 'storage') };
  }
}

function tellEnd({ events, pages, bytes, token }: Pulled, ending: Ending, { err }: World): void {
  err.write(`${some(events, 'event')} in ${some(pages, 'page')}, ${size(bytes)}${ENDINGS[ending.kind]}\n`);
  const next = token === undefined ? '' : `next-token: ${token}`;
  const after = next === '' ? '' : `\n${next}`;
  if (ending.kind === 'failed')
    throw new EndedEarly(exitCodeOf(ending.error.code), `${ending.error.message}${after}`);
  if (ending.kind === 'stopped') throw new EndedEarly(EXIT.interrupted, `interrupted${after}`);
  if (next !== '') err.write(`${next}\n`);
}

const ENDINGS: Readonly<Record<Ending['kind'], string>> = {
  'caught-up': ': the end of the log',
  'reader-gone': ': nobody reads any more',
  stopped: ': stopped',
  failed: ', then there was trouble',
};

function showProgress(progress: ProgressLine | undefined, { events, pages, bytes, newestAt }: Pulled): void {
  const newest = newestAt === undefined ? '' : `, up to ${new Date(newestAt).toISOString()}`;
  progress?.show(`${count(events)} events, ${some(pages, 'page')}, ${size(bytes)}${newest}`);
}
