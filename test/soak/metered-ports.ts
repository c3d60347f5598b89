import type { Clock, LogSource } from '../../functions/core/ports.ts';
import type { RunPorts } from '../../functions/core/run.ts';
import type { Random } from '../../local/provider/random.ts';

/** What is called, as docs/cost.md names it. */
export type Call =
  | 'provider GET'
  | 'DynamoDB UpdateItem'
  | 'DynamoDB GetItem'
  | 'S3 PutObject'
  | 'S3 HeadObject'
  | 'S3 GetObject'
  | 'SQS SendMessage';

/** How long each takes, from and to, in ms of virtual time. */
const DURATIONS: Readonly<Record<Call, readonly [number, number]>> = {
  'provider GET': [60, 800],
  'DynamoDB UpdateItem': [5, 30],
  'DynamoDB GetItem': [5, 30],
  'S3 PutObject': [20, 120],
  'S3 HeadObject': [10, 60],
  'S3 GetObject': [10, 60],
  'SQS SendMessage': [10, 40],
};

export interface Metering {
  readonly clock: Clock;
  readonly random: Random;
  readonly onCall: (call: Call) => void;
  /** The run dies at this call, counted from 0: it hears nothing more, before the call or after it. */
  readonly diesAt?: number;
  readonly onDeath: () => void;
}

type Ports = Pick<RunPorts, 'cursors' | 'archive' | 'outboxes' | 'source'>;

/** Ports whose every call is counted, takes its time, and may be the last that a run makes. */
export function metered({ cursors, archive, outboxes, source }: Ports, metering: Metering): Ports {
  const { clock, random, onCall, diesAt, onDeath } = metering;
  const never = new AbortController().signal;
  let calls = 0;
  const through = async <T>(call: Call, effect: () => Promise<T>): Promise<T> => {
    const dies = calls++ === diesAt;
    const tookEffect = dies && random.chance(0.5);
    onCall(call);
    await clock.sleep(random.whole(...DURATIONS[call]), never);
    if (dies && !tookEffect) return await death(onDeath);
    const result = await effect();
    return dies ? await death(onDeath) : result;
  };
  return {
    cursors: {
      acquire: (request, signal) => through('DynamoDB UpdateItem', () => cursors.acquire(request, signal)),
      write: (request, signal) => through('DynamoDB UpdateItem', () => cursors.write(request, signal)),
      read: (key, signal) => through('DynamoDB GetItem', () => cursors.read(key, signal)),
    },
    archive: {
      bucket: archive.bucket,
      region: archive.region,
      put: (object, signal) => through('S3 PutObject', () => archive.put(object, signal)),
      head: (key, signal) => through('S3 HeadObject', () => archive.head(key, signal)),
      get: (key, signal) => through('S3 GetObject', () => archive.get(key, signal)),
    },
    outboxes: new Map(
      [...outboxes].map(([id, outbox]) => [
        id,
        { send: (body, signal) => through('SQS SendMessage', () => outbox.send(body, signal)) },
      ]),
    ),
    source: {
      readPage: (request, signal) => through('provider GET', () => source.readPage(request, signal)),
      permittedOrgUrls: (signal) => source.permittedOrgUrls(signal),
    } satisfies LogSource,
  };
}

/** Never comes back. */
function death(onDeath: () => void): Promise<never> {
  onDeath();
  return new Promise(() => {});
}
