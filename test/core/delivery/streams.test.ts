import { describe, expect, it } from 'vitest';
import { announced } from '../../../functions/core/delivery/announced.ts';
import { identityDataStream } from '../../../functions/core/delivery/data-streams.ts';

const BUCKET = 'archive';

function announcedKey(key: string) {
  const record = {
    eventTime: '2026-01-02T03:04:05.678Z',
    s3: { bucket: { name: BUCKET }, object: { key: encodeURIComponent(key) } },
  };
  return announced(JSON.stringify({ Records: [record] }), BUCKET);
}

describe('an announced object', () => {
  it.each([
    ['logs/org=institution/dt=2026-01-02/k3v9q-000000000041.ndjson.gz', 'logs'],
    ['identities/org=institution/env=prod/dt=2026-01-02/k3v9q-000000000041.ndjson.gz', 'identities'],
  ])('%s is of the stream %s', (key, stream) => {
    expect(announcedKey(key)).toStrictEqual({
      kind: 'object',
      object: {
        key,
        org: 'institution',
        stream,
        idPrefix: `institution:${stream}:k3v9q:41:`,
        announcedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      },
    });
  });

  it.each([
    'walks/org=institution/env=prod/dt=2026-01-02/k3v9q-000000000041.ndjson.gz',
    'rejected/siem/logs/org=institution/dt=2026-01-02/k3v9q-000000000041.ndjson.gz',
  ])('is of no other stream: %s', (key) => {
    expect(announcedKey(key).kind).toBe('unreadable');
  });
});

describe('the data stream of the identity feed', () => {
  it.each([
    ['logs-orglog.events-default', 'logs-orglog.identities-default'],
    ['logs-orglog.events-prod.eu-1', 'logs-orglog.identities-prod.eu-1'],
    ['logs-signins-default', 'logs-signins.identities-default'],
    ['logs-events-default', 'logs-events.identities-default'],
    ['orglog', 'orglog.identities'],
  ])('beside %s is %s', (events, identities) => {
    expect(identityDataStream(events)).toBe(identities);
  });
});
