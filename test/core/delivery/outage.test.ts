import { describe, expect, it } from 'vitest';
import { never } from '../../contracts/support.ts';
import { expectAllSettled } from './delivery-invariants.ts';
import { DAY, DeliveryWorld, HOUR, MAX_RECEIVES, MINUTE } from './delivery-world.ts';
import { DOWN, type Scripted, UNAUTHORIZED } from './virtual-sink.ts';

const BUSY: Scripted = { outcome: { kind: 'retry', reason: 'busy', retryAfterMs: 2 * HOUR } };

/**
 * A sink that answers so for three days while an object comes every hour, then takes everything. Lambda looks every
 * ten seconds.
 */
async function outage(world: DeliveryWorld, during: Scripted): Promise<{ messages: number }> {
  const start = world.now;
  world.sink.script = () => (world.now < start + 3 * DAY ? during : undefined);
  let announced = 0;
  while (world.now < start + 3 * DAY + HOUR) {
    if (world.now >= start + announced * HOUR) {
      await world.announce([`{"object":${announced}}`, '{"second":true}']);
      announced += 1;
    }
    await world.invoke();
    world.now += 10_000;
  }
  return { messages: announced };
}

describe('a sink that is down for three days', () => {
  it.each([
    ['refuses connections', DOWN],
    ['asks to come back in two hours', BUSY],
    ['refuses the credential', UNAUTHORIZED],
  ])('gets everything when it is back: it %s', async (_, during) => {
    const world = new DeliveryWorld();
    const { messages } = await outage(world, during);
    expect(await world.queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
    expect(world.queue.dead).toStrictEqual([]);
    expect(world.sink.taken).toHaveLength(2 * messages);
    await expectAllSettled(world, () => 'outage');
  });

  it('leaves receives for the fourth day', async () => {
    const world = new DeliveryWorld();
    await world.announce(['{"a":1}']);
    world.sink.script = () => DOWN;
    let receives = 0;
    for (const end = world.now + 4 * DAY; world.now < end; world.now += 10_000) {
      if ((await world.invoke()) !== undefined) receives += 1;
    }
    expect(receives).toBeLessThan(MAX_RECEIVES);
    expect(await world.queue.depth(never)).toStrictEqual({ waiting: 1, dead: 0 });
  });
});

describe('trouble', () => {
  it('is tried again inside one invocation, then left to the queue', async () => {
    const world = new DeliveryWorld();
    await world.announce(['{"a":1}']);
    world.sink.script = () => DOWN;
    const first = await world.invoke();
    expect(first?.failures).toMatchObject([{ kind: 'retry', reason: 'the connection was refused' }]);
    expect(world.sink.requests).toHaveLength(3);
    world.now += 20_000;
    expect(await world.invoke()).toBeUndefined();
    world.now += 10_000;
    await world.invoke();
    world.now += 50_000;
    expect(await world.invoke()).toBeUndefined();
    world.now += 10_000;
    expect(await world.invoke()).toBeDefined();
  });

  it('of one object spares the sink the attempts of the others', async () => {
    const world = new DeliveryWorld();
    for (let object = 0; object < 8; object++) await world.announce(['{"a":1}']);
    world.sink.script = () => DOWN;
    await world.invoke();
    expect(world.sink.requests).toHaveLength(3 + 7);
  });

  it('that ends within the wait a sink asks for is outlasted', async () => {
    const world = new DeliveryWorld();
    await world.announce(['{"a":1}']);
    const wait: Scripted = { outcome: { kind: 'retry', reason: 'busy', retryAfterMs: 40_000 } };
    world.sink.script = ({ number }) => (number === 1 ? wait : undefined);
    expect(await world.invoke()).toMatchObject({ delivered: 1, failures: [] });
    expect(world.slept).toStrictEqual([40_000]);
  });

  it('whose wait is longer than the invocation is left to the queue at once', async () => {
    const world = new DeliveryWorld();
    await world.announce(['{"a":1}']);
    const wait: Scripted = { outcome: { kind: 'retry', reason: 'busy', retryAfterMs: 8 * MINUTE } };
    world.sink.script = () => wait;
    await world.invoke();
    expect(world.slept).toStrictEqual([]);
    world.now += 8 * MINUTE - 1;
    expect(await world.invoke()).toBeUndefined();
    world.now += 1;
    expect(await world.invoke()).toBeDefined();
  });

  it('with the credential stops all objects after one request', async () => {
    const world = new DeliveryWorld();
    for (let object = 0; object < 8; object++) await world.announce(['{"a":1}']);
    world.sink.script = () => UNAUTHORIZED;
    const report = await world.invoke();
    expect(world.sink.requests).toHaveLength(1);
    expect(report?.failures.map(({ kind }) => kind)).toStrictEqual(Array(8).fill('configuration'));
    world.now += 15 * MINUTE - 1;
    expect(await world.invoke()).toBeUndefined();
  });
});
