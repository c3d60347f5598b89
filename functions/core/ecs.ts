import { isAddress } from './ecs/address.ts';
import {
  DATASET,
  ECS_VERSION,
  type EcsDocument,
  LOG_DATA_TAG,
  NO_TIMESTAMP_TAG,
  NOT_JSON,
  OBSERVER,
  TAGS,
} from './ecs/document.ts';
import { canBeFlattened } from './ecs/log-data.ts';
import { utcTimestamp } from './ecs/timestamp.ts';
import { distinct, isObject, isText, type Members, parsedLine } from './ecs/values.ts';
import { meaningOf, UNLISTED } from './vocabulary.ts';

/** What the event itself does not say. */
export interface EcsContext {
  /** The organization's identifier in the settings. */
  readonly org: string;
  /** `<org>:<stream>:<epoch>:<sequence>:<line>`. */
  readonly eventId: string;
  /** Epoch ms to go by where the event has no readable time: when it was collected. */
  readonly collectedAt: number;
}

/** Where `logData` names what was signed in to, the most exact name first. Deployed logs spell the first in two ways. */
export const APPLICATION_KEYS = ['spEntityId', 'spentityid', 'cas_service', 'client_id', 'sp'] as const;
/** Where `logData` says why. */
export const REASON_KEYS = ['error', 'reason'] as const;

/**
 * One event as an ECS document. Never throws: a line that is not JSON becomes a `pipeline_error`, an event that is not
 * an object one that says nothing but its own text. Numbers that no double holds are whole in `event.original`.
 *
 * @param line one event as the archive holds it, without its line feed
 */
export function ecsDocument(line: string, context: EcsContext): EcsDocument {
  const parsed = parsedLine(line);
  const event = isObject(parsed) ? parsed : {};
  const document = bare(line, event, context);
  if (parsed === undefined) {
    document.error = { message: NOT_JSON };
    document.event.kind = 'pipeline_error';
  }
  addMeaning(document, event);
  const data = isObject(event.logData) ? event.logData : {};
  addPlaces(document, event);
  addLogData(document, event.logData, data);
  addUser(document, event, data);
  return document;
}

/** What every document has. */
function bare(
  line: string,
  { timeStampISO }: Members,
  { org, eventId, collectedAt }: EcsContext,
): EcsDocument {
  const at = typeof timeStampISO === 'string' ? utcTimestamp(timeStampISO) : undefined;
  return {
    '@timestamp': at ?? new Date(collectedAt).toISOString(),
    ecs: { version: ECS_VERSION },
    event: {
      kind: 'event',
      outcome: 'unknown',
      module: 'orglog',
      dataset: DATASET,
      id: eventId,
      original: line,
    },
    observer: OBSERVER,
    orglog: { org, sign_in: UNLISTED.signIn },
    tags: at === undefined ? [...TAGS, NO_TIMESTAMP_TAG] : [...TAGS],
  };
}

function addMeaning({ event, orglog }: EcsDocument, { logType, logSubtype }: Members): void {
  const { ecs, signIn } = meaningOf(logType, logSubtype);
  if (ecs.category.length > 0) event.category = ecs.category;
  if (ecs.type.length > 0) event.type = ecs.type;
  event.outcome = ecs.outcome;
  orglog.sign_in = signIn;
  if (isText(logType)) orglog.log_type = logType;
  if (isText(logSubtype)) orglog.log_subtype = logSubtype;
  if (isText(logType) && isText(logSubtype)) event.action = `${logType}-${logSubtype}`;
}

function addPlaces(
  document: EcsDocument,
  { service, orgDomain, orgUrl, tenant, correlationId }: Members,
): void {
  const { event, orglog } = document;
  if (isText(service)) {
    event.provider = service;
    document.service = { name: service };
  }
  if (isText(orgDomain)) document.organization = { name: orgDomain };
  if (isText(orgUrl)) orglog.org_url = orgUrl;
  if (isText(tenant)) orglog.tenant = tenant;
  if (isText(correlationId)) orglog.correlation_id = correlationId;
}

function addLogData({ event, orglog, tags }: EcsDocument, logData: unknown, data: Members): void {
  if (data === logData && canBeFlattened(logData)) orglog.log_data = data;
  else if (logData !== undefined && logData !== null) tags.push(LOG_DATA_TAG);
  const application = firstOf(data, APPLICATION_KEYS);
  if (application !== undefined) orglog.application = application;
  const reason = firstOf(data, REASON_KEYS);
  if (reason !== undefined) event.reason = reason;
}

/** `user` falls back to an address where nobody is known: an address is never a user's name. */
function addUser(document: EcsDocument, { clientIP }: Members, data: Members): void {
  const uid = textOf(data.uid);
  const eppn = textOf(data.eppn);
  const email = textOf(data.mail);
  const shown = textOf(data.user);
  const shownAddress = shown !== undefined && isAddress(shown) ? shown : undefined;
  const name = uid ?? eppn ?? (shownAddress === undefined ? shown : undefined);
  const id = eppn ?? uid;
  const domain = eppn === undefined ? undefined : scopeOf(eppn);
  if (name !== undefined || email !== undefined) {
    document.user = {};
    if (name !== undefined) document.user.name = name;
    if (id !== undefined) document.user.id = id;
    if (email !== undefined) document.user.email = email;
    if (domain !== undefined) document.user.domain = domain;
  }

  const source = isText(clientIP) && isAddress(clientIP) ? clientIP : undefined;
  if (isText(clientIP))
    document.source = source === undefined ? { address: clientIP } : { address: clientIP, ip: source };
  const casClient = textOf(data.cas_client_ip);
  const user = distinct(name, id, email, shownAddress === undefined ? shown : undefined);
  const ip = distinct(
    source,
    shownAddress,
    casClient !== undefined && isAddress(casClient) ? casClient : undefined,
  );
  if (user !== undefined || ip !== undefined) {
    document.related = {};
    if (user !== undefined) document.related.user = user;
    if (ip !== undefined) document.related.ip = ip;
  }
}

/** What follows the first `@`. */
function scopeOf(eppn: string): string | undefined {
  const at = eppn.indexOf('@');
  return at < 0 || at === eppn.length - 1 ? undefined : eppn.slice(at + 1);
}

function firstOf(data: Members, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = textOf(data[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An attribute may have several values: the first one stands for it. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isText(first) ? first : undefined;
}
