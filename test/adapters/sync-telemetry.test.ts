import { describe, expect, test } from 'vitest';
import { createSyncTelemetry } from '../../functions/adapters/sync-telemetry.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import type { SyncEvent, SyncReport } from '../../functions/core/identities/ports.ts';
import { captureOutput } from '../handlers/capture-output.ts';
import { parseOutput } from '../handlers/collect-bed.ts';

const written = captureOutput();
const TOKEN = '0190d3b8-7c4e-7abc-8def-0123456789ab';

const idle: SyncReport = {
  ...{ outcome: 'not-due', pages: 0, identities: 0, events: 0, byAction: {}, bytes: 0, storedBytes: 0 },
  ...{ batches: 0, adopted: 0, announced: 0, owed: { splunk: 0 }, unconfirmed: 0, walk: 7 },
  ...{ snapshotAgeSeconds: 3600, runMs: 12 },
};

const telemetryOf = () =>
  createSyncTelemetry({ org: 'institution', environment: 'prod', namespace: 'signins' });

/** What was sent, without its time stamp: the dimensions, and the figures by name. */
function sent() {
  return parseOutput(written).metrics.map(({ _aws, ...fields }) => ({
    dimensions: Object(_aws).CloudWatchMetrics[0].Dimensions,
    ...fields,
  }));
}

const ours = { dimensions: [['org', 'environment']], org: 'institution', environment: 'prod' };

describe('the end of a sync', () => {
  test('is one metric and one line in a healthy run', () => {
    telemetryOf().finish(idle);
    expect(sent()).toEqual([{ ...ours, snapshotAgeSeconds: 3600 }]);
    expect(parseOutput(written).metrics[0]).toHaveProperty('_aws.CloudWatchMetrics.0.Namespace', 'signins');
    expect(parseOutput(written).lines).toEqual([
      {
        level: 'INFO',
        message: 'sync ended',
        timestamp: expect.any(String),
        service: 'orglog',
        sampling_rate: 0,
        org: 'institution',
        environment: 'prod',
        ...idle,
      },
    ]);
  });

  test('before the first snapshot sends nothing, and no warning about it', () => {
    const { walk: _none, snapshotAgeSeconds: _unknown, ...first } = idle;
    telemetryOf().finish({ ...first, outcome: 'time-up', pages: 300 });
    expect(sent()).toEqual([]);
    expect(written).toHaveLength(1);
  });

  test('sends the age of the snapshot whatever the outcome: it is what is there that counts', () => {
    const telemetry = telemetryOf();
    const error = new OrglogError('unavailable', 'The provider is down.');
    telemetry.finish({ ...idle, outcome: 'failed', error, snapshotAgeSeconds: 200_000 });
    telemetry.finish({ ...idle, outcome: 'paused', snapshotAgeSeconds: 200_900 });
    expect(sent().map((record) => Reflect.get(record, 'snapshotAgeSeconds'))).toEqual([200_000, 200_900]);
    expect(parseOutput(written).lines.map(({ level }) => level)).toEqual(['ERROR', 'INFO']);
  });

  test('counts a refusal, and no other failure', () => {
    const { snapshotAgeSeconds: _unknown, ...first } = idle;
    const telemetry = telemetryOf();
    for (const code of ['not-authorized', 'unavailable', 'storage', 'configuration'] as const) {
      telemetry.finish({ ...first, outcome: 'failed', error: new OrglogError(code, 'No.') });
    }
    expect(sent()).toEqual([{ ...ours, identitiesRefused: 1 }]);
  });

  test('of which a destination was not told is the metric that collectors send too', () => {
    telemetryOf().finish({ ...idle, owed: { splunk: 2, elastic: 0 } });
    expect(sent()).toEqual([
      { dimensions: [['destination']], destination: 'splunk', owed: 2 },
      { ...ours, snapshotAgeSeconds: 3600 },
    ]);
  });
});

describe('a step of a sync', () => {
  test.each<[SyncEvent, Record<string, unknown>]>([
    [
      { kind: 'gap', gap: { from: 0, to: 90_000, reason: 'object-missing' } },
      { gap: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:01:30.000Z', reason: 'object-missing' } },
    ],
    [
      { kind: 'announce-failed', destination: 'splunk', sequence: 7, reason: 'AccessDenied' },
      { destination: 'splunk', sequence: 7, reason: 'AccessDenied' },
    ],
    [
      { kind: 'unconfirmed', count: 3, reason: '503' },
      { unconfirmed: 3, reason: '503' },
    ],
  ])('that an operator should know of is a warning: $kind', (event, fields) => {
    telemetryOf().observe(event);
    expect(parseOutput(written).lines).toMatchObject([
      { level: 'WARN', org: 'institution', environment: 'prod', ...fields },
    ]);
  });

  test('that is all in order is silent', () => {
    const telemetry = telemetryOf();
    telemetry.observe({ kind: 'walk', walk: 1, identities: 10, authorities: 1 });
    telemetry.observe({ kind: 'page', items: 50, page: 1, of: 2 });
    telemetry.observe({ kind: 'snapshot', walk: 1, partition: 0, of: 1 });
    telemetry.observe({ kind: 'batch', key: 'identities/a', sequence: 1, events: 10, storedBytes: 10 });
    telemetry.observe({ kind: 'adopted', key: 'identities/a', sequence: 1, events: 10 });
    telemetry.observe({ kind: 'announced', destination: 'splunk', sequence: 1 });
    expect(written).toEqual([]);
  });

  test('says nothing that looks like a secret, nor a member that does not belong there', () => {
    const telemetry = telemetryOf();
    const reason = `sent {"password":"hunter2"} with ${TOKEN}`;
    const more = { mail: 'someone@institution.edu' };
    telemetry.observe({ kind: 'unconfirmed', count: 1, reason, ...more });
    telemetry.observe({ kind: 'announce-failed', destination: 'splunk', sequence: 1, reason, ...more });
    // Of a kind that no gap has: what is logged of it is looked at all the same.
    telemetry.observe({ kind: 'gap', gap: { from: 0, to: 1, reason: reason as 'no-token', ...more } });
    telemetry.finish({ ...idle, outcome: 'failed', error: new OrglogError('unavailable', reason), ...more });
    expect(parseOutput(written).lines).toHaveLength(4);
    for (const secret of ['hunter2', TOKEN, 'someone@']) expect(written.join('\n')).not.toContain(secret);
  });
});
