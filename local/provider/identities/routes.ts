import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import { jsonAnswer, Refusal } from '../answer.ts';
import { authenticate, type ProviderCredential } from '../auth.ts';
import { inTransaction } from '../database.ts';
import { answerDescription } from '../logs-schemas.ts';
import { deliver } from '../wire.ts';
import { linkOperations } from './link-operations.ts';
import type { IdentityHalf, Operation } from './operation.ts';
import { type Caller, notAuthorized } from './permissions.ts';
import { readOperations } from './read-operations.ts';
import { identitySchemas } from './schemas.ts';
import { writeOperations } from './write-operations.ts';

export interface IdentityRouteOptions {
  readonly db: DatabaseSync;
  readonly half: IdentityHalf;
  readonly credentials: readonly ProviderCredential[];
  readonly callers: ReadonlyMap<ProviderCredential, Caller>;
  readonly now: () => number;
}

const REFUSALS = {
  401: answerDescription('ErrorDetail', 'Credentials or permissions do not allow the call'),
  404: answerDescription('ErrorDetail', 'The identity, collection or credential does not exist'),
  409: answerDescription('ErrorDetail', 'An address, collection or credential exists already'),
  422: answerDescription('HTTPValidationError', 'Path, query or body fails validation'),
  500: answerDescription('ErrorDetail', 'Database failure'),
} as const;

/**
 * The 13 operations of `/identities/v1`. Checks come in this order: 401 (credential), 422 (all parts of the request),
 * 401 (permission), 404, 401 (permission where the identity is; authorities), 422 (forbidden authority), 409.
 */
export async function identityRoutes(app: FastifyInstance, options: IdentityRouteOptions): Promise<void> {
  const { db, half, credentials, callers, now } = options;
  for (const schema of identitySchemas(half.uidField)) app.addSchema(schema);
  // Bodies are looked at together with path and query, so that all faults are told at once.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setErrorHandler(async (error, request, reply) => {
    await deliver(request, reply, error instanceof Refusal ? error.answer : failure(error));
    return reply;
  });

  for (const operation of [...readOperations(half), ...writeOperations(half), ...linkOperations(half)]) {
    app.route({
      method: operation.method,
      url: operation.url,
      schema: describe(operation),
      onRequest: async (request) => {
        callerOf(request.headers.authorization);
      },
      handler: async (request, reply) => {
        const caller = callerOf(request.headers.authorization);
        const { params: path, query, body, headers } = request;
        const parts = { path, query, body, contentType: headers['content-type'] };
        const occasion = { atMs: now(), clientIP: request.ip, newUuid: randomUUID };
        const answer = inTransaction(db, () => operation.run(caller, parts, occasion));
        await deliver(request, reply, answer);
        return reply;
      },
    });
  }

  function callerOf(authorization: string | undefined): Caller {
    const caller = callers.get(authenticate(authorization, credentials));
    if (caller === undefined) throw notAuthorized();
    return caller;
  }
}

function describe({ params, querystring, body, operationId, summary, success, refusals }: Operation) {
  const [status, schema] = success;
  const done =
    schema === undefined ? { type: 'null', description: 'Done' } : answerDescription(schema, 'Done');
  return {
    tags: ['identities'],
    operationId,
    summary,
    security: [{ basic: [] }],
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(body && { body: { $ref: `${body}#` } }),
    response: {
      [status]: done,
      ...Object.fromEntries(([401, ...refusals, 500] as const).map((each) => [each, REFUSALS[each]])),
    },
  };
}

/** What is no refusal is trouble inside; the framework's own complaints keep their status. */
function failure(error: unknown) {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500) return jsonAnswer(status, { detail: 'The request cannot be read' });
  return jsonAnswer(500, { detail: 'Database error: the operation failed and changed nothing' });
}
