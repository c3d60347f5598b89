/**
 * The provider of chaos, in a process of its own that may be killed: its log and its identities lie in a file.
 * Parameter: JSON as in `ProviderParameters`. Listens for `ProviderOrder` messages, and answers each with its number.
 * Events come, and identities change, until it is told to rest. Ends when its parent does.
 */
import { fullGrant } from '../../local/provider/identities/full-grant.ts';
import { createRandom, mixSeeds } from '../../local/provider/random.ts';
import { startProvider } from '../../local/provider/server.ts';
import { toRawEvent } from '../../local/provider/store.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import type { ProviderOrder, ProviderParameters } from './provider-process.ts';

const TICK_MS = 200;
const MINUTE_MS = 60_000;

const parameters: ProviderParameters = JSON.parse(process.argv[2] ?? '');
const { file, port, orgUrl, orgDomain, seed, eventsPerSecond, identities, ...credential } = parameters;
const organization = { orgUrl, orgDomain };
const provider = await startProvider({
  ...{ file, port },
  organizations: [organization],
  credentials: [{ ...credential, orgUrls: [orgUrl], identities: fullGrant(organization) }],
});
if (provider.identities.count(orgUrl, 'prod') === 0) {
  provider.identities.seed(orgUrl, { environment: 'prod', count: identities, seed });
}

let resting = false;
let ticks = 0;
setInterval(() => {
  if (!resting) happen();
}, TICK_MS);

process.on('message', ({ id, order }: { id: number; order: ProviderOrder }) => {
  if (order.kind === 'rest') resting = true;
  else if (order.kind === 'calm') provider.faults.clear();
  else {
    const { path, times, fault } = order;
    provider.faults.add(fault, { times, on: (target) => target.path.startsWith(path) });
  }
  process.send?.({ id });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: provider.url });

/** One tick's events, some of them late; now and then a rush, and some changes of identities. */
function happen(): void {
  const first = provider.count(orgUrl);
  const random = createRandom(mixSeeds(seed, first, ++ticks));
  const mean = (eventsPerSecond * TICK_MS) / 1000;
  const count = random.chance(0.02) ? random.whole(200, 1500) : random.whole(0, Math.round(2 * mean));
  const toMs = Date.now() - (random.chance(0.1) ? random.whole(0, 9 * MINUTE_MS) : 0);
  const source = { ...organization, seed: random.whole(0, 1e9), fromMs: toMs - TICK_MS, toMs, count };
  let number = first;
  const events = Iterator.from(generateTraffic(source)).map((event) => {
    const raw = toRawEvent(event);
    // No two are equal: what is counted as a repeat is one. And no double can hold this number.
    return { ...raw, json: `${raw.json.slice(0, -1)},"chaos":${++number}.00000000000000000001}` };
  });
  provider.appendRaw(orgUrl, events);
  if (random.chance(0.15)) {
    provider.identities.change(orgUrl, { environment: 'prod', count: random.whole(1, 8), seed: number });
  }
}
