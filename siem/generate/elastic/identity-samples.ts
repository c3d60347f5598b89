import type { EcsIdentityDocument } from '../../../functions/core/ecs/identity-document.ts';
import { ecsIdentityDocument } from '../../../functions/core/ecs-identity.ts';
import type { FeedEvent } from '../../../functions/core/identities/feed.ts';
import type { AttributeCollection } from '../../../functions/core/identities/identity.ts';
import { type AgentEvent, agentEvent, COLLECTED_AT, ORG } from './samples.ts';

const KEY = `identities/org=${ORG}/env=prod/dt=2026-01-02/m4w1-000000000001.ndjson.gz`;

/** A line, as the agent delivers it and as the index holds it. `event.id` is push's: the pipeline makes its own. */
export interface IdentitySample {
  readonly line: string;
  readonly read: AgentEvent;
  readonly document: EcsIdentityDocument & Omit<AgentEvent, 'message' | 'tags'>;
}

/** One line of every action, and every kind of trouble. */
export function identitySamples(): IdentitySample[] {
  const lines = [...FEED.map((event) => JSON.stringify(event)), ...TROUBLE];
  let offset = 0;
  return lines.map((line, index) => {
    const sample = identitySampleOf(line, offset, index + 1);
    offset += Buffer.byteLength(line) + 1;
    return sample;
  });
}

export function identitySampleOf(line: string, offset: number, number: number): IdentitySample {
  const read = agentEvent(line, offset, KEY);
  const eventId = `${ORG}:identities:m4w1:1:${number}`;
  const { message: _message, tags: _tags, ...kept } = read;
  return {
    line,
    read,
    document: { ...kept, ...ecsIdentityDocument(line, { org: ORG, eventId, collectedAt: COLLECTED_AT }) },
  };
}

const COLLECTION: AttributeCollection = {
  attributeCollectionAuthority: 'https://institution.edu/idp/metadata',
  uid: 'cuid-7d0c3b52-6f0e-4c3e-9a55-0b0d0e6f6a11',
  attributes: {
    'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': ['rcosta@institution.edu'],
    'urn:oid:0.9.2342.19200300.100.1.3': ['rosa.costa@institution.edu'],
  },
  createTime: '2025-03-04T09:10:11.120+00:00',
  lastUpdateTime: '2026-01-02T07:55:00.000+00:00',
  credentialLastUsed: '2026-01-02T07:40:12.004+00:00',
  attributeCollectionAuthorityType: 'obid',
};

const REMOTE: AttributeCollection = {
  attributeCollectionAuthority: 'https://registrar.institution.edu',
  uid: 'S1048576',
  attributes: {},
  createTime: '2025-03-04T09:10:11.120+00:00',
  lastUpdateTime: '2025-03-04T09:10:11.120+00:00',
  attributeCollectionAuthorityType: 'sor',
};

const BASE = {
  timeStampISO: '2026-01-02T08:00:00.000Z',
  org: ORG,
  environment: 'prod',
  walk: 2,
  walkStartedAt: '2026-01-02T08:00:00.000Z',
  serviceUid: 'f2b7c9d4e1',
  identity: {
    serviceUid: 'f2b7c9d4e1',
    mail: 'rosa.costa@institution.edu',
    givenName: 'Rosa',
    sn: 'Costa',
    createTime: '2025-03-04T09:10:11.120+00:00',
    lastUpdateTime: '2026-01-02T07:50:00.000+00:00',
  },
} as const;

const FEED: readonly FeedEvent[] = [
  {
    ...BASE,
    action: 'identity.snapshot',
    walk: 1,
    identity: { ...BASE.identity, attributeCollections: [COLLECTION, REMOTE] },
  },
  { ...BASE, action: 'identity.created', timeStampISO: BASE.identity.createTime },
  {
    ...BASE,
    action: 'identity.modified',
    timeStampISO: BASE.identity.lastUpdateTime,
    changes: [
      { field: 'mail', from: 'rosa.lima@institution.edu', to: 'rosa.costa@institution.edu' },
      { field: 'sn', from: 'Lima', to: 'Costa' },
    ],
  },
  { ...BASE, action: 'collection.linked', timeStampISO: REMOTE.createTime, collection: REMOTE },
  {
    ...BASE,
    action: 'collection.modified',
    timeStampISO: COLLECTION.lastUpdateTime,
    collection: COLLECTION,
    changes: [
      {
        field: 'attributes.urn:oid:0.9.2342.19200300.100.1.3',
        from: ['rosa.lima@institution.edu'],
        to: ['rosa.costa@institution.edu'],
      },
    ],
  },
  { ...BASE, action: 'collection.unlinked', collection: REMOTE },
  {
    ...BASE,
    action: 'credential.used',
    timeStampISO: COLLECTION.credentialLastUsed ?? BASE.timeStampISO,
    collection: COLLECTION,
  },
  { ...BASE, action: 'identity.removed' },
];

const { identity } = BASE;
const TROUBLE: readonly string[] = [
  JSON.stringify({ ...BASE, action: 'identity.frozen', timeStampISO: 'last Friday', walkStartedAt: 7 }),
  JSON.stringify({
    ...BASE,
    action: 'identity.created',
    identity: { ...identity, mail: null, givenName: '' },
  }),
  JSON.stringify({ ...BASE, action: 'identity.modified', identity: 'text', changes: [7, { field: 'mail' }] }),
  JSON.stringify({
    ...BASE,
    action: 'collection.linked',
    collection: { ...COLLECTION, attributes: { a: ['v'.repeat(8192)] } },
  }),
  JSON.stringify({ ...BASE, action: 'collection.modified', collection: 'text', changes: 'text' }),
  '["a","line","that","is","none"]',
  '{"action":"identity.created"',
];
