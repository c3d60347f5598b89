import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ecsIdentityDocument } from '../../functions/core/ecs-identity.ts';
import { LISTED_FEED_ACTIONS } from '../../functions/core/vocabulary/feed-actions.ts';
import {
  CUSTOM_PIPELINE,
  ENRICH_PIPELINE,
  ENRICH_POLICY,
  LATEST_IDENTITIES_INDEX,
  LATEST_IDENTITIES_TRANSFORM,
} from '../../siem/generate/elastic/enrich.ts';
import { EVENT_FIELDS } from '../../siem/generate/elastic/fields.ts';
import { IDENTITY_FIELDS } from '../../siem/generate/elastic/identity-fields.ts';
import { IDENTITY_PIPELINE } from '../../siem/generate/elastic/identity-pipeline.ts';
import {
  type IdentitySample,
  identitySampleOf,
  identitySamples,
} from '../../siem/generate/elastic/identity-samples.ts';
import { PIPELINE } from '../../siem/generate/elastic/pipeline.ts';
import type { Pipeline } from '../../siem/generate/elastic/pipeline-parts.ts';
import { IDENTITY_LIFECYCLE, PLAIN_IDENTITY_PIPELINE } from '../../siem/generate/elastic/plain.ts';
import { event as anyEvent } from '../core/arbitrary-json.ts';
import { type Ctx, ingest } from './elastic-ingest.ts';

/** The pipeline as it is installed. */
const installed = JSON.parse(
  readFileSync(new URL('../../siem/elastic/plain/identities-ingest-pipeline.json', import.meta.url), 'utf8'),
) as Pipeline;

/** By the way that a line takes: the queue's one input writes to the data stream of the log. */
function pulled({ read }: IdentitySample): Ctx {
  const { _dataset, ...rerouted } = ingest(PIPELINE, { ...read });
  expect(_dataset).toBe('orglog.identities');
  return ingest(installed, rerouted);
}

/** Pull and push name lines in their own ways, by place and by count; and only the cluster knows when one arrived. */
function withoutIds({ _id, event, ...rest }: Ctx): Ctx {
  const { id: _, ingested: _ingested, ...named } = event as Ctx;
  return { ...rest, event: named };
}

function expectSameDocument(line: string): void {
  const sample = identitySampleOf(line, 0, 1);
  expect(withoutIds(pulled(sample))).toStrictEqual(withoutIds({ ...sample.document }));
}

const oddly = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
const name = fc.constantFrom('Rosa', 'Costa', '', '{{{x}}}', '$&', 'rosa.costa@institution.edu');
const time = fc.constantFrom(
  '2026-01-02T03:04:05.123456+00:00',
  '2026-01-02T03:04:05Z',
  '2026-02-30T00:00:00Z',
  '',
);
const record = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });

const collection = record({
  attributeCollectionAuthority: oddly(name),
  uid: oddly(name),
  attributeCollectionAuthorityType: oddly(fc.constantFrom('sor', 'obid', 'gateway', 'idp')),
  attributes: oddly(fc.dictionary(fc.stringMatching(/^urn:[a-z.]{1,12}$/), fc.array(name, { maxLength: 2 }))),
  tree: fc.oneof(
    fc.jsonValue({ maxDepth: 18 }),
    fc.constantFrom('v'.repeat(8191), 'v'.repeat(8192), { ['k'.repeat(129)]: 1 }),
  ),
});

const likelyLine = record({
  action: oddly(fc.constantFrom(...LISTED_FEED_ACTIONS.map(([action]) => action), 'identity.frozen', '')),
  timeStampISO: oddly(time),
  org: oddly(name),
  environment: oddly(fc.constantFrom('prod', 'test')),
  walk: oddly(fc.constantFrom(0, 1, 7, 1.5, -1, 2 ** 31 - 1, 2 ** 31, '7')),
  walkStartedAt: oddly(time),
  serviceUid: oddly(name),
  identity: oddly(
    record({
      mail: oddly(name),
      givenName: oddly(name),
      sn: oddly(name),
      createTime: oddly(time),
      lastUpdateTime: oddly(time),
      attributeCollections: oddly(fc.array(oddly(collection), { maxLength: 3 })),
    }),
  ),
  collection: oddly(collection),
  changes: oddly(
    fc.array(
      oddly(
        record({
          field: oddly(fc.constantFrom('mail', 'givenName', 'sn', 'attributes.urn:oid:1.2', 'k'.repeat(129))),
          from: oddly(name),
          to: oddly(name),
        }),
      ),
      { maxLength: 4 },
    ),
  ),
});

