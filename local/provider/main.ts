/**
 * The stand-in as a process of its own: `node local/provider/main.ts --events 100000`, with the credential it is to
 * accept in ORGLOG_USERNAME and ORGLOG_PASSWORD: it may read the log and do everything with identities. Once it listens
 * it prints one line of JSON: `url`, and `startToken`, which reads the log from its first event on. It ends on SIGTERM
 * or SIGINT. Exit codes: 1 cannot start, 2 bad flags.
 */
import { asOrglogError } from '../../functions/core/errors.ts';
import { type Flags, parseFlags } from './flags.ts';
import { fullGrant } from './identities/full-grant.ts';
import { startProvider } from './server.ts';
import { createLiveTraffic, generateTraffic } from './traffic.ts';

const LIVE_STEP_MS = 1000;

async function run(flags: Flags): Promise<void> {
  const { 'org-url': orgUrl, 'org-domain': orgDomain, tenant, seed } = flags;
  const organization = { orgUrl, orgDomain, ...(tenant !== undefined && { tenant }) };
  const provider = await startProvider({
    file: flags.file,
    port: flags.port,
    organizations: [organization],
    credentials: [
      {
        username: flags.ORGLOG_USERNAME,
        password: flags.ORGLOG_PASSWORD,
        orgUrls: [orgUrl],
        identities: fullGrant(organization),
      },
    ],
  });

  const toMs = Date.now();
  const fromMs = toMs - flags['window-minutes'] * 60_000;
  if (provider.count(orgUrl) === 0 && flags.events > 0) {
    provider.append(orgUrl, generateTraffic({ ...organization, seed, fromMs, toMs, count: flags.events }));
  }
  const count = flags.identities;
  if (provider.identities.count(orgUrl, 'prod') === 0 && count > 0) {
    provider.identities.seed(orgUrl, { environment: 'prod', count, seed });
  }
  const delayMs = flags['delay-ms'];
  if (delayMs > 0) provider.faults.add({ kind: 'delay', delayMs }, { times: Infinity });

  let timer: NodeJS.Timeout | undefined;
  const eventsPerHour = flags['live-per-hour'];
  if (eventsPerHour > 0) {
    const sinceMs = provider.newestMs(orgUrl) ?? toMs;
    const live = createLiveTraffic({ ...organization, seed, sinceMs, eventsPerHour });
    timer = setInterval(() => provider.append(orgUrl, live.until(Date.now())), LIVE_STEP_MS);
  }

  const stop = () => {
    clearInterval(timer);
    void provider.close();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ url: provider.url, startToken: provider.startToken(orgUrl) })}\n`);
}

try {
  await run(parseFlags(process.argv.slice(2), process.env));
} catch (error) {
  const { code, message } = asOrglogError(error, 'unavailable');
  process.stderr.write(`${message}\n`);
  process.exitCode = code === 'configuration' ? 2 : 1;
}
