import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ecsDocument } from '../../functions/core/ecs.ts';
import { LOG_SUBTYPES, LOG_TYPES } from '../../functions/core/vocabulary/enumerations.ts';
import { PIPELINE } from '../../siem/generate/elastic/pipeline.ts';
import type { Pipeline } from '../../siem/generate/elastic/pipeline-parts.ts';
import { PLAIN_PIPELINE } from '../../siem/generate/elastic/plain.ts';
import { type Sample, sampleOf, samples } from '../../siem/generate/elastic/samples.ts';
import { event as anyEvent } from '../core/arbitrary-json.ts';
import { type Ctx, ingest } from './elastic-ingest.ts';

/** The pipeline as it is installed. */
const installed = JSON.parse(
  readFileSync(new URL('../../siem/elastic/plain/ingest-pipeline.json', import.meta.url), 'utf8'),
) as Pipeline;

function pulled(sample: Sample): Ctx {
  return ingest(installed, { ...sample.read });
}

/** Pull and push name events in their own ways: by place, and by count. */
function withoutIds({ _id, event, ...rest }: Ctx): Ctx {
  const { id: _, ...named } = event as Ctx;
  return { ...rest, event: named };
}

function expectSameDocument(line: string): void {
  const sample = sampleOf(line, 0, 1);
  expect(withoutIds(pulled(sample))).toStrictEqual(withoutIds({ ...sample.document }));
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('unknown', '', '192.0.2.1, 192.0.2.2', '01.2.3.4'),
);
const oddly = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
const name = fc.constantFrom(
  'rcosta',
  'rcosta@institution.edu',
  'a@b@c',
  '@',
  'r@',
  '',
  '192.0.2.9',
  '{{{x}}}',
  '$&',
);
const several = fc.oneof(name, fc.array(name, { maxLength: 2 }));

/** One step below and at each limit of a `flattened` field. */
const UNINDEXABLE = [8191, 8192]
  .flatMap((length) => ['v'.repeat(length), ['\u20ac'.repeat(length)]] as unknown[])
  .concat(
    [128, 129].map((length) => ({ ['k'.repeat(length)]: 1 })),
    { 'nul\u0000': 1 },
  );

const likelyEvent = fc.record(
  {
    logType: oddly(fc.constantFrom(...LOG_TYPES, 'biometrics', '', '__proto__')),
    logSubtype: oddly(fc.constantFrom(...LOG_SUBTYPES, 'scan', 'constructor')),
    timeStampISO: oddly(
      fc.oneof(
        fc
          .date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
          .map((at) => at.toISOString()),
        fc.constantFrom(
          '2026-01-02T03:04:05.123456+00:00',
          '2026-01-02T03:04-0730',
          '2026-02-29T00:00:00Z',
          '2024-02-29T00:00Z',
          '2026-01-02T24:00:00Z',
          '2026-13-01T00:00:00Z',
          '2026-01-02T03:04:05,5+18',
        ),
      ),
    ),
    service: oddly(fc.constantFrom('idp', 'proxy', '')),
    orgDomain: oddly(fc.constant('institution.edu')),
    orgUrl: oddly(fc.constant('https://institution.edu/')),
    tenant: oddly(fc.string()),
    correlationId: oddly(fc.uuid()),
    clientIP: oddly(address),
    logData: oddly(
      fc.record(
        {
          uid: oddly(several),
          eppn: oddly(several),
          mail: oddly(several),
          user: oddly(fc.oneof(several, address)),
          cas_client_ip: oddly(address),
          spEntityId: oddly(fc.webUrl()),
          spentityid: oddly(fc.webUrl()),
          sp: oddly(fc.string()),
          error: oddly(fc.string()),
          reason: oddly(fc.string()),
          tree: fc.oneof(fc.jsonValue({ maxDepth: 18 }), fc.constantFrom(...UNINDEXABLE)),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

describe('the ingest pipeline', () => {
  it('is the one that the package installs, and what Fleet calls after it', () => {
    expect(installed).toStrictEqual(JSON.parse(JSON.stringify(PLAIN_PIPELINE)));
    expect(PLAIN_PIPELINE.processors.slice(0, -1)).toStrictEqual(PIPELINE.processors);
    expect(PLAIN_PIPELINE.processors.at(-1)).toMatchObject({
      pipeline: { name: 'logs-orglog.events@custom', ignore_missing_pipeline: true },
    });
  });

  it.each(samples().map((sample) => [sample.line.slice(0, 60), sample] as const))(
    'makes the document that push delivers: %s',
    (_, sample) => {
      expect(withoutIds(pulled(sample))).toStrictEqual(withoutIds({ ...sample.document }));
    },
  );

  it('makes it of whatever the provider may send', () => {
    fc.assert(
      fc.property(likelyEvent, (event) => expectSameDocument(JSON.stringify(event))),
      { numRuns: 3000, seed: 4 },
    );
  });

  it('makes it of any JSON', () => {
    fc.assert(
      fc.property(anyEvent, ({ compact }) => expectSameDocument(compact)),
      { numRuns: 1000, seed: 4 },
    );
  });

  it('leaves a document of push as it is', () => {
    for (const { line } of samples()) {
      const document = {
        ...ecsDocument(line, { org: 'institution', eventId: 'institution:logs:k3v9:1:1', collectedAt: 0 }),
      };
      expect(ingest(installed, document)).toStrictEqual(document);
    }
  });

  it('names an event by bucket, key and offset, and by nothing else', () => {
    const one = sampleOf('{"logType":"cas"}', 0, 1).read;
    const idOf = (event: Ctx): unknown => ingest(installed, event)._id;
    const { aws, log } = one;
    const { bucket, object } = aws.s3;
    const id = idOf({ ...one });
    expect(id).toMatch(/^[\w+/]{43}=$/);
    expect(idOf({ ...one, '@timestamp': '2026-05-05T00:00:00.000Z', message: '{}', _id: 'agent' })).toBe(id);
    const others = [
      { ...one, aws: { s3: { bucket: { ...bucket, name: 'other' }, object } } },
      { ...one, aws: { s3: { bucket, object: { key: `${object.key}x` } } } },
      { ...one, log: { ...log, offset: 1 } },
    ];
    for (const other of others) expect(idOf(other)).not.toBe(id);
  });

  it('leaves the identity to a shipper that does not say the place', () => {
    const { _id, event } = ingest(installed, { message: '{}', '@timestamp': '2026-01-02T00:00:00.000Z' });
    expect(_id).toBeUndefined();
    expect(event).not.toHaveProperty('id');
  });

  it('gives a time to a shipper that has none', () => {
    expect(ingest(installed, { message: '{}' })['@timestamp']).toBe('2026-01-02T10:00:00.000Z');
  });

  it('keeps an event that a processor fails at, and says why', () => {
    const hostile = {
      ...sampleOf('{"service":"idp"}', 0, 1).read,
      service: 'a name where an object belongs',
    };
    const kept = ingest(installed, hostile);
    expect(kept).toMatchObject({
      event: { kind: 'pipeline_error', original: '{"service":"idp"}' },
      error: { message: [expect.stringContaining('service')] },
    });
    expect(kept).not.toHaveProperty('json');
  });
});
