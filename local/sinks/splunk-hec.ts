import { concatenatedJson, parsed } from './concatenated-json.ts';
import { Acknowledgements, type AckPoll } from './hec-acknowledgements.ts';
import { type HecCode, hecAnswer, hecAnswerOf } from './hec-answers.ts';
import { type HecEvent, hecEvent, type IndexRules } from './hec-event.ts';
import {
  type SinkAnswer,
  type SinkCall,
  type SinkServer,
  type SinkServerOptions,
  type SinkService,
  startSinkServer,
} from './sink-server.ts';

/** Splunk Cloud's limit for a request's content. */
const CLOUD_MAX_BYTES = 1_048_576;
const EVENT_PATH = /^\/services\/collector(\/event)?(\/1\.0)?$/;
const ACK_PATH = /^\/services\/collector\/ack(\/1\.0)?$/;
const HEALTH_PATH = /^\/services\/collector\/health(\/1\.0)?$/;
const GUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

export interface HecToken extends IndexRules {
  readonly token: string;
  /** Refused with code 1. */
  readonly disabled?: boolean;
  /** Indexer acknowledgement: every request needs a channel, and is answered with an `ackId`. */
  readonly acknowledges?: boolean;
}

/** Misbehaviour that only HEC is capable of. */
export type HecFault =
  /**
   * The queue fills in the middle: `taken` events are indexed, then 503 code 9 with the next one's number
   * (open-telemetry/opentelemetry-collector-contrib#36113).
   */
  | { readonly kind: 'busy'; readonly taken: number }
  /** Poison: the first event that `which` picks is refused with `code`, as one that breaks a rule would be. */
  | { readonly kind: 'refuse'; readonly code: HecCode; readonly which: (event: HecEvent) => boolean }
  /** 200, and the events are gone (HEC's 200 precedes indexing); with acknowledgement, they are never acknowledged. */
  | { readonly kind: 'lose' };

export interface HecOptions extends Omit<SinkServerOptions, 'maxBytes'> {
  readonly tokens: readonly HecToken[];
  /** Default 1 MiB, Splunk Cloud's limit; it is held against the body as sent and as inflated. */
  readonly maxBytes?: number;
  /**
   * What a refused event does to those before it in the request. `keep-earlier` (default) is what Splunk does: they
   * are indexed, and nothing after it is read (moby/moby#35862, reproduced there with two requests).
   * `drop-all`: none is, so that a sender that counts on the former is found out.
   */
  readonly invalidBatch?: 'keep-earlier' | 'drop-all';
  /** Whether a request is indexed by the time of this poll. Default: always. */
  readonly indexed?: (poll: AckPoll) => boolean;
}

/** The stand-in for Splunk's HTTP Event Collector, listening. */
export interface SplunkHec extends SinkServer<HecFault> {
  /** What was indexed, in order, repeats included. */
  readonly events: readonly HecEvent[];
  /** What `/services/collector/health` says. */
  setHealthy(healthy: boolean): void;
}

/** Start the stand-in. Rejects when the port is in use. */
export async function startSplunkHec(options: HecOptions): Promise<SplunkHec> {
  const collector = new Collector(options);
  const server = await startSinkServer(collector, { maxBytes: CLOUD_MAX_BYTES, ...options });
  return {
    ...server,
    events: collector.events,
    setHealthy: (healthy) => {
      collector.healthy = healthy;
    },
  };
}

class Collector implements SinkService<HecFault> {
  readonly events: HecEvent[] = [];
  healthy = true;
  readonly #tokens: readonly HecToken[];
  readonly #keepEarlier: boolean;
  readonly #acknowledgements: Acknowledgements;

  constructor({ tokens, invalidBatch = 'keep-earlier', indexed = () => true }: HecOptions) {
    this.#tokens = tokens;
    this.#keepEarlier = invalidBatch === 'keep-earlier';
    this.#acknowledgements = new Acknowledgements(indexed);
  }

