import { describe, expect, it } from 'vitest';
import { expectAllSettled } from './delivery-invariants.ts';
import { DESTINATION, DeliveryWorld, MINUTE, VISIBILITY_MS } from './delivery-world.ts';
import { POISON } from './virtual-sink.ts';

const LIMITS = { bytes: 20_000, events: 1_000 };

function lines(count: number, poison: ReadonlySet<number> = new Set()): string[] {
  return Array.from(
    { length: count },
    (_, at) => `{"at":${at},"kind":"${poison.has(at + 1) ? POISON : 'good'}"}`,
  );
}

describe.each(['splunk', 'elastic'] as const)('in the manner of %s', (manner) => {
  it('a poison event in 10,000: 9,999 arrive, one is rejected with its reason', async () => {
    const world = new DeliveryWorld({ manner, limits: LIMITS, gzip: true });
    const key = await world.announce(lines(10_000, new Set([7_531])));
    const report = await world.invoke();
    expect(report).toMatchObject({ delivered: 9_999, rejected: 1, failures: [] });
    expect(world.rejected()).toStrictEqual([
      {
        event_id: 'institution:logs:k3v9q:1:7531',
        reason: expect.any(String),
        detail: 'for a reason',
        destination: DESTINATION,
        object: key,
        line: 7_531,
        event: '{"at":7530,"kind":"poison"}',
      },
    ]);
    expect([...world.archive.objects.keys()][1]).toBe(
      'rejected/siem/logs/org=institution/dt=2026-01-02/k3v9q-000000000001-7531.ndjson',
    );
    expect(world.events).toStrictEqual([
      { kind: 'rejected', key, line: 7_531, reason: 'the event is invalid' },
    ]);
    await expectAllSettled(world, () => 'one in 10,000');
  });

  it('99 refusals running are the events, a hundred are the sink', async () => {
    const few = new DeliveryWorld({ manner, limits: LIMITS });
    await few.announce(
      lines(
        99,
        new Set(
          lines(99)
            .keys()
            .map((at) => at + 1),
        ),
      ),
    );
    expect(await few.invoke()).toMatchObject({ delivered: 0, rejected: 99, failures: [] });

    const many = new DeliveryWorld({ manner, limits: LIMITS });
    await many.announce(
      lines(
        100,
        new Set(
          lines(100)
            .keys()
            .map((at) => at + 1),
        ),
      ),
    );
    const report = await many.invoke();
    expect(report).toMatchObject({ delivered: 0, rejected: 0, failures: [{ kind: 'refusals' }] });
    expect(many.rejected()).toStrictEqual([]);
  });

  it('a sink gone mad rejects nothing, and gets everything once it is well', async () => {
    const world = new DeliveryWorld({ manner, limits: LIMITS });
    await world.announce(lines(3_000));
    const mad = world.sink.isPoison;
    world.sink.isPoison = (text) => Number(/\d+/.exec(text)?.[0]) >= 500;
    const report = await world.invoke();
    expect(report).toMatchObject({ delivered: 500, rejected: 0, failures: [{ kind: 'refusals' }] });
    expect(report?.failures[0]?.reason).toMatch(/100 events running were refused/);
    expect(world.ledger.rows).toMatchObject([{ lines: 500, done: false }]);
    world.now += 15 * MINUTE;
    world.sink.isPoison = mad;
    expect(await world.invoke()).toMatchObject({ delivered: 2_500, failures: [] });
    await expectAllSettled(world, () => 'mad');
  });

  it('refusals run on from object to object, and from one invocation to the next', async () => {
    const world = new DeliveryWorld({ manner, limits: LIMITS });
    for (let object = 0; object < 30; object++) await world.announce(lines(10));
    const mad = world.sink.isPoison;
    world.sink.isPoison = () => true;
    const container = world.container();
    const outcomes = [];
    for (let turn = 0; turn < 3; turn++) {
      const received = await world.queue.receive(10, new AbortController().signal);
      outcomes.push(await container(received.map((message) => ({ id: message.receipt, ...message }))));
    }
    // The first 99 had to be taken for what they seemed to be; from the hundredth on nothing is rejected.
    expect(outcomes.map(({ rejected }) => rejected)).toStrictEqual([90, 0, 0]);
    expect(outcomes.map(({ failures }) => failures.length)).toStrictEqual([1, 10, 10]);
    expect(outcomes[2]?.requests).toBeLessThanOrEqual(4);
    world.sink.isPoison = mad;
  });

  it('an event that is no text is kept byte for byte', async () => {
    const world = new DeliveryWorld({ manner, limits: LIMITS });
    const key = await world.announce([`{"${POISON}":"\u{fffd}"}`]);
    const stored = world.archive.objects.get(key);
    const damaged = Buffer.from(stored?.bytes ?? []);
    damaged.writeUInt8(0xff, damaged.indexOf(0xef));
    stored?.bytes.fill(0).set(damaged);
    await world.invoke();
    expect(world.rejected()).toMatchObject([
      { event_base64: damaged.subarray(0, damaged.length - 1).toString('base64') },
    ]);
  });
});

describe('messages that announce nothing of ours', () => {
  const record = (key: string, bucket = 'memory', eventTime = '2026-01-02T03:04:05.678Z') =>
    JSON.stringify({ Records: [{ eventTime, s3: { bucket: { name: bucket }, object: { key } } }] });
  const ours = 'logs/org%3Dinstitution/dt%3D2026-01-02/k3v9q-000000000001.ndjson.gz';

  it.each([
    ['no JSON', 'hello'],
    ['S3’s own test', '{"Service":"Amazon S3","Event":"s3:TestEvent"}'],
    ['no record', '{"Records":[]}'],
    ['a key of another kind', record('photos/cat.jpg')],
    ['a key that cannot be decoded', record('%E0%A4%A')],
    ['a rejected event', record(`rejected/siem/${ours}`)],
    ['another bucket', record(ours, 'elsewhere')],
    ['no time', record(ours, 'memory', 'soon')],
  ])('fail, hold up nobody, and end as dead letters: %s', async (_, body) => {
    const world = new DeliveryWorld();
    await world.queue.send(body, new AbortController().signal);
    await world.announce(['{"a":1}']);
    const report = await world.invoke();
    expect(report).toMatchObject({ delivered: 1, failures: [{ kind: 'unreadable' }] });
    expect(report?.failures[0]?.reason).not.toContain('photos');
    for (let receive = 0; receive < 400; receive++) {
      world.now += VISIBILITY_MS;
      await world.invoke();
    }
    expect(world.queue.dead).toStrictEqual([body]);
  });
});
