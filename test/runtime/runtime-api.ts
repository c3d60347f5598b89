import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Listening, listen } from '../aws/listen.ts';

/** One invocation, as Lambda hands it to the runtime. */
interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  /** Epoch ms at which Lambda would end the function. */
  readonly deadlineMs: number;
  readonly functionArn: string;
}

/** How the runtime reports an error: `trace` are the lines of its stack. */
interface RuntimeError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** How an invocation ended: `init-error` where the function's code could not even be loaded. */
export type Outcome =
  | { readonly kind: 'response'; readonly body: unknown }
  | { readonly kind: 'error' | 'init-error'; readonly error: RuntimeError };

/** The side of the Lambda Runtime API that Lambda keeps to itself. */
export interface RuntimeApi extends AsyncDisposable {
  /** What a runtime finds in `AWS_LAMBDA_RUNTIME_API`: host and port. */
  readonly address: string;
  /** Hands it to the runtime once that asks for the next. */
  invoke(invocation: Invocation): Promise<Outcome>;
}

const PREFIX = '/2018-06-01/runtime';

/**
 * The Lambda Runtime API on loopback, for one container: one invocation at a time, in the order they were made.
 * Protocol: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  const waiting: Invocation[] = [];
  const underWay = new Map<string, (outcome: Outcome) => void>();
  let asking: ServerResponse | undefined;
  let initError: Outcome | undefined;

  function handOver(): void {
    if (asking === undefined) return;
    const invocation = waiting.shift();
    if (invocation === undefined) return;
    asking.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.requestId,
      'lambda-runtime-deadline-ms': String(invocation.deadlineMs),
      'lambda-runtime-invoked-function-arn': invocation.functionArn,
      'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
    });
    asking.end(JSON.stringify(invocation.event));
    asking = undefined;
  }

  function end(requestId: string, outcome: Outcome): boolean {
    const settle = underWay.get(requestId);
    underWay.delete(requestId);
    settle?.(outcome);
    return settle !== undefined;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${request.method} ${request.url?.replace(PREFIX, '')}`;
    if (path === 'GET /invocation/next') {
      asking = response;
      handOver();
      return;
    }
    const body = await json(request);
    const [, requestId = '', what] = /^POST \/invocation\/([\w-]+)\/(response|error)$/.exec(path) ?? [];
    let known = false;
    if (what === 'response') known = end(requestId, { kind: 'response', body });
    if (what === 'error') known = end(requestId, { kind: 'error', error: body as RuntimeError });
    if (path === 'POST /init/error') {
      initError = { kind: 'init-error', error: body as RuntimeError };
      for (const id of underWay.keys()) end(id, initError);
      known = true;
    }
    response.writeHead(known ? 202 : 400, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(known ? { status: 'OK' } : { errorType: 'InvalidRequest', errorMessage: path }),
    );
  }

  const server: Listening = await listen(
    createServer((request, response) => void answer(request, response).catch(() => response.destroy())),
  );
  return {
    address: new URL(server.url).host,
    invoke(invocation) {
      if (initError !== undefined) return Promise.resolve(initError);
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      underWay.set(invocation.requestId, resolve);
      waiting.push(invocation);
      handOver();
      return promise;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
