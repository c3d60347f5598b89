import * as z from 'zod/mini';
import type { Gap, ObjectMetadata } from './ports.ts';

/** What an object's metadata says of it: enough to commit and to announce it without reading it. */
export interface BatchFacts {
  /** The row's token when the object was put; absent before the first. */
  readonly start?: string;
  /** The row's token once the object is committed. */
  readonly end?: string;
  readonly count: number;
  /** Uncompressed, line ends included. */
  readonly bytes: number;
  /** Epoch ms of the first and the newest event, where they could be read. */
  readonly first?: number;
  readonly last?: number;
  /** Epoch ms that every announcement of the object carries: consumers make ids from it. */
  readonly eventTime: number;
  /** Whether a read from `end` returns events of this object again. */
  readonly rereads: boolean;
  /** What could not be read before this object's first event. */
  readonly gap?: Gap;
}

/** Built at the first use: few runs read metadata, and building it would cost each cold start. */
const METADATA = z.lazy(() => {
  const text = z.exactOptional(z.string());
  const time = z.pipe(z.iso.datetime(), z.transform(Date.parse));
  const number = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));
  const gap = z.object({
    from: z.number(),
    to: z.number(),
    reason: z.enum(['stale-token', 'no-token', 'no-overlap', 'object-missing']),
    token: text,
  });
  return z.object({
    start: text,
    end: text,
    count: number,
    bytes: number,
    first: z.exactOptional(time),
    last: z.exactOptional(time),
    'event-time': time,
    rereads: z.enum(['0', '1']),
    gap: z.exactOptional(z.pipe(z.pipe(z.string(), z.transform(parsed)), gap)),
  });
});

/** The JSON in a text; `undefined` where there is none. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** As object metadata: printable ASCII, at most about 900 bytes (tokens are 200 at most). */
export function toMetadata(facts: BatchFacts): ObjectMetadata {
  return {
    ...(facts.start !== undefined && { start: facts.start }),
    ...(facts.end !== undefined && { end: facts.end }),
    count: String(facts.count),
    bytes: String(facts.bytes),
    ...(facts.first !== undefined && { first: new Date(facts.first).toISOString() }),
    ...(facts.last !== undefined && { last: new Date(facts.last).toISOString() }),
    'event-time': new Date(facts.eventTime).toISOString(),
    rereads: facts.rereads ? '1' : '0',
    ...(facts.gap !== undefined && { gap: JSON.stringify(facts.gap) }),
  };
}

/** Back from metadata; `undefined` when it is not ours or was damaged. */
export function fromMetadata(metadata: ObjectMetadata): BatchFacts | undefined {
  const parsed = METADATA.safeParse(metadata);
  if (!parsed.success) return undefined;
  const { 'event-time': eventTime, rereads, ...rest } = parsed.data;
  return { ...rest, eventTime, rereads: rereads === '1' };
}
