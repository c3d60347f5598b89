import { type Elasticsearch, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import type { SinkFault, SinkName } from './plan.ts';

export const SPLUNK_TOKEN = 'token-of-splunk';
export const ELASTIC_KEY = 'key-of-elastic';

/** One event in a sink, each time that it came. */
export interface Arrival {
  readonly eventId: string;
  /** The event's own text. */
  readonly line: string;
  /** The request that brought it; absent where the sink keeps one of each identifier. */
  readonly request?: SinkRequest;
}

/** One request that a sink got. */
export interface SinkRequest {
  /** Epoch ms, by the machine's clock. */
  readonly atMs: number;
  /** Whether the sender was kept from learning that it took effect, or that all of it did. */
  readonly isDoubtful: boolean;
}

/** Both sinks of one world, which forget nothing and are not killed. */
export class Sinks implements AsyncDisposable {
  readonly #splunk: SplunkHec;
  readonly #elastic: Elasticsearch;
  /** How many events HEC held when each of its requests came. */
  readonly #before: number[] = [];
  readonly #requests: SinkRequest[] = [];

  private constructor(splunk: SplunkHec, elastic: Elasticsearch) {
    this.#splunk = splunk;
    this.#elastic = elastic;
    this.#watch();
  }

  static async start(): Promise<Sinks> {
    const splunk = await startSplunkHec({ tokens: [{ token: SPLUNK_TOKEN }] });
    const elastic = await startElasticsearch({ credentials: [{ apiKey: ELASTIC_KEY }] });
    return new Sinks(splunk, elastic);
  }

  urlOf(sink: SinkName): string {
    return sink === 'splunk' ? this.#splunk.url : this.#elastic.url;
  }

  fail(sink: SinkName, fault: SinkFault, times: number): void {
    if (fault.kind !== 'partial') {
      this.#faultsOf(sink).add(fault, { times });
      return;
    }
    const { share } = fault;
    if (sink === 'splunk') {
      this.#splunk.faults.add({ kind: 'busy', taken: Math.floor(share * 100) }, { times });
      return;
    }
    const error = { type: 'es_rejected_execution_exception', reason: 'the queue is full' };
    // Which ones is a matter of their place: as reproducible as the request is.
    const failing = (_: unknown, position: number) =>
      (position * 0.618034) % 1 < share ? { status: 429, error } : undefined;
    this.#elastic.faults.add({ kind: 'items', failing, takesEffect: share < 0.3 }, { times });
  }

  calm(): void {
    this.#splunk.faults.clear();
    this.#elastic.faults.clear();
    this.#watch();
  }

  /** How many events came, repeats included. */
  count(sink: SinkName): number {
    return sink === 'splunk' ? this.#splunk.events.length : this.#documents().length;
  }

  arrivals(sink: SinkName): Arrival[] {
    if (sink === 'elastic') {
      return this.#documents().map(({ id, source }) => ({
        eventId: id,
        line: String(JSON.parse(source).event.original),
      }));
    }
    let request = 0;
    return this.#splunk.events.map(({ event, fields }, at) => {
      while ((this.#before[request + 1] ?? Number.POSITIVE_INFINITY) <= at) request++;
      const brought = this.#requests[request];
      const eventId = String(JSON.parse(fields.event_id ?? '""'));
      return { eventId, line: event, ...(brought && { request: brought }) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#splunk.close();
    await this.#elastic.close();
  }

  #documents() {
    return this.#elastic.documents('logs-orglog.*-default');
  }

  #faultsOf(sink: SinkName) {
    return sink === 'splunk' ? this.#splunk.faults : this.#elastic.faults;
  }

  /** A fault that befalls nothing, but is asked about each request just before that is carried out. */
  #watch(): void {
    const { faults, events, requests } = this.#splunk;
    const on = () => {
      this.#before.push(events.length);
      const request = { atMs: Date.now(), isDoubtful: false };
      this.#requests.push(request);
      // The stand-in notes in this same turn what befell it.
      queueMicrotask(() => {
        const { fault } = requests.at(-1) ?? {};
        request.isDoubtful = fault !== undefined && fault !== 'delay';
      });
      return false;
    };
    faults.add({ kind: 'delay', delayMs: 0 }, { times: Number.POSITIVE_INFINITY, on });
  }
}
