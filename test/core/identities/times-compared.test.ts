import { expect, it } from 'vitest';
import { diff, type FeedHead } from '../../../functions/core/identities/diff.ts';
import type { Identity } from '../../../functions/core/identities/identity.ts';

const HEAD: FeedHead = {
  org: 'institution',
  environment: 'prod',
  walk: 2,
  walkStartedAt: '2026-01-03T00:00:00.000Z',
};

function identity(createTime: string, credentialLastUsed: string): Identity {
  const collection = {
    ...{ attributeCollectionAuthority: 'hr', uid: 'e', attributes: {}, createTime, credentialLastUsed },
    ...{ lastUpdateTime: createTime, attributeCollectionAuthorityType: 'sor' },
  };
  return { serviceUid: 'u1', createTime, lastUpdateTime: createTime, attributeCollections: [collection] };
}

function happened(before: Identity, now: Identity): string[] {
  const scope = { authorities: new Set(['hr']), hosted: true, unlike: new Set<string>() };
  return [...diff({ head: HEAD, before: [before], now: [now], scope, whole: false })].map(
    (one) => one.action,
  );
}

it('a time that another operation spells otherwise is the same time', () => {
  const listed = identity('2026-01-02T03:04:05Z', '2026-01-02T04:00:00.500Z');
  const fetched = identity('2026-01-02T03:04:05.000000+00:00', '2026-01-02T05:00:00.5+01:00');
  expect(happened(listed, fetched)).toStrictEqual([]);
});

it('another time is another one, and what is no time is compared as it is', () => {
  const first = identity('2026-01-02T03:04:05Z', '2026-01-02T04:00:00Z');
  const later = identity('2026-01-02T03:04:06Z', '2026-01-02T04:00:01Z');
  const all = ['identity.modified', 'collection.modified', 'credential.used'];
  expect(happened(first, later)).toStrictEqual(all);
  expect(happened(identity('once', 'then'), identity('twice', 'now'))).toStrictEqual(all);
});
