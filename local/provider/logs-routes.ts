import type { FastifyInstance } from 'fastify';
import { jsonAnswer, Refusal } from './answer.ts';
import { authenticate, type ProviderCredential } from './auth.ts';
import type { Fault } from './faults.ts';
import { FORBIDDEN, INTERNAL, INVALID, LOG_PAGE, ORG_URLS, UNAUTHORIZED } from './logs-schemas.ts';
import { type PageBody, renderPage, withToken } from './page-body.ts';
import { checkLogQuery, type LogQuery, logQueryJsonSchema } from './query.ts';
import type { LogStore } from './store.ts';
import { deliver } from './wire.ts';

const WINDOW_MS = 60 * 60 * 1000;

/** What the log half works with. */
export interface LogRouteOptions {
  readonly store: LogStore;
  readonly credentials: readonly ProviderCredential[];
  readonly now: () => number;
  readonly tokenRetentionMs: number;
}

/** Both operations of `/logs/v1`. Checks come in this order: 401, 422 (parameters), 403, 422 (unknown token). */
export async function logRoutes(app: FastifyInstance, options: LogRouteOptions): Promise<void> {
  const { store, credentials, now } = options;
  const callers = new WeakMap<object, ProviderCredential>();
  app.addHook('onRequest', async (request) => {
    callers.set(request, authenticate(request.headers.authorization, credentials));
  });

  app.get(
    '/orgUrls',
    {
      schema: {
        operationId: 'listOrgUrls',
        summary: 'The orgUrl values that the credential may use',
        security: [{ basic: [] }],
        response: { 200: ORG_URLS, 401: UNAUTHORIZED, 500: INTERNAL },
      },
    },
    async (request, reply) => {
      const orgUrls = callers.get(request)?.orgUrls ?? [];
      await deliver(request, reply, jsonAnswer(200, { orgUrls }));
      return reply;
    },
  );

  app.get<{ Querystring: LogQuery }>(
    '/orgLogs',
    {
      validatorCompiler: () => checkLogQuery,
      schema: {
        operationId: 'listOrgLogs',
        summary: 'Log events of one organization',
        security: [{ basic: [] }],
        querystring: logQueryJsonSchema(),
        response: { 200: LOG_PAGE, 401: UNAUTHORIZED, 403: FORBIDDEN, 422: INVALID, 500: INTERNAL },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const permitted = callers.get(request)?.orgUrls.includes(query.orgUrl);
      if (!permitted || !store.has(query.orgUrl)) {
        throw new Refusal(403, 'Credential not authorized for the given organization');
      }
      const url = `${request.protocol}://${request.host}${request.raw.url ?? ''}`;
      const body = renderPage(readPage(options, query, url, request.call.fault));
      await deliver(request, reply, { status: 200, body });
      return reply;
    },
  );

  function readPage(
    { tokenRetentionMs }: LogRouteOptions,
    { orgUrl, nextToken, limit, ...filters }: LogQuery,
    ref: string,
    fault: Fault | undefined,
  ): PageBody {
    const at = now();
    const after = nextToken === undefined ? store.positionBefore(orgUrl, at - WINDOW_MS) : follow(nextToken);
    const page =
      after === undefined
        ? { bytes: new Uint8Array(), count: 0, examined: 0 }
        : store.page(orgUrl, after, limit, filters);
    let token = nextToken ?? null;
    if (after !== undefined && page.examined > after) token = store.issueToken(orgUrl, page.examined, at);
    const told = tokenUnder(fault, token, nextToken ?? null);
    return {
      ref,
      next: withToken(ref, told),
      nextToken: told,
      count: page.count,
      events: page.bytes,
      shape: fault?.kind === 'pretty' ? 'pretty' : fault?.kind === 'shifted-order' ? 'shifted' : 'plain',
    };

    function follow(token: string): number {
      const found = store.findToken(orgUrl, token);
      if (found === undefined || found.issuedMs < at - tokenRetentionMs) {
        const msg = 'The token is not known, or no longer';
        throw new Refusal(422, [{ loc: ['query', 'nextToken'], msg, type: 'unknown_token' }]);
      }
      return found.position;
    }
  }
}

function tokenUnder(
  fault: Fault | undefined,
  token: string | null,
  supplied: string | null,
): string | null | undefined {
  switch (fault?.kind) {
    case 'repeated-token':
      return supplied;
    case 'null-token':
      return null;
    case 'missing-token':
      return undefined;
    default:
      return token;
  }
}
