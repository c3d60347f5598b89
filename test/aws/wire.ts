import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Service → operation → how many requests arrived, retries included. */
export type WireCounts = Record<string, Record<string, number>>;

/**
 * What befalls the next requests of one operation. `status`: answered so, without effect. `refuse`: the connection is
 * closed, without effect. `lose-answer`: it takes effect, then the connection is closed. `cut-answer`: the same after
 * half of the answer's body. `hang`: never answered, without effect. `answer`: this body, without effect.
 */
export type Fault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'refuse' | 'lose-answer' | 'cut-answer' | 'hang' };

/** Which service and operation a request asks for, from its line and headers alone. */
export type Classify = (request: IncomingMessage) => { readonly service: string; readonly operation: string };

/**
 * Sits between a server's socket and its own request listener, in the same process: counting and faults cost no hop,
 * so that timings through it mean something.
 */
export class Wire {
  #counts: WireCounts = {};
  readonly #faults = new Map<string, Fault[]>();

  counts(): WireCounts {
    return this.#counts;
  }

  /** Forget all counts and all faults not yet used. */
  reset(): void {
    this.#counts = {};
    this.#faults.clear();
  }

  /** The next `times` requests of `operation` (any service: names do not collide) meet this. */
  fail(operation: string, fault: Fault, times: number): void {
    const queued = this.#faults.get(operation) ?? [];
    for (let n = 0; n < times; n += 1) queued.push(fault);
    this.#faults.set(operation, queued);
  }

  /** Put a listener behind the wire. */
  wrap(classify: Classify, listener: RequestListener): RequestListener {
    return (request, response) => {
      const { service, operation } = classify(request);
      const counts = this.#counts[service] ?? {};
      this.#counts[service] = counts;
      counts[operation] = (counts[operation] ?? 0) + 1;
      const fault = this.#faults.get(operation)?.shift();
      if (fault === undefined || befall(fault, request, response)) listener(request, response);
    };
  }

  /** Put the listeners that a server already has behind the wire. */
  tap(server: Server, classify: Classify): void {
    const listeners = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on(
      'request',
      this.wrap(classify, (request, response) => {
        for (const listener of listeners) listener.call(server, request, response);
      }),
    );
  }
}

/** Returns whether the service is to see the request. */
function befall(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'status':
    case 'answer': {
      // The body is read first: a client still sending would see a reset instead of the answer.
      request.resume();
      request.once('end', () => {
        response.statusCode = fault.status;
        response.end(fault.kind === 'answer' ? fault.body : '');
      });
      return false;
    }
    case 'refuse':
      request.socket.destroy();
      return false;
    case 'hang':
      request.resume();
      return false;
    case 'lose-answer':
      response.writeHead = () => response;
      response.write = () => true;
      response.end = () => {
        request.socket.destroy();
        return response;
      };
      return true;
    case 'cut-answer':
      cutAnswer(response);
      return true;
  }
}

function cutAnswer(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: Uint8Array, done: () => void) => boolean;
  response.end = ((chunk?: Uint8Array | string) => {
    const bytes = Buffer.from(chunk ?? '');
    if (!response.headersSent) response.setHeader('content-length', bytes.length);
    write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
    return response;
  }) as ServerResponse['end'];
}

/** The AWS JSON protocol names the operation in a header: `AmazonSQS.SendMessage`. */
export function jsonOperation(request: IncomingMessage): string | undefined {
  const target = request.headers['x-amz-target'];
  return typeof target === 'string' ? target.slice(target.lastIndexOf('.') + 1) : undefined;
}
