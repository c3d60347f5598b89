import { TAGS } from '../../../functions/core/ecs/document.ts';
import {
  LISTED_FEED_ACTIONS,
  UNLISTED_FEED_ACTION,
} from '../../../functions/core/vocabulary/feed-actions.ts';
import { FITS, FITTING, type Script } from './scripts.ts';

/** The agent reads both streams through the input of the log, which tags what it reads. */
export const DROP_TAGS_OF_THE_LOG: Script = {
  source: `def tags = new ArrayList();
for (def tag : ctx.tags) {
  if (tag != params.tag && !tags.contains(tag)) {
    tags.add(tag);
  }
}
ctx.tags = tags;`,
  params: { tag: TAGS[1] },
};

/** What functions/core/ecs-identity.ts does, but for times and texts that processors copy. */
export const READ_IDENTITY: Script = {
  source: `def text(def value) {
  return value instanceof String && value != '' ? value : null;
}
${FITS}ctx.said = new HashMap();
if (ctx.orglog == null) {
  ctx.orglog = new HashMap();
}
def line = ctx.json;
def identity = line.identity instanceof Map ? line.identity : new HashMap();
ctx.said.created_at = text(identity.createTime);
ctx.said.updated_at = text(identity.lastUpdateTime);
if (line.walk instanceof Integer && line.walk >= 1) {
  ctx.orglog.walk = line.walk;
}
def collections = new ArrayList();
def about = line.collection != null ? line.collection : identity.attributeCollections;
if (about instanceof List) {
  collections = about;
} else if (about != null) {
  collections.add(about);
}
if (line.collection instanceof Map) {
  ctx.said.authority = text(line.collection.attributeCollectionAuthority);
  ctx.said.authority_type = text(line.collection.attributeCollectionAuthorityType);
}
if (!collections.isEmpty()) {
  def whole = true;
  for (def each : collections) {
    if (!(each instanceof Map) || !fits(each, params.depth, params.limits)) {
      whole = false;
    }
  }
  if (whole) {
    ctx.orglog.collection = line.collection instanceof Map ? line.collection : collections;
  } else {
    ctx.said.collection_left_out = true;
  }
}
def changes = new HashMap();
def changed = false;
if (line.changes instanceof List) {
  for (def change : line.changes) {
    if (change instanceof Map && text(change.field) != null) {
      def entry = new HashMap();
      if (change.from != null) {
        entry.from = change.from;
      }
      if (change.to != null) {
        entry.to = change.to;
      }
      changes[change.field] = entry;
      changed = true;
    }
  }
}
if (changed && fits(changes, params.depth, params.limits)) {
  ctx.orglog.changes = changes;
} else if (line.changes != null) {
  ctx.said.changes_left_out = true;
}
def id = text(line.serviceUid);
def email = text(identity.mail);
def given = text(identity.givenName);
def surname = text(identity.sn);
def full = given == null ? surname : (surname == null ? given : given + ' ' + surname);
def mail = changes.mail;
if (id != null || email != null || full != null) {
  def user = new HashMap();
  if (id != null) {
    user.id = id;
    user.name = id;
  }
  if (email != null) {
    user.email = email;
    user.name = email;
  }
  if (full != null) {
    user.full_name = full;
  }
  def became = new HashMap();
  if (mail != null && text(mail.to) != null) {
    became.email = mail.to;
    user.changes = became;
  }
  if (full != null && (changes.givenName != null || changes.sn != null)) {
    became.full_name = full;
    user.changes = became;
  }
  ctx.user = user;
}
def names = new ArrayList();
names.add(id);
names.add(email);
if (mail != null) {
  names.add(text(mail.from));
  names.add(text(mail.to));
}
for (def each : collections) {
  if (each instanceof Map) {
    names.add(text(each.uid));
  }
}
def related = new ArrayList();
for (def each : names) {
  if (each != null && !related.contains(each)) {
    related.add(each);
  }
}
if (!related.isEmpty()) {
  ctx.related = new HashMap();
  ctx.related.user = related;
}`,
  params: FITTING,
};

/** The vocabulary of the feed. */
export const CATEGORIZE_FEED: Script = {
  source: `def meaning = params.unlisted;
if (ctx.json != null && ctx.json.action instanceof String) {
  def known = params.meanings[ctx.json.action];
  if (known != null) {
    meaning = known;
  }
}
ctx.event.kind = meaning.kind;
if (!meaning.category.isEmpty()) {
  ctx.event.category = new ArrayList(meaning.category);
  ctx.event.type = new ArrayList(meaning.type);
}
if (meaning.outcome != null) {
  ctx.event.outcome = meaning.outcome;
}`,
  params: {
    unlisted: UNLISTED_FEED_ACTION.ecs,
    meanings: Object.fromEntries(LISTED_FEED_ACTIONS.map(([action, meaning]) => [action, meaning.ecs])),
  },
};
