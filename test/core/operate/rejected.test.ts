import { describe, expect, it } from 'vitest';
import { toMetadata } from '../../../functions/core/batch-facts.ts';
import type { Deployment } from '../../../functions/core/operate/ports.ts';
import {
  listRejected,
  type RejectedFilter,
  retryRejected,
} from '../../../functions/core/operate/rejected.ts';
import { never } from '../../contracts/support.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { POISON } from '../delivery/virtual-sink.ts';
import { all } from './operated-world.ts';

const SECOND = 'institution:logs:k3v9q:1:2';
const FOURTH = 'institution:logs:k3v9q:1:4';

/** Two of five events were refused by the real delivery. */
async function refused(): Promise<{
  world: DeliveryWorld;
  system: Pick<Deployment, 'archive' | 'ledger' | 'queue'>;
}> {
  const world = new DeliveryWorld({ gzip: true });
  await world.announce([
    '{"at":1}',
    `{"at":2,"${POISON}":1}`,
    '{"at":3}',
    `{"at":4,"${POISON}":1}`,
    '{"at":5}',
  ]);
  await world.calm();
  const { archive, ledger, queue } = world;
  return { world, system: { archive, ledger, queue: () => queue } };
}

const idsOf = async (system: Pick<Deployment, 'archive' | 'ledger'>, more: Partial<RejectedFilter> = {}) =>
  (await all(listRejected(system, { destination: 'siem', ...more }, never))).map(
    ({ record }) => record?.eventId,
  );

describe('refused events', () => {
  it('are listed with their reasons', async () => {
    const { world, system } = await refused();
    const [first] = await all(listRejected(system, { destination: 'siem' }, never));
    expect(first).toMatchObject({
      destination: 'siem',
      sent: false,
      record: { eventId: SECOND, reason: 'the event is invalid', object: world.keys[0], line: 2 },
    });
    expect(`${first?.record?.event}`).toBe(`{"at":2,"${POISON}":1}`);
    expect(await idsOf(system)).toStrictEqual([SECOND, FOURTH]);
  });

  it('are listed by destination, organization, time and identifier', async () => {
    const { system } = await refused();
    expect(await idsOf(system, { destination: 'sie' })).toStrictEqual([]);
    expect(await idsOf(system, { org: 'institution' })).toHaveLength(2);
    expect(await idsOf(system, { org: 'institute' })).toStrictEqual([]);
    expect(await idsOf(system, { eventIds: new Set([FOURTH]) })).toStrictEqual([FOURTH]);
    expect(await idsOf(system, { refusedFrom: 1 })).toStrictEqual([]);
    expect(await idsOf(system, { refusedTo: 1 })).toHaveLength(2);
  });

  it('arrive under their old identifiers, alone, after the cause is mended', async () => {
    const { world, system } = await refused();
    const before = world.sink.taken.length;
    world.sink.isPoison = () => false;
    const steps = await all(retryRejected(system, { destination: 'siem' }, never));
    expect(steps.map(({ outcome }) => outcome)).toStrictEqual(['asked', 'asked']);
    await world.calm();
    expect(world.sink.ids.slice(before).sort()).toStrictEqual([SECOND, FOURTH]);
    expect(await idsOf(system, { unsentOnly: true })).toStrictEqual([]);
    expect(
      (await all(listRejected(system, { destination: 'siem' }, never))).map(({ sent }) => sent),
    ).toStrictEqual([true, true]);
  });

  it('are asked for twice without arriving twice', async () => {
    const { world, system } = await refused();
    const before = world.sink.taken.length;
    world.sink.isPoison = () => false;
    await all(retryRejected(system, { destination: 'siem' }, never));
    await all(retryRejected(system, { destination: 'siem' }, never));
    await world.calm();
    await all(retryRejected(system, { destination: 'siem' }, never));
    await world.calm();
    expect(world.sink.taken).toHaveLength(before + 2);
  });

  it('stay unsent where the cause is not mended', async () => {
    const { world, system } = await refused();
    await all(retryRejected(system, { destination: 'siem' }, never));
    await world.calm();
    expect((await world.queue.depth(never)).waiting).toBe(0);
    expect(await idsOf(system, { unsentOnly: true })).toStrictEqual([SECOND, FOURTH]);
    expect(world.rejected()).toHaveLength(2);
  });

  it('carry the time of their object’s announcement, whenever they are asked for', async () => {
    const { world, system } = await refused();
    const key = world.keys[0] ?? '';
    const object = world.archive.objects.get(key);
    world.archive.lose(key);
    const eventTime = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    const metadata = toMetadata({ count: 5, bytes: 1, eventTime, rereads: false });
    await world.archive.put({ key, body: [object?.bytes ?? Buffer.of()], contentType: '', metadata }, never);
    await all(retryRejected(system, { destination: 'siem', eventIds: new Set([SECOND]) }, never));
    world.now += 1_000;
    await all(retryRejected(system, { destination: 'siem', eventIds: new Set([SECOND]) }, never));
    const [first, second] = world.queue.sent.slice(-2);
    expect(first).toBe(second);
    expect(first).toContain('2026-01-02T03:04:05.678Z');
  });

  it('whose record is damaged are named, and the others asked for', async () => {
    const { world, system } = await refused();
    const key = 'rejected/siem/logs/org=institution/dt=2026-01-02/k3v9q-000000000001-2.ndjson';
    world.archive.lose(key);
    await world.archive.put({ key, body: [Buffer.from('{')], contentType: '', metadata: {} }, never);
    const steps = await all(retryRejected(system, { destination: 'siem' }, never));
    expect(steps).toMatchObject([
      { outcome: 'damaged', event: { key, damage: expect.stringContaining('no refused event of ours') } },
      { outcome: 'asked', event: { record: { eventId: FOURTH } } },
    ]);
  });
});
