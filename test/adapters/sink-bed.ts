import { wholeLines } from '../../functions/core/delivery/lines.ts';
import { type PendingRequest, packed, requestsOf } from '../../functions/core/delivery/requests.ts';
import type { Clock } from '../../functions/core/ports.ts';
import type { EventStream, SendOutcome, Sink, SinkCredentials } from '../../functions/core/ports-delivery.ts';
import { never } from '../contracts/support.ts';

export const ID_PREFIX = 'institution:logs:k3v9q:41:';
const OBJECT = {
  key: 'logs/org=institution/dt=2026-01-02/k3v9q-000000000041.ndjson.gz',
  org: 'institution',
  stream: 'logs',
  idPrefix: ID_PREFIX,
  announcedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
} as const;

/** A sink's credential as a test states it; `replace` is what an operator does who changes the secret. */
export class StatedCredentials implements SinkCredentials {
  readonly reads: boolean[] = [];
  #stored: string;
  #cached: string;

  constructor(authorization: string) {
    this.#stored = authorization;
    this.#cached = authorization;
  }

  async authorization({ fresh }: { readonly fresh: boolean }): Promise<string> {
    this.reads.push(fresh);
    if (fresh) this.#cached = this.#stored;
    return this.#cached;
  }

  replace(authorization: string): void {
    this.#stored = authorization;
  }
}

/** Does not wait. */
export function impatientClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let skipped = 0;
  return {
    slept,
    now: () => Date.now() + skipped,
    sleep: async (delayMs) => {
      slept.push(delayMs);
      skipped += delayMs;
    },
  };
}

/** The requests that these lines make. */
export async function requests(
  sink: Sink,
  lines: readonly (string | Buffer)[],
  stream: EventStream = 'logs',
): Promise<PendingRequest[]> {
  const pieces = lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  const made: PendingRequest[] = [];
  for await (const request of requestsOf(wholeLines(iterate(pieces)), { ...OBJECT, stream }, sink, 0))
    made.push(request);
  return made;
}

async function* iterate<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Send these lines as one request. */
export async function send(
  sink: Sink,
  lines: readonly (string | Buffer)[],
  signal = never,
): Promise<SendOutcome> {
  const [request, ...more] = await requests(sink, lines);
  if (request === undefined || more.length > 0) throw new Error(`${lines.length} lines are not one request`);
  return sink.send(await packed(request.events.all(), request.bytes, sink, OBJECT.stream), signal);
}
