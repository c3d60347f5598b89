import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type SplunkSettings, splunkEncoder } from '../core/delivery/splunk-event.ts';
import type { Clock } from '../core/ports.ts';
import type { SendOutcome, Sink, SinkRequest } from '../core/ports-delivery.ts';
import { jsonOf } from './answer-parts.ts';
import { hecOutcome } from './hec-answer.ts';
import { gzipped, SinkConnection, type SinkConnectionOptions } from './sink-connection.ts';

export interface SplunkHecSinkOptions extends SinkConnectionOptions, SplunkSettings {
  readonly clock: Clock;
  /** Wait until the events are indexed (Splunk Enterprise only; the token must have acknowledgement switched on). */
  readonly acknowledge?: boolean;
  /** How long. Default 20,000. */
  readonly acknowledgeWithinMs?: number;
}

/** Splunk Cloud's limit of a request's content, and what Splunk advises elsewhere: 1 MB, before compression. */
const MAX_REQUEST_BYTES = 1_000_000;
/** HEC parses a request on one thread. */
const MAX_REQUEST_EVENTS = 10_000;

const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 2_000;

const acknowledged = z.lazy(() => z.object({ acks: z.record(z.string(), z.boolean()) }));

/**
 * Splunk's HTTP Event Collector. Its 200 says that the events were taken in, not that they are indexed; with
 * acknowledgement on, a request counts as accepted only once they are.
 */
export function createSplunkHecSink(options: SplunkHecSinkOptions): Sink & AsyncDisposable {
  const connection = new SinkConnection(options);
  const { clock, acknowledge = false, acknowledgeWithinMs = 20_000 } = options;
  const channel = randomUUID();
  const headers = {
    'content-type': 'application/json',
    ...(acknowledge && { 'x-splunk-request-channel': channel }),
  };

  const isIndexed = async (ackId: number, signal: AbortSignal): Promise<boolean> => {
    const body = Buffer.from(JSON.stringify({ acks: [ackId] }));
    const answer = await connection.post(`/services/collector/ack?channel=${channel}`, body, headers, signal);
    if (answer.kind !== 'answer' || answer.status !== 200) return false;
    return acknowledged.safeParse(jsonOf(answer)).data?.acks[String(ackId)] ?? false;
  };

  const waitUntilIndexed = async (ackId: number | undefined, signal: AbortSignal): Promise<SendOutcome> => {
    if (ackId === undefined) {
      const reason =
        'HEC gave no acknowledgement number: switch acknowledgement on for the token, or off in the settings';
      return { kind: 'configuration', reason };
    }
    const until = clock.now() + acknowledgeWithinMs;
    for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(LONGEST_POLL_MS, delayMs * 2)) {
      if (await isIndexed(ackId, signal)) return { kind: 'accepted' };
      if (clock.now() + delayMs > until) {
        return {
          kind: 'retry',
          reason: `HEC did not acknowledge the events within ${acknowledgeWithinMs} ms`,
        };
      }
      await clock.sleep(delayMs, signal);
    }
  };

  return {
    limits: { bytes: MAX_REQUEST_BYTES, events: MAX_REQUEST_EVENTS },
    encode: splunkEncoder(options),
    pack: gzipped,
    async send({ body, count }: SinkRequest, signal: AbortSignal): Promise<SendOutcome> {
      const sent = { ...headers, 'content-encoding': 'gzip' };
      const answer = await connection.post('/services/collector/event', body, sent, signal);
      const { outcome, ackId } = hecOutcome(answer, count, clock.now());
      return acknowledge && outcome.kind === 'accepted' ? await waitUntilIndexed(ackId, signal) : outcome;
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
