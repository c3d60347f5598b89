import type { AddressInfo } from 'node:net';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { jsonAnswer, Refusal } from './answer.ts';
import type { ProviderCredential } from './auth.ts';
import { type RecordedRequest, RequestLog, targetOf } from './calls.ts';
import { openDatabase } from './database.ts';
import type { LogEvent, RawEvent } from './event.ts';
import { FaultScript } from './faults.ts';
import { checkUidField, createIdentityHalf } from './identities/half.ts';
import { callersOf } from './identities/permissions.ts';
import type { ProviderIdentities } from './identities/provider-identities.ts';
import { identityRoutes } from './identities/routes.ts';
import { logRoutes } from './logs-routes.ts';
import { LOG_SCHEMAS } from './logs-schemas.ts';
import { LogStore, toRawEvent } from './store.ts';
import { deliver, holdBack, insteadOfService, reset } from './wire.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOT_FOUND = jsonAnswer(404, { detail: 'Not Found' });
const REQUESTS_KEPT = 10_000;
/** Search terms and identifiers may be as long as a URL can be. */
const LONGEST_PARAMETER = 16_384;

export interface ProviderOptions {
  /** `':memory:'`, or a path: the state survives a killed process; no two processes may share it. */
  readonly file: string;
  readonly organizations: readonly {
    readonly orgUrl: string;
    readonly orgDomain: string;
    readonly tenant?: string;
  }[];
  readonly credentials: readonly ProviderCredential[];
  /** Epoch ms; default `Date.now`. */
  readonly now?: () => number;
  /** Tokens issued longer ago are answered with 422. Default: 90 days, as long as providers keep logs. */
  readonly tokenRetentionMs?: number;
  /** What a deployment calls the identifier of an identity, in bodies and sort keys. Default: `serviceUid`. */
  readonly uidField?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

/** The provider stand-in, listening. */
export interface Provider extends AsyncDisposable {
  /** `{base_url}` of the interface documents: no slash at the end. */
  readonly url: string;
  /** Append events to an organization's log in the order given: all, or none. */
  append(orgUrl: string, events: Iterable<LogEvent>): void;
  /** The same with JSON texts of the caller's choosing, which are served unchanged. */
  appendRaw(orgUrl: string, events: Iterable<RawEvent>): void;
  count(orgUrl: string): number;
  /** Highest event time in the log, epoch ms; `undefined` when it is empty. */
  newestMs(orgUrl: string): number | undefined;
  /** Each stored event's JSON text in log order: what must arrive. */
  lines(orgUrl: string): Iterable<string>;
  /** A token after which the log is read from its very first event on, however old. */
  startToken(orgUrl: string): string;
  /** Identities, beyond what the interface offers. */
  readonly identities: ProviderIdentities;
  /** Misbehaviour to come. */
  readonly faults: FaultScript;
  /** The last 10,000 calls under `/logs/` and `/identities/`. */
  readonly requests: readonly RecordedRequest[];
  /** Stop at once: connections that are open are ended. */
  close(): Promise<void>;
}

/** Start the stand-in. Throws an `OrglogError` when its file is in use; rejects when the port is. */
export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const { now = Date.now, tokenRetentionMs = 90 * DAY_MS, port = 0, host = '127.0.0.1' } = options;
  const { organizations, credentials, uidField = 'serviceUid' } = options;
  checkUidField(uidField);
  const callers = callersOf(credentials, organizations);
  const db = openDatabase(options.file);
  const store = new LogStore(db);
  for (const { orgUrl } of organizations) store.addOrganization(orgUrl);
  const append = (orgUrl: string, events: Iterable<LogEvent>) =>
    store.append(orgUrl, Iterator.from(events).map(toRawEvent));
  const { half, administration } = createIdentityHalf({ db, organizations, uidField, now, append });
  const faults = new FaultScript();
  const requests = new RequestLog(REQUESTS_KEPT);
  const closing = new AbortController();

  const app = Fastify({
    exposeHeadRoutes: false,
    // A path that is not percent-encoded as it must be is no path of the interface.
    frameworkErrors: (_error, _request, reply) => {
      const { status, body } = NOT_FOUND;
      reply.hijack();
      reply.raw.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
      reply.raw.end(body);
    },
    forceCloseConnections: true,
    // Answers leave as bytes (wire.ts): the response schemas describe them, the tests check them.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
  });
  await describe(app);
  interceptCalls(app, { faults, requests, now, closing: closing.signal });
  await app.register(logRoutes, {
    prefix: '/logs/v1',
    store,
    credentials,
    now,
    tokenRetentionMs,
  });
  await app.register(identityRoutes, { prefix: '/identities/v1', db, half, credentials, callers, now });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());

  const close = async () => {
    closing.abort();
    await app.close();
    if (db.isOpen) db.close();
  };
  try {
    await app.listen({ port, host });
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;

  return {
    url: `http://${name}:${address.port}`,
    append,
    appendRaw: (orgUrl, events) => store.append(orgUrl, events),
    count: (orgUrl) => store.count(orgUrl),
    newestMs: (orgUrl) => store.newestMs(orgUrl),
    lines: (orgUrl) => store.lines(orgUrl),
    startToken: (orgUrl) => store.issueToken(orgUrl, 0, now()),
    identities: administration,
    faults,
    requests: requests.records,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function describe(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Identity Log Retrieval API', version: '1.0.3' },
      tags: [{ name: 'identities', description: 'Identity Records API, version 1.1.0' }],
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
  // The identity half speaks of errors in the same schemas.
  for (const schema of LOG_SCHEMAS) app.addSchema(schema);
}

interface Interception {
  readonly faults: FaultScript;
  readonly requests: RequestLog;
  readonly now: () => number;
  readonly closing: AbortSignal;
}

/** Record each call, let its fault have its way, and give every refusal its documented body. */
function interceptCalls(app: FastifyInstance, { faults, requests, now, closing }: Interception): void {
  app.addHook('onRequest', async (request, reply) => {
    const target = targetOf(request);
    const served = /^\/(logs|identities)\//.test(target.path);
    const fault = served ? faults.take(target) : undefined;
    const record: RecordedRequest = { ...target, atMs: now(), ...(fault && { fault: fault.kind }) };
    request.call = { record, fault, closing };
    // Its own time, not the machine's: callers compare clocks by it.
    reply.raw.setHeader('date', new Date(record.atMs).toUTCString());
    if (served) requests.add(record);
    if (fault === undefined) return;
    if (fault.delayMs !== undefined && !(await holdBack(request, reply, fault.delayMs))) return;
    if (fault.kind === 'reset') return reset(request, reply);
    const answer = insteadOfService(fault);
    if (answer !== undefined) {
      await deliver(request, reply, answer);
      return reply;
    }
  });
  app.setErrorHandler(async (error, request, reply) => {
    const answer = error instanceof Refusal ? error.answer : jsonAnswer(500, { detail: 'Internal error' });
    await deliver(request, reply, answer);
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    await deliver(request, reply, NOT_FOUND);
    return reply;
  });
}