describe('the ingest pipeline of the identity feed', () => {
  it('is the one that the package installs, and what Fleet sets after it', () => {
    expect(installed).toStrictEqual(JSON.parse(JSON.stringify(PLAIN_IDENTITY_PIPELINE)));
    expect(PLAIN_IDENTITY_PIPELINE.processors.slice(0, -1)).toStrictEqual(IDENTITY_PIPELINE.processors);
    expect(PLAIN_IDENTITY_PIPELINE.processors.at(-1)).toMatchObject({ set: { field: 'event.ingested' } });
  });

  it('has a sample of every action', () => {
    const actions = identitySamples().map(({ document }) => document.event.action);
    for (const [action] of LISTED_FEED_ACTIONS) expect(actions).toContain(action);
  });

  it.each(identitySamples().map((sample) => [sample.line.slice(0, 60), sample] as const))(
    'makes the document that push delivers: %s',
    (_, sample) => {
      expect(withoutIds(pulled(sample))).toStrictEqual(withoutIds({ ...sample.document }));
    },
  );

  it('makes it of whatever the feed may hold', () => {
    fc.assert(
      fc.property(likelyLine, (line) => expectSameDocument(JSON.stringify(line))),
      { numRuns: 1000, seed: 5 },
    );
  });

  it('makes it of any JSON', () => {
    fc.assert(
      fc.property(anyEvent, ({ compact }) => expectSameDocument(compact)),
      { numRuns: 300, seed: 5 },
    );
  });

  it('leaves a document of push as it is, but for when it arrived', () => {
    for (const { line } of identitySamples()) {
      const context = { org: 'institution', eventId: 'institution:identities:m4w1:1:1', collectedAt: 0 };
      const document = { ...ecsIdentityDocument(line, context) };
      expect(ingest(installed, document)).toStrictEqual({
        ...document,
        event: { ...document.event, ingested: '2026-01-02T10:00:00.000Z' },
      });
    }
  });

  it('names a line by bucket, key and offset', () => {
    const [one, two] = [identitySampleOf('{}', 0, 1), identitySampleOf('{}', 3, 2)].map(pulled);
    expect(one?._id).toMatch(/^[\w+/]{43}=$/);
    expect(two?._id).not.toBe(one?._id);
  });

  it('keeps a line that a processor fails at, and says why', () => {
    const hostile = { ...identitySampleOf('{"org":"x"}', 0, 1).read, organization: 'a name' };
    expect(ingest(installed, hostile)).toMatchObject({
      event: { kind: 'pipeline_error', original: '{"org":"x"}' },
      error: { message: [expect.stringContaining('organization')] },
    });
  });

  it('is not what an event of the log goes to', () => {
    const read = {
      ...identitySampleOf('{}', 0, 1).read,
      aws: { s3: { object: { key: 'logs/identities/x' } } },
    };
    expect(ingest(PIPELINE, read)).not.toHaveProperty('_dataset');
    expect(ingest(PIPELINE, { message: '{}' })).not.toHaveProperty('_dataset');
  });

  it('keeps identities: one that never changes is told of once', () => {
    expect(IDENTITY_LIFECYCLE.policy.phases).not.toHaveProperty('delete');
  });
});

describe('what enriches sign-ins', () => {
  const names = new Set(IDENTITY_FIELDS.map(({ name: each }) => each));
  const { match } = ENRICH_POLICY;

  it('goes by fields that identities have', () => {
    const { latest, sync, source } = LATEST_IDENTITIES_TRANSFORM;
    const used = [
      ...[...latest.unique_key, latest.sort, sync.time.field],
      ...source.query.bool.filter.map(({ exists }) => exists.field),
      ...[match.match_field, ...match.enrich_fields, ...Object.keys(match.query.term)],
    ];
    for (const field of used) expect(names).toContain(field);
  });

  it('hands on from part to part: transform, policy, pipeline', () => {
    expect(LATEST_IDENTITIES_TRANSFORM.dest.index).toBe(match.indices);
    const mapped = (field: string) =>
      field
        .split('.')
        .reduce<unknown>(
          (at, part) => (at as { properties: Record<string, unknown> }).properties[part],
          LATEST_IDENTITIES_INDEX.mappings,
        );
    for (const field of [match.match_field, ...Object.keys(match.query.term)])
      expect(mapped(field)).toStrictEqual({ type: 'keyword' });
    const readme = readFileSync(new URL('../../siem/elastic/enrich/README.md', import.meta.url), 'utf8');
    for (const put of [
      `_ingest/pipeline/${CUSTOM_PIPELINE}`,
      `_enrich/policy/${ENRICH_PIPELINE.processors[0]?.enrich?.policy_name}/_execute`,
      match.indices,
    ])
      expect(readme).toContain(put);
  });

  it('sets only fields that sign-ins declare, from what the policy gives', () => {
    const declared = new Set(EVENT_FIELDS.map(({ name: each }) => each));
    const sets = ENRICH_PIPELINE.processors.flatMap(({ set }) => (set === undefined ? [] : [set]));
    expect(sets).toHaveLength(match.enrich_fields.length);
    for (const { field, copy_from: from } of sets) {
      expect(declared).toContain(field);
      expect(match.enrich_fields).toContain(String(from).replace(/^\w+\./, ''));
    }
  });
});
