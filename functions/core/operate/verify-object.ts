import { type BatchFacts, fromMetadata } from '../batch-facts.ts';
import { gunzipped } from '../delivery/lines.ts';
import type { Archive } from '../ports.ts';
import type { Finding } from './findings.ts';
import type { ListedObject } from './ports.ts';

/** One object, read from its first byte to its last. */
export interface ExaminedObject {
  readonly object: ListedObject;
  readonly facts?: BatchFacts;
  /** As counted, uncompressed. */
  readonly events: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

/** Nobody writes an object this long after its batch was ended, but by hand. */
const PUT_WITHIN_MS = 3_600_000;
const LF = 0x0a;

/** Read an object as a stream, and compare what it holds with what its metadata says. */
export async function examine(
  archive: Pick<Archive, 'head' | 'get'>,
  object: ListedObject,
  sequence: number,
  signal: AbortSignal,
): Promise<ExaminedObject> {
  const { key, storedAt } = object;
  const findings: Finding[] = [];
  const note = (kind: Finding['kind'], severity: Finding['severity'], message: string) =>
    findings.push({ kind, severity, sequence, key, message });
  const head = await archive.head(key, signal);
  const facts = head && fromMetadata(head.metadata);
  if (facts === undefined)
    note('metadata', 'hole', `${key} has no metadata of orglog's: it was written by hand`);
  const { events, bytes, fault } = await countOf(archive, key, signal);
  if (fault !== undefined)
    note('content', 'hole', `${key} ${fault}: bring it back from the bucket's versions`);
  else if (facts !== undefined && (events !== facts.count || bytes !== facts.bytes)) {
    const said = `${facts.count} events in ${facts.bytes} bytes`;
    const message = `${key} holds ${events} events in ${bytes} bytes, where its metadata says ${said}: bring it back from the bucket's versions`;
    note('content', 'hole', message);
  }
  if (facts !== undefined && storedAt - facts.eventTime > PUT_WITHIN_MS) {
    const message = `${key} was written at ${new Date(storedAt).toISOString()}, though collected at ${new Date(facts.eventTime).toISOString()}: somebody replaced it, or brought it back`;
    note('rewritten', 'doubt', message);
  }
  return { object, ...(facts && { facts }), events, bytes, findings };
}

async function countOf(
  archive: Pick<Archive, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<{ readonly events: number; readonly bytes: number; readonly fault?: string }> {
  let [events, bytes, last] = [0, 0, LF];
  try {
    const stored = await archive.get(key, signal);
    if (stored === undefined) return { events, bytes, fault: 'was removed while it was looked at' };
    for await (const chunk of gunzipped(stored)) {
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) events++;
      bytes += chunk.length;
      last = chunk.at(-1) ?? last;
    }
  } catch (error) {
    // What zlib finds wrong is the object's; anything else is the archive's, and no finding.
    if (!isDamage(error)) throw error;
    return { events, bytes, fault: `is no whole gzip (${error.message})` };
  }
  return { events, bytes, ...(last !== LF && { fault: 'ends in the midst of an event' }) };
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
