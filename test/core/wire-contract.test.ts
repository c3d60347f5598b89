import { describe, expect, it } from 'vitest';
import { fromMetadata, toMetadata } from '../../functions/core/batch-facts.ts';
import { notification } from '../../functions/core/notification.ts';
import { World } from './simulation/world.ts';

describe('the message that announces an object', () => {
  it('is exactly the S3 event notification that consumers read', () => {
    const message = notification({
      bucket: 'b',
      region: 'us-east-1',
      key: 'logs/org=institution/dt=2026-01-02/k3x9ab-000000000001.ndjson.gz',
      size: 123,
      etag: 'd41d8cd98f00b204e9800998ecf8427e',
      eventTime: Date.UTC(2026, 0, 2, 3, 4, 5, 600),
    });
    expect(message).toBe(
      '{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"us-east-1",' +
        '"eventTime":"2026-01-02T03:04:05.600Z","eventName":"ObjectCreated:Put","s3":{"s3SchemaVersion":"1.0",' +
        '"configurationId":"orglog","bucket":{"name":"b","arn":"arn:aws:s3:::b"},"object":' +
        '{"key":"logs/org%3Dinstitution/dt%3D2026-01-02/k3x9ab-000000000001.ndjson.gz","size":123,' +
        '"eTag":"d41d8cd98f00b204e9800998ecf8427e"}}}]}',
    );
  });
});

describe('an object', () => {
  it('says of itself all that an announcement and an adoption need', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const [[key, object] = []] = world.archive.objects;
    expect(key).toMatch(/^logs\/org=institution\/dt=2026-01-02\/[a-z0-9]{6}-000000000001\.ndjson\.gz$/);
    expect(object?.contentType).toBe('application/x-ndjson');
    expect(object?.metadata).toStrictEqual({
      end: 't3',
      count: '3',
      bytes: String(world.provider.lines.join('\n').length + 1),
      first: '2026-01-02T11:59:58.000Z',
      last: '2026-01-02T12:00:00.000Z',
      'event-time': '2026-01-02T12:00:00.000Z',
      rereads: '0',
    });
  });

  it('keeps its metadata well under 2 KB, whatever the tokens', () => {
    const token = '~'.repeat(200);
    const facts = {
      start: token,
      end: token,
      count: 999_999_999,
      bytes: 999_999_999_999,
      first: 0,
      last: 253_402_300_799_999,
      eventTime: 1,
      rereads: true,
      gap: { from: 1, to: 2, reason: 'stale-token' as const, token: '"'.repeat(200) },
    };
    const metadata = toMetadata(facts);
    const size = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(size).toBeLessThan(1500);
    expect(Object.values(metadata).join('')).toMatch(/^[\x20-\x7e]*$/);
    expect(fromMetadata(metadata)).toStrictEqual(facts);
  });

  it.each([
    ['nothing', {}],
    [
      'a count that is none',
      { count: 'many', bytes: '1', 'event-time': '2026-01-02T00:00:00.000Z', rereads: '0' },
    ],
    [
      'a gap that is no JSON',
      { count: '1', bytes: '1', 'event-time': '2026-01-02T00:00:00.000Z', rereads: '0', gap: '{' },
    ],
  ])('is not taken for ours when its metadata is %s', (_, metadata) => {
    expect(fromMetadata(metadata)).toBeUndefined();
  });
});
