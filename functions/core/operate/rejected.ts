import { fromMetadata } from '../batch-facts.ts';
import { type RefusedRecord, readRefused } from '../delivery/refusals.ts';
import { asOrglogError } from '../errors.ts';
import { notification } from '../notification.ts';
import { CALLS_AT_ONCE, mapAhead } from './ahead.ts';
import type { Deployment, ListedObject } from './ports.ts';

/** An event that a destination refused for good. */
export interface RejectedEvent {
  readonly destination: string;
  /** Of its record in the archive, which stays there as history. */
  readonly key: string;
  /** Epoch ms. */
  readonly refusedAt: number;
  /** Whether the destination took it since, asked for by `retryRejected`. */
  readonly sent: boolean;
  /** What the record says; it holds the event itself, so show it with care. Absent where it cannot be read. */
  readonly record?: RefusedRecord;
  /** Why it cannot be read. */
  readonly damage?: string;
}

export interface RejectedFilter {
  readonly destination: string;
  /** Epoch ms, both included. */
  readonly refusedFrom?: number;
  readonly refusedTo?: number;
  readonly org?: string;
  /** Only these identifiers. */
  readonly eventIds?: ReadonlySet<string>;
  /** Only those that the destination has not taken since. */
  readonly unsentOnly?: boolean;
}

type RejectedPorts = Pick<Deployment, 'archive' | 'ledger'>;

/** Where a destination's refused events lie. */
export function rejectedPrefix(destination: string): string {
  return `rejected/${destination}/`;
}

/** What a destination refused, in the order of the keys: by organization, day and batch. */
export async function* listRejected(
  { archive, ledger }: RejectedPorts,
  filter: RejectedFilter,
  signal: AbortSignal,
): AsyncGenerator<RejectedEvent> {
  const { destination, org, refusedFrom = 0, refusedTo = Number.POSITIVE_INFINITY, eventIds } = filter;
  const look = async ({ key, storedAt }: ListedObject): Promise<RejectedEvent> => {
    const [row, read] = await Promise.all([ledger.read({ destination, key }, signal), readAt(key)]);
    return { destination, key, refusedAt: storedAt, sent: row?.done === true, ...read };
  };
  const readAt = async (key: string): Promise<Pick<RejectedEvent, 'record' | 'damage'>> => {
    try {
      const stored = await archive.get(key, signal);
      return stored === undefined ? { damage: 'it is gone' } : { record: await readRefused(stored) };
    } catch (error) {
      if (signal.aborted) throw error;
      return { damage: asOrglogError(error, 'storage').message };
    }
  };
  for await (const page of archive.list(rejectedPrefix(destination), {}, signal)) {
    const wanted = page.filter(
      ({ key, storedAt }) =>
        storedAt >= refusedFrom &&
        storedAt <= refusedTo &&
        (org === undefined || key.includes(`/org=${org}/`)),
    );
    for await (const event of mapAhead(wanted, CALLS_AT_ONCE, look)) {
      if (filter.unsentOnly && event.sent) continue;
      if (eventIds !== undefined && !eventIds.has(event.record?.eventId ?? '')) continue;
      yield event;
    }
  }
}

/** How one refused event was dealt with. `asked`: its destination's queue has it; the next delivery sends it. */
export interface RetryStep {
  readonly outcome: 'asked' | 'damaged';
  readonly event: RejectedEvent;
}

/**
 * Ask the destination to take refused events once more, after the cause is mended: a message names the record of each,
 * and the deliver function sends that one event under the identifier that it had. Those that it took since are left
 * out. Safe to repeat: what was taken is in the ledger, and is not sent again.
 */
export async function* retryRejected(
  ports: Pick<Deployment, 'archive' | 'ledger' | 'queue'>,
  filter: RejectedFilter,
  signal: AbortSignal,
): AsyncGenerator<RetryStep> {
  const { archive } = ports;
  const { bucket, region } = archive;
  const queue = ports.queue(filter.destination);
  for await (const event of listRejected(ports, { ...filter, unsentOnly: true }, signal)) {
    const { key, refusedAt, record } = event;
    const head = record && (await archive.head(key, signal));
    if (record === undefined || head === undefined) {
      yield { outcome: 'damaged', event };
      continue;
    }
    // The time that its object's announcement has: the same at every sending.
    const object = await archive.head(record.object, signal);
    const eventTime = (object && fromMetadata(object.metadata)?.eventTime) ?? refusedAt;
    const { etag, size } = head;
    await queue.send(notification({ bucket, region, key, etag, size, eventTime }), signal);
    yield { outcome: 'asked', event };
  }
}
