import { describe, expect, it } from 'vitest';
import { announced } from '../../../functions/core/delivery/announced.ts';
import { notification } from '../../../functions/core/notification.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { DESTINATION, DeliveryWorld } from './delivery-world.ts';
import { DOWN, POISON } from './virtual-sink.ts';

const REJECTED = 'rejected/siem/logs/org=institution/dt=2026-01-02/k3v9q-000000000001-2.ndjson';
const ID = 'institution:logs:k3v9q:1:2';
const EVENT = `{"at":2,"kind":"${POISON}"}`;

async function ask(world: DeliveryWorld, key = REJECTED): Promise<void> {
  const head = await world.archive.head(key, never);
  const { bucket, region } = world.archive;
  const { etag, size } = head ?? { etag: 'gone', size: 1 };
  await world.queue.send(notification({ bucket, region, key, etag, size, eventTime: world.now }), never);
}

/** Three events, the second one laid aside. */
async function withRefusal(manner: 'splunk' | 'elastic'): Promise<DeliveryWorld> {
  const world = new DeliveryWorld({ manner, gzip: true });
  await world.announce(['{"at":1}', EVENT, '{"at":3}']);
  await world.calm();
  expect(world.sink.ids).toStrictEqual(['institution:logs:k3v9q:1:1', 'institution:logs:k3v9q:1:3']);
  world.sink.taken.length = 0;
  return world;
}

describe.each(['splunk', 'elastic'] as const)(
  'a refused event, asked for again, in the manner of %s',
  (manner) => {
    it('is sent alone, whole, under the identifier that it had', async () => {
      const world = await withRefusal(manner);
      world.sink.isPoison = () => false;
      await ask(world);
      expect(await world.invoke()).toMatchObject({ delivered: 1, rejected: 0, failures: [] });
      expect(world.sink.taken).toStrictEqual([{ id: ID, text: EVENT }]);
      expect(world.ledger.peek({ destination: DESTINATION, key: REJECTED })).toMatchObject({ done: true });
      expect(world.rejected()).toHaveLength(1);
    });

    it('is not sent a second time', async () => {
      const world = await withRefusal(manner);
      world.sink.isPoison = () => false;
      await ask(world);
      await ask(world);
      await world.calm();
      await ask(world);
      await world.calm();
      expect(world.sink.taken).toHaveLength(1);
    });

    it('stays laid aside when it is refused once more, and can be asked for again', async () => {
      const world = await withRefusal(manner);
      await ask(world);
      expect(await world.invoke()).toMatchObject({ delivered: 0, rejected: 1, failures: [] });
      expect(world.ledger.peek({ destination: DESTINATION, key: REJECTED })).toBeUndefined();
      expect(world.rejected()).toHaveLength(1);
      world.sink.isPoison = () => false;
      await ask(world);
      await world.calm();
      expect(world.sink.ids).toStrictEqual([ID]);
    });

    it('waits for a sink that is down', async () => {
      const world = await withRefusal(manner);
      world.sink.isPoison = () => false;
      world.sink.script = ({ number }) => (number < 7 ? DOWN : undefined);
      await ask(world);
      await world.calm();
      expect(world.sink.ids).toStrictEqual([ID]);
    });

    it('arrives whatever call dies', async () => {
      const probe = new Fuse();
      const sample = await withRefusal(manner);
      sample.sink.isPoison = () => false;
      await ask(sample);
      await sample.invoke(probe);
      expect(probe.calls).toBeGreaterThan(3);
      for (const mishap of ['before', 'after', 'lost'] as const) {
        for (let at = 0; at < probe.calls; at++) {
          const world = await withRefusal(manner);
          world.sink.isPoison = () => false;
          await ask(world);
          await world.invoke(new Fuse({ at, mishap }));
          world.now += 900_000;
          await world.calm();
          expect(new Set(world.sink.ids), `${mishap} ${at}`).toStrictEqual(new Set([ID]));
          const row = world.ledger.peek({ destination: DESTINATION, key: REJECTED });
          expect(row?.done, `${mishap} ${at}`).toBe(true);
        }
      }
    });
  },
);

describe('a refused event', () => {
  it('that is no text is sent with the bytes that it has', async () => {
    const world = new DeliveryWorld({ gzip: true });
    const body = Buffer.from([0x7b, 0xff, 0x7d]);
    const text = { event_id: ID, reason: 'why', destination: 'siem', object: 'o', line: 2 };
    const record = Buffer.from(`${JSON.stringify({ ...text, event_base64: body.toString('base64') })}\n`);
    await world.archive.put({ key: REJECTED, body: [record], contentType: '', metadata: {} }, never);
    await ask(world);
    expect(await world.invoke()).toMatchObject({ delivered: 1, failures: [] });
    expect(world.sink.taken).toStrictEqual([{ id: ID, text: `${body}` }]);
  });

  it('whose record is damaged is said so, without a word of it', async () => {
    const world = new DeliveryWorld();
    const record = Buffer.from('{"event":"confidential"}\n');
    await world.archive.put({ key: REJECTED, body: [record], contentType: '', metadata: {} }, never);
    await ask(world);
    const report = await world.invoke();
    expect(report?.failures).toMatchObject([{ kind: 'retry', key: REJECTED }]);
    expect(report?.failures[0]?.reason).toContain('no refused event of ours');
    expect(report?.failures[0]?.reason).not.toContain('confidential');
  });

  it('is told from its object by its key', () => {
    const named = { bucket: 'b', region: 'r', etag: 'e', size: 1, eventTime: 0 };
    expect(announced(notification({ ...named, key: REJECTED }), 'b')).toStrictEqual({
      kind: 'object',
      object: {
        key: REJECTED,
        org: 'institution',
        stream: 'logs',
        idPrefix: 'institution:logs:k3v9q:1:',
        announcedAt: 0,
        refusedLine: 2,
      },
    });
    for (const key of [
      'rejected/siem/elsewhere-2.ndjson',
      'rejected/logs/org=institution/dt=2026-01-02/k3v9q-000000000001.ndjson.gz',
      REJECTED.replace('-2.', '-.'),
    ])
      expect(announced(notification({ ...named, key }), 'b').kind, key).toBe('unreadable');
  });
});
