import { ECS_VERSION, NO_TIMESTAMP_TAG, NOT_JSON } from './ecs/document.ts';
import {
  CHANGES_TAG,
  COLLECTION_TAG,
  type EcsIdentityDocument,
  IDENTITY_DATASET,
  IDENTITY_OBSERVER,
  IDENTITY_TAGS,
} from './ecs/identity-document.ts';
import { canBeFlattened } from './ecs/log-data.ts';
import { utcTimestamp } from './ecs/timestamp.ts';
import { distinct, isObject, isText, type Members, parsedLine } from './ecs/values.ts';
import type { EcsContext } from './ecs.ts';
import { feedMeaningOf } from './vocabulary/feed-actions.ts';

/** What no counter of walks ever reaches, and what a script takes for an Integer. */
const HIGHEST_WALK = 2_147_483_647;

/**
 * One line of the identity feed as an ECS document. Never throws: a line that is not JSON becomes a `pipeline_error`,
 * one that is not an object says nothing but its own text.
 *
 * @param line one line as the archive holds it, without its line feed
 */
export function ecsIdentityDocument(line: string, context: EcsContext): EcsIdentityDocument {
  const parsed = parsedLine(line);
  const event = isObject(parsed) ? parsed : {};
  const document = bare(line, event, context);
  if (parsed === undefined) {
    document.error = { message: NOT_JSON };
    document.event.kind = 'pipeline_error';
  }
  const identity = isObject(event.identity) ? event.identity : {};
  const collections = collectionsOf(event, identity);
  const changes = changesOf(event.changes);
  addPlaces(document, event, identity);
  addFlattened(document, event, collections, changes);
  addUser(document, event, identity, collections, changes);
  return document;
}

/** What every document has. */
function bare(
  line: string,
  { action, timeStampISO, walkStartedAt }: Members,
  { org, eventId, collectedAt }: EcsContext,
): EcsIdentityDocument {
  const at = timeIn(timeStampISO);
  const created = timeIn(walkStartedAt);
  const { kind, category, type, outcome } = feedMeaningOf(action).ecs;
  return {
    '@timestamp': at ?? new Date(collectedAt).toISOString(),
    ecs: { version: ECS_VERSION },
    event: {
      kind,
      ...(category.length > 0 && { category, type }),
      ...(outcome !== undefined && { outcome }),
      ...(isText(action) && { action }),
      ...(created !== undefined && { created }),
      module: 'orglog',
      dataset: IDENTITY_DATASET,
      id: eventId,
      original: line,
    },
    observer: IDENTITY_OBSERVER,
    orglog: { org },
    tags: at === undefined ? [...IDENTITY_TAGS, NO_TIMESTAMP_TAG] : [...IDENTITY_TAGS],
  };
}

function addPlaces(document: EcsIdentityDocument, event: Members, identity: Members): void {
  const { orglog } = document;
  const { org, environment, walk, collection } = event;
  if (isText(org)) document.organization = { name: org };
  if (isText(environment)) orglog.environment = environment;
  if (typeof walk === 'number' && walk >= 1 && walk <= HIGHEST_WALK && walk % 1 === 0) orglog.walk = walk;
  const createdAt = timeIn(identity.createTime);
  if (createdAt !== undefined) orglog.created_at = createdAt;
  const updatedAt = timeIn(identity.lastUpdateTime);
  if (updatedAt !== undefined) orglog.updated_at = updatedAt;
  if (!isObject(collection)) return;
  const { attributeCollectionAuthority, attributeCollectionAuthorityType } = collection;
  if (isText(attributeCollectionAuthority)) orglog.authority = attributeCollectionAuthority;
  if (isText(attributeCollectionAuthorityType)) orglog.authority_type = attributeCollectionAuthorityType;
}

function addFlattened(
  { orglog, tags }: EcsIdentityDocument,
  { collection, changes: given }: Members,
  collections: readonly unknown[],
  changes: Members | undefined,
): void {
  if (collections.length > 0) {
    if (collections.every((each) => isObject(each) && canBeFlattened(each)))
      orglog.collection = isObject(collection) ? collection : collections;
    else tags.push(COLLECTION_TAG);
  }
  if (changes !== undefined && canBeFlattened(changes)) orglog.changes = changes;
  else if (given !== undefined && given !== null) tags.push(CHANGES_TAG);
}

function addUser(
  document: EcsIdentityDocument,
  { serviceUid }: Members,
  { mail, givenName, sn }: Members,
  collections: readonly unknown[],
  changes: Members | undefined,
): void {
  const id = isText(serviceUid) ? serviceUid : undefined;
  const email = isText(mail) ? mail : undefined;
  const name = email ?? id;
  const fullName = [givenName, sn].filter(isText).join(' ');
  const changed = changesOfUser(changes, fullName);
  if (name !== undefined || fullName !== '') {
    document.user = {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(fullName !== '' && { full_name: fullName }),
      ...(Object.keys(changed).length > 0 && { changes: changed }),
    };
  }
  const { from, to } = isObject(changes?.mail) ? changes.mail : {};
  const uids = collections.map((each) => (isObject(each) ? each.uid : undefined));
  const user = distinct(...[id, email, from, to, ...uids].map((each) => (isText(each) ? each : undefined)));
  if (user !== undefined) document.related = { user };
}

function changesOfUser(changes: Members | undefined, fullName: string) {
  const mail = isObject(changes?.mail) ? changes.mail.to : undefined;
  const isRenamed = changes?.givenName !== undefined || changes?.sn !== undefined;
  return {
    ...(isText(mail) && { email: mail }),
    ...(isRenamed && fullName !== '' && { full_name: fullName }),
  };
}

/** The one collection that a line is about; else all that its identity has. */
function collectionsOf({ collection }: Members, { attributeCollections }: Members): readonly unknown[] {
  const about = collection ?? attributeCollections ?? [];
  return Array.isArray(about) ? about : [about];
}

/** By field, so that `orglog.changes.mail.to` can be asked for; `undefined` where there are none of the feed's form. */
function changesOf(changes: unknown): Members | undefined {
  if (!Array.isArray(changes)) return undefined;
  const entries = changes.filter(isObject).flatMap(({ field, from, to }) => {
    if (!isText(field)) return [];
    return [
      [
        field,
        {
          ...(from !== undefined && from !== null && { from }),
          ...(to !== undefined && to !== null && { to }),
        },
      ],
    ] as const;
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function timeIn(value: unknown): string | undefined {
  return typeof value === 'string' ? utcTimestamp(value) : undefined;
}
