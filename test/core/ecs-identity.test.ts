import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ecsDocumentOfStream } from '../../functions/core/ecs/of-stream.ts';
import type { EcsContext } from '../../functions/core/ecs.ts';
import { ecsDocument } from '../../functions/core/ecs.ts';
import { ecsIdentityDocument } from '../../functions/core/ecs-identity.ts';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import { event as anyEvent } from './arbitrary-json.ts';

const CONTEXT: EcsContext = {
  org: 'institution',
  eventId: 'institution:identities:k3v9:7:12',
  collectedAt: Date.UTC(2026, 0, 2, 9),
};

const COLLECTION = {
  attributeCollectionAuthority: 'https://institution.edu/idp',
  uid: 'cuid-0c7f',
  attributes: { 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': ['rcosta@institution.edu'] },
  createTime: '2025-01-01T00:00:00Z',
  lastUpdateTime: '2026-01-02T07:30:00Z',
  attributeCollectionAuthorityType: 'obid',
} as const;

const MODIFIED: FeedEvent = {
  action: 'identity.modified',
  timeStampISO: '2026-01-02T08:30:00.123456+01:00',
  org: 'institution',
  environment: 'prod',
  walk: 7,
  walkStartedAt: '2026-01-02T08:00:00.000Z',
  serviceUid: 'a1b2',
  identity: {
    serviceUid: 'a1b2',
    mail: 'rosa.costa@institution.edu',
    givenName: 'Rosa',
    sn: 'Costa',
    createTime: '2025-01-01T00:00:00Z',
    lastUpdateTime: '2026-01-02T08:30:00.123456+01:00',
  },
  changes: [
    { field: 'mail', from: 'rosa.lima@institution.edu', to: 'rosa.costa@institution.edu' },
    { field: 'sn', from: 'Lima', to: 'Costa' },
    { field: 'nickname', to: 'Rô' },
  ],
};

function documentOf(event: unknown) {
  return ecsIdentityDocument(JSON.stringify(event), CONTEXT);
}

describe('an ECS document of the identity feed', () => {
  it('holds all that a modification says', () => {
    expect(documentOf(MODIFIED)).toStrictEqual({
      '@timestamp': '2026-01-02T07:30:00.123Z',
      ecs: { version: '8.17.0' },
      event: {
        kind: 'event',
        category: ['iam'],
        type: ['user', 'change'],
        outcome: 'success',
        action: 'identity.modified',
        created: '2026-01-02T08:00:00.000Z',
        module: 'orglog',
        dataset: 'orglog.identities',
        id: 'institution:identities:k3v9:7:12',
        original: JSON.stringify(MODIFIED),
      },
      user: {
        id: 'a1b2',
        name: 'rosa.costa@institution.edu',
        email: 'rosa.costa@institution.edu',
        full_name: 'Rosa Costa',
        changes: { email: 'rosa.costa@institution.edu', full_name: 'Rosa Costa' },
      },
      organization: { name: 'institution' },
      observer: { vendor: 'identity provider', product: 'identity records', type: 'identity-provider' },
      related: { user: ['a1b2', 'rosa.costa@institution.edu', 'rosa.lima@institution.edu'] },
      orglog: {
        org: 'institution',
        environment: 'prod',
        walk: 7,
        created_at: '2025-01-01T00:00:00.000Z',
        updated_at: '2026-01-02T07:30:00.123Z',
        changes: {
          mail: { from: 'rosa.lima@institution.edu', to: 'rosa.costa@institution.edu' },
          sn: { from: 'Lima', to: 'Costa' },
          nickname: { to: 'Rô' },
        },
      },
      tags: ['forwarded', 'orglog-identities'],
    });
  });

  it('is an asset of an inventory where an identity is announced whole, with all its collections', () => {
    const { changes: _, ...rest } = MODIFIED;
    const identity = {
      ...MODIFIED.identity,
      attributeCollections: [COLLECTION, { ...COLLECTION, uid: 'x' }],
    };
    const document = documentOf({ ...rest, action: 'identity.snapshot', identity });
    expect(document.event).toMatchObject({ kind: 'asset', category: ['iam'], type: ['user', 'info'] });
    expect(document.event).not.toHaveProperty('outcome');
    expect(document.orglog.collection).toStrictEqual(identity.attributeCollections);
    expect(document.related?.user).toStrictEqual(['a1b2', 'rosa.costa@institution.edu', 'cuid-0c7f', 'x']);
    expect(document.user).not.toHaveProperty('changes');
  });

  it('names the collection that is linked, and its authority', () => {
    const { changes: _, ...rest } = MODIFIED;
    const { orglog, related, event } = documentOf({
      ...rest,
      action: 'collection.linked',
      collection: COLLECTION,
    });
    expect(event).toMatchObject({ type: ['user', 'change'], action: 'collection.linked' });
    expect(orglog).toMatchObject({
      collection: COLLECTION,
      authority: 'https://institution.edu/idp',
      authority_type: 'obid',
    });
    expect(related?.user).toContain('cuid-0c7f');
  });

  it('takes a change of an attribute for none of the user’s own fields', () => {
    const changes = [{ field: 'attributes.mail', from: ['a@x'], to: ['b@x'] }];
    const { user, orglog } = documentOf({ ...MODIFIED, action: 'collection.modified', changes });
    expect(user).not.toHaveProperty('changes');
    expect(orglog.changes).toStrictEqual({ 'attributes.mail': { from: ['a@x'], to: ['b@x'] } });
  });

  it('calls a user without a mail address by its identifier', () => {
    const identity = { serviceUid: 'a1b2', mail: null, givenName: null, sn: 'Costa' };
    expect(
      documentOf({ ...MODIFIED, identity, changes: [{ field: 'mail', from: 'x@y' }] }).user,
    ).toStrictEqual({ id: 'a1b2', name: 'a1b2', full_name: 'Costa' });
  });

  it('leaves out what an index refuses, and says so', () => {
    for (const collection of [{ uid: 'v'.repeat(8192) }, 'text', [7]]) {
      const { orglog, tags } = documentOf({ ...MODIFIED, collection });
      expect(orglog).not.toHaveProperty('collection');
      expect(tags).toContain('orglog-collection-left-out');
    }
    for (const changes of ['text', [{ field: 'sn', to: 'v'.repeat(8192) }], [7]]) {
      const { orglog, tags } = documentOf({ ...MODIFIED, changes });
      expect(orglog).not.toHaveProperty('changes');
      expect(tags).toContain('orglog-changes-left-out');
    }
    expect(documentOf({ ...MODIFIED, collection: null, changes: null }).tags).toStrictEqual([
      'forwarded',
      'orglog-identities',
    ]);
  });

  it('counts walks, and nothing else', () => {
    for (const walk of [0, 1.5, '7', 1e20, null]) {
      expect(documentOf({ ...MODIFIED, walk }).orglog).not.toHaveProperty('walk');
    }
  });

  it('goes by the time of collecting, and says so, where the line has none', () => {
    const document = documentOf({ ...MODIFIED, timeStampISO: 'last Friday', walkStartedAt: 7 });
    expect(document['@timestamp']).toBe('2026-01-02T09:00:00.000Z');
    expect(document.tags).toContain('orglog-no-timestamp');
    expect(document.event).not.toHaveProperty('created');
  });

  it('makes an error of a line that is not JSON, and keeps it', () => {
    expect(ecsIdentityDocument('{"a":', CONTEXT)).toMatchObject({
      event: { kind: 'pipeline_error', outcome: 'unknown', original: '{"a":' },
      error: { message: 'the event is not valid JSON' },
    });
  });

  it('comes of any JSON and of any text, and keeps it whole', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyEvent.map(({ text }) => text),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const document = ecsIdentityDocument(text, CONTEXT);
          expect(document.event.original).toBe(text);
          expect(() => JSON.stringify(document)).not.toThrow();
        },
      ),
      { seed: 5, numRuns: 1000 },
    );
  });

  it('is chosen by the stream', () => {
    const line = JSON.stringify(MODIFIED);
    expect(ecsDocumentOfStream(line, { ...CONTEXT, stream: 'identities' })).toStrictEqual(
      ecsIdentityDocument(line, CONTEXT),
    );
    expect(ecsDocumentOfStream(line, { ...CONTEXT, stream: 'logs' })).toStrictEqual(
      ecsDocument(line, CONTEXT),
    );
  });
});
