import type { FastifyRequest } from 'fastify';
import type { Fault, FaultTarget } from './faults.ts';

/** One call as the tests see it. Credentials are not kept. */
export interface RecordedRequest extends FaultTarget {
  /** Epoch ms by the stand-in's clock. */
  readonly atMs: number;
  /** The fault that befell it. */
  readonly fault?: Fault['kind'];
  /** Absent while it is being answered, and when it was reset or left unanswered. */
  status?: number;
}

/** What goes with a request on its way through the hooks. */
interface Call {
  readonly record: RecordedRequest;
  readonly fault: Fault | undefined;
  /** Fires when the stand-in is closed. */
  readonly closing: AbortSignal;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

/** Keeps the last `limit` calls. */
export class RequestLog {
  readonly #limit: number;
  readonly #records: RecordedRequest[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get records(): readonly RecordedRequest[] {
    return this.#records;
  }

  add(record: RecordedRequest): void {
    if (this.#records.length >= this.#limit) this.#records.shift();
    this.#records.push(record);
  }
}

/** What a fault's condition and the record say of a request. A parameter given twice shows its last value. */
export function targetOf(request: FastifyRequest): FaultTarget {
  const url = request.raw.url ?? '';
  const [path = ''] = url.split('?', 1);
  const query = new URLSearchParams(url.slice(path.length));
  return { method: request.method, path, query: Object.fromEntries(query) };
}