  handle(call: SinkCall, fault: HecFault | undefined): SinkAnswer {
    if (call.method === 'GET' && HEALTH_PATH.test(call.path)) return hecAnswer(this.healthy ? 17 : 18);
    const asks = ACK_PATH.test(call.path);
    if (!asks && !EVENT_PATH.test(call.path))
      return notHec(404, 'The requested URL was not found on this server.');
    if (call.method !== 'POST') return notHec(405, 'Method Not Allowed');
    const token = this.#authenticate(call);
    if (typeof token === 'number') return hecAnswer(token);
    const channel = channelOf(call);
    if (asks) return this.#answerPoll(call, token, channel);
    if (channel === undefined && token.acknowledges) return hecAnswer(10);
    if (channel !== undefined && !GUID.test(channel)) return hecAnswer(11);
    const refusal = this.#take(call.body.toString('utf8'), token, fault);
    if (refusal !== undefined) return refusal;
    if (channel === undefined || !token.acknowledges) return hecAnswer(0);
    return hecAnswer(0, { ackId: this.#acknowledgements.issue(channel, fault?.kind === 'lose') });
  }

  unreadable(reason: 'too-large' | 'not-gzip' | 'unknown-encoding'): SinkAnswer {
    if (reason === 'too-large') return hecAnswer(27);
    return reason === 'not-gzip' ? hecAnswer(6) : notHec(415, 'Unsupported Media Type');
  }

  answerOf(status: number): SinkAnswer {
    return hecAnswerOf(status);
  }

  /** Index a request's events. Answers only where one is refused. */
  #take(body: string, token: HecToken, fault: HecFault | undefined): SinkAnswer | undefined {
    const taken: HecEvent[] = [];
    let refusal: SinkAnswer | undefined;
    for (const object of concatenatedJson(body)) {
      const event = object === undefined ? 6 : hecEvent(object, token);
      const code = typeof event === 'number' ? event : refusedBy(fault, event, taken.length);
      if (code !== undefined) {
        refusal = hecAnswer(code, { invalidEventNumber: taken.length });
        break;
      }
      if (typeof event !== 'number') taken.push(event);
    }
    if (fault?.kind !== 'lose' && (refusal === undefined || this.#keepEarlier)) {
      for (const event of taken) this.events.push(event);
    }
    return refusal ?? (taken.length === 0 ? hecAnswer(5) : undefined);
  }

  #answerPoll(call: SinkCall, token: HecToken, channel: string | undefined): SinkAnswer {
    if (!token.acknowledges) return hecAnswer(14);
    if (channel === undefined) return hecAnswer(10);
    if (!GUID.test(channel)) return hecAnswer(11);
    const asked = parsed(call.body.toString('utf8'));
    const acks = typeof asked === 'object' && asked !== null && 'acks' in asked ? asked.acks : undefined;
    if (!Array.isArray(acks) || !acks.every((each) => Number.isSafeInteger(each))) return hecAnswer(6);
    return { status: 200, body: { acks: this.#acknowledgements.ask(channel, acks) } };
  }

  #authenticate({ headers, query }: SinkCall): HecToken | HecCode {
    const { authorization } = headers;
    if (authorization === undefined) return query.has('token') ? 16 : 2;
    const given = /^Splunk +(\S+)$/i.exec(authorization)?.[1];
    if (given === undefined) return 3;
    const known = this.#tokens.find(({ token }) => token === given);
    if (known === undefined) return 4;
    return known.disabled ? 1 : known;
  }
}

function refusedBy(fault: HecFault | undefined, event: HecEvent, taken: number): HecCode | undefined {
  if (fault?.kind === 'busy' && taken >= fault.taken) return 9;
  if (fault?.kind === 'refuse' && fault.which(event)) return fault.code;
  return undefined;
}

function channelOf({ headers, query }: SinkCall): string | undefined {
  const header = headers['x-splunk-request-channel'];
  return (Array.isArray(header) ? header[0] : header) ?? query.get('channel') ?? undefined;
}

/** What the web server before HEC says. */
function notHec(status: number, text: string): SinkAnswer {
  return { status, body: { text, code: status } };
}
