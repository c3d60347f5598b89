import type { Command } from 'commander';
import type { SessionResult } from '../../local/session.ts';
import { repeatable } from '../flags.ts';
import type { Heading } from '../local-display.ts';
import { type LocalOrder, parseLocalFlags, type RawFlags } from '../local-flags.ts';
import { summary } from '../local-summary.ts';
import { stopSignals } from '../stop-signals.ts';
import { wrapTo } from '../text.ts';
import { columnsOf } from '../world.ts';

const EXAMPLES = `
Examples:
  orglog local
      a demonstration: invented sign-ins arrive in .local/siem.ndjson
  orglog local --once --events 100000
      the same to the end of a log of 100,000 events
  ORGLOG_USERNAME=… ORGLOG_PASSWORD=… orglog local \\
      --base-url https://logs.institution.edu --org-url https://institution.edu/
      a real log, every 5 minutes
  orglog local --once --identities 5000
      identity records too: a snapshot, then what changed, in
      .local/siem-identities.ndjson
  orglog local --once --push splunk,elastic
      the demonstration, pushed to stand-ins of both, which forget at the end
  ORGLOG_SPLUNK_TOKEN=… orglog local \\
      --push splunk=https://splunk.institution.edu:8088
      the demonstration, pushed to a real Splunk

Pushing needs ORGLOG_SPLUNK_TOKEN for a real Splunk, ORGLOG_ELASTIC_API_KEY (or
ORGLOG_ELASTIC_USERNAME and ORGLOG_ELASTIC_PASSWORD) for a real Elasticsearch. A
sink that is added later gets what is collected from then on, and what is
collected by a run without its --push never reaches it.

The data folder holds the cursor, the archive (gzip NDJSON), the queues and
siem.ndjson. A start goes on where the last one stopped, however that ended.
Exit codes: 0 fine, 1 trouble, 2 usage.`;

/** `orglog local`: the whole system on one machine. */
export function localCommand(program: Command): void {
  const command = program
    .command('local')
    .summary('run the whole system on this machine')
    .description(
      'Collect a log on this machine: archive it, queue it, and feed it to a small SIEM.\n' +
        'Without --base-url, a built-in stand-in plays the provider and invents events.',
    )
    .option('--base-url <url>', "the provider's address: https, or http to this machine")
    .option('--org-url <url>', "the organization's orgUrl, trailing slash and all")
    .option('--org <id>', 'its name in keys and files (default: the host of the orgUrl)')
    .option('--filter <name=value>', 'service, logType, logSubtype or tenant; repeatable', repeatable)
    .option('--from-token <token>', 'where a first read starts (default: one hour ago)')
    .option('--limit <n>', 'events per page, 1 to 1000 (default: 1000)')
    .option('--every <seconds>', 'time between reads (default: 300; stand-in: 2)')
    .option('--push <sinks>', 'splunk,elastic: stand-ins; splunk=https://…: a real one', repeatable)
    .option('--once', 'read to the end of the log, print a summary, and end')
    .option('--events <n>', "the stand-in's backlog, when its log is new (default: 5000)")
    .option('--identities <n>', 'walk identity records too: so many in the stand-in')
    .option('--data-dir <dir>', 'where everything is kept (default: .local)')
    .addHelpText('after', EXAMPLES)
    // Told with all other faults, rather than one at a time.
    .allowUnknownOption()
    .allowExcessArguments();
  command.addOption(command.createOption('--batch-bytes <n>', 'compressed bytes of a batch').hideHelp());
  command.action(async (flags: RawFlags) => {
    const order = parseLocalFlags(flags, command.args, process.env);
    await runLocal(order);
  });
}

async function runLocal(order: LocalOrder): Promise<void> {
  const { log, dataDir, once, push } = order;
  const standIn = log.kind === 'stand-in';
  const heading: Heading = {
    org: standIn ? 'institution' : log.org,
    from: standIn ? 'the built-in provider stand-in' : log.baseUrl,
    ...{ folder: dataDir, once },
    sinks: push.map(({ name, real }) => real?.url ?? `the ${name} stand-in`),
  };
  using stop = stopSignals();
  const display = await openDisplay(heading);
  let result: SessionResult;
  try {
    // Loaded late, so that help and usage faults come at once.
    const [{ runSession }, openTarget] = await Promise.all([
      import('../../local/session.ts'),
      targetOf(order),
    ]);
    const { limit, everyMs, batchBytes } = order;
    result = await runSession({
      ...{ openTarget, standIn, once, everyMs, limit, batchBytes, push },
      folder: dataDir,
      stop: stop.signal,
      onProgress: (progress) => display.show(progress),
    });
  } finally {
    display.close();
  }
  const line = summary(result, stop.signal.aborted);
  const columns = columnsOf(process.stdout);
  process.stdout.write(`${columns === undefined ? line : wrapTo(line, columns).join('\n')}\n`);
}

async function openDisplay(heading: Heading) {
  if (process.stdout.isTTY) {
    const { liveScreen } = await import('../local-screen.ts');
    return liveScreen(heading, process.stdout, Date.now);
  }
  const { plainLines } = await import('../local-lines.ts');
  return plainLines(heading, {
    out: (line) => process.stdout.write(`${line}\n`),
    problem: (line) => process.stderr.write(`${line}\n`),
    now: Date.now,
  });
}

async function targetOf({ log, dataDir }: LocalOrder) {
  if (log.kind === 'stand-in') {
    const { openStandIn } = await import('../../local/stand-in.ts');
    const { pathsIn } = await import('../../local/backend.ts');
    return () => openStandIn(pathsIn(dataDir).provider, log.events, log.identities);
  }
  const { openRealProvider } = await import('../../local/real-provider.ts');
  const { EnvironmentCredentials } = await import('../../local/environment-credentials.ts');
  return () => openRealProvider({ ...log, credentials: new EnvironmentCredentials(process.env) });
}
