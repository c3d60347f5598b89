import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { objectKey } from '../../../functions/core/keys.ts';
import type { DeployedOrganization } from '../../../functions/core/operate/ports.ts';
import { systemStatus } from '../../../functions/core/operate/status.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';
import { never } from '../../contracts/support.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { OperatedWorld } from './operated-world.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function look(world: OperatedWorld, org?: string) {
  const options = { now: world.now, ...(org !== undefined && { org }) };
  return await systemStatus(world.system, options, never);
}

async function streamOf(world: OperatedWorld) {
  const [stream] = (await look(world)).streams;
  if (stream === undefined) throw new Error('there is no stream');
  return stream;
}

/** Two events every five minutes, for 30 hours but the first. */
async function collected(): Promise<OperatedWorld> {
  const world = new OperatedWorld({ settings: { limit: 10 }, backlog: 2 });
  await world.run();
  await world.collectAll(Array.from({ length: 12 * 29 }, () => 2));
  return world;
}

describe('the status of a cursor', () => {
  it('says where it stands', async () => {
    const world = await collected();
    const stream = await streamOf(world);
    expect(stream).toMatchObject({ org: 'institution', stream: 'logs', health: { verdict: 'ok' } });
    expect(stream.row).toMatchObject({
      ...{ sequence: 349, paused: false, caughtUp: true, tokenDoubted: false, gaps: [] },
      ...{ lastReadAt: world.now, newestEventAt: world.now - 5 * MINUTE },
      owed: { siem: 0, lake: 0 },
    });
    expect(stream.row).not.toHaveProperty('lease');
    expect(JSON.stringify(stream)).not.toContain('t698');
  });

  it('counts the last hour and day by the events’ own times', async () => {
    const world = await collected();
    const { row } = await streamOf(world);
    const since = (ms: number) =>
      world.provider.lines.filter((line) => Date.parse(JSON.parse(line).timeStampISO) >= world.now - ms)
        .length;
    // The two events of a batch lie a second apart: at the edge one may count for both.
    expect(row?.lastHour).toStrictEqual({ count: expect.closeTo(since(HOUR), -0.5), atLeast: false });
    expect(row?.lastDay).toStrictEqual({ count: expect.closeTo(since(DAY), -0.5), atLeast: false });
    expect(row?.lastHour.count).toBeGreaterThan(20);
    expect(row?.lastDay.count).toBeGreaterThan(570);
  });

  it('says "at least" where more was committed than it looks at', async () => {
    const world = await collected();
    const many = {
      ...world.cursor,
      sequence: 5_000,
      days: { [new Date(world.now).toISOString().slice(0, 10)]: 1 },
    };
    world.cursors.poke(many);
    expect((await streamOf(world)).row?.lastDay).toStrictEqual({ count: 0, atLeast: true });
  });

  it('tells the hour exactly where only the day is more than it looks at', async () => {
    const world = await collected();
    const others = Array.from({ length: 999 }, (_, at) => ({ ...world.organization, id: `other-${at}` }));
    world.organizations = [world.organization, ...others];
    const { row } = await streamOf(world);
    expect(row?.lastHour).toMatchObject({ atLeast: false });
    expect(row?.lastHour.count).toBeGreaterThan(20);
    expect(row?.lastDay).toMatchObject({ atLeast: true });
  });

  it('of a thousand organizations takes calls that are bounded, in number and at once', async () => {
    const world = await collected();
    world.organizations = Array.from({ length: 1_000 }, (_, at) => ({
      ...world.organization,
      id: `org-${at}`,
    }));
    const rows = world.organizations.map(({ id: org }) => ({ ...world.cursor, org }));
    const cursors = { ...world.cursors, list: async () => rows };
    const facts = await world.archive.head(world.keyOf(349), never);
    let [heads, now, most] = [0, 0, 0];
    const archive = {
      ...{ bucket: 'b', region: 'r' },
      list: world.archive.list.bind(world.archive),
      put: world.archive.put.bind(world.archive),
      get: world.archive.get.bind(world.archive),
      async head() {
        heads++;
        most = Math.max(most, ++now);
        await null;
        now--;
        return facts;
      },
    };
    const ports = { ...world.system, cursors: Object.setPrototypeOf(cursors, world.cursors), archive };
    const { streams } = await systemStatus(ports, { now: world.now }, never);
    expect(streams).toHaveLength(1_000);
    expect(heads).toBeLessThan(30_000);
    expect(most).toBeLessThanOrEqual(100);
  });

  it('shows a token’s time where it tells one, and a lease', async () => {
    const world = await collected();
    const lease = { owner: 'run-9', expiresAt: world.now - 1 };
    world.cursors.poke({ ...world.cursor, token: '019b7d5c-1000-7abc-8def-000000000001', lease });
    const { row } = await streamOf(world);
    expect(row?.tokenAt).toBe(0x019b7d5c1000);
    expect(row?.lease).toStrictEqual({ ...lease, expired: true });
  });

  it('shows gaps without their tokens', async () => {
    const world = await collected();
    const gap = { from: 1, to: 2, reason: 'stale-token' as const, token: 'confidential' };
    const key = { from: 3, to: 3, reason: 'object-missing' as const, token: 'logs/gone' };
    world.cursors.poke({ ...world.cursor, gaps: [gap, key] });
    const { row } = await streamOf(world);
    expect(row?.gaps).toStrictEqual([
      { from: 1, to: 2, reason: 'stale-token', canRewind: true },
      { from: 3, to: 3, reason: 'object-missing', canRewind: false, key: 'logs/gone', restored: false },
    ]);
  });

  it('is well again once a missing object is back in the archive', async () => {
    const world = await collected();
    const token = objectKey(world.cursor, 1);
    const gap = { from: world.now, to: world.now, reason: 'object-missing' as const, token: token ?? '' };
    world.cursors.poke({ ...world.cursor, gaps: [gap] });
    const { row, health } = await streamOf(world);
    expect(row?.gaps).toMatchObject([{ key: token, restored: true }]);
    expect(health.verdict).toBe('ok');
  });

  it('is given for the identity records too, and for one organization where wished', async () => {
    const world = await collected();
    const second: DeployedOrganization = { ...world.organization, id: 'university', identities: ['prod'] };
    world.organizations = [world.organization, second];
    const names = (await look(world)).streams.map(({ org, stream }) => `${org} ${stream}`);
    expect(names).toStrictEqual(['institution logs', 'university logs', 'university identities.prod']);
    expect((await look(world, 'university')).streams).toHaveLength(2);
  });
});

describe('the verdict on a cursor', () => {
  const cases: [string, (row: CursorRow, now: number) => Partial<CursorRow>, object][] = [
    [
      'paused',
      () => ({ paused: true }),
      { verdict: 'attention', command: 'orglog resume --org institution' },
    ],
    [
      'not read',
      (_, now) => ({ lastReadAt: now - 16 * MINUTE }),
      { verdict: 'broken', reason: /16 minutes old/ },
    ],
    ['a period late', (_, now) => ({ lastReadAt: now - 14 * MINUTE }), { verdict: 'ok' }],
    [
      'a gap after a stale token',
      (_, now) => ({ gaps: [{ from: now - HOUR, to: now - MINUTE, reason: 'stale-token', token: 't1' }] }),
      { verdict: 'attention', command: /^orglog rewind --org institution --to 20/ },
    ],
    [
      'another gap',
      (_, now) => ({ gaps: [{ from: now - HOUR, to: now, reason: 'no-overlap' }] }),
      { verdict: 'attention', command: /--against-provider$/ },
    ],
    [
      'an object that is missing',
      (_, now) => ({ gaps: [{ from: now, to: now, reason: 'object-missing', token: 'logs/x' }] }),
      { verdict: 'attention', reason: /logs\/x/ },
    ],
    [
      'an old gap',
      () => ({ gaps: [{ from: 1, to: NOON - 9 * DAY, reason: 'no-token' }] }),
      { verdict: 'ok' },
    ],
    [
      'a gap of no length',
      (_, now) => ({ gaps: [{ from: now, to: now, reason: 'stale-token', token: 't1' }] }),
      { verdict: 'ok' },
    ],
    [
      'a doubted token',
      () => ({ refusedToken: 't1' }),
      { verdict: 'attention', reason: /refused its token/ },
    ],
    [
      'owing',
      ({ sequence }) => ({ announced: { siem: sequence - 3, lake: sequence } }),
      { reason: /3 to siem/ },
    ],
    [
      'owing while a run is at work',
      ({ sequence }, now) => ({
        announced: { siem: sequence - 3, lake: sequence },
        lease: { owner: 'run', expiresAt: now + MINUTE },
      }),
      { verdict: 'ok' },
    ],
    [
      'behind',
      (_, now) => ({ caughtUp: false, newestEventAt: now - 3 * HOUR }),
      { verdict: 'attention', reason: /3 hours behind/ },
    ],
  ];

  it.each(cases)('%s', async (_, change, expected) => {
    const world = new OperatedWorld({ backlog: 5 });
    await world.run();
    world.cursors.poke({ ...world.cursor, ...change(world.cursor, world.now) });
    const { health } = await streamOf(world);
    const wanted = Object.entries(expected).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(health).toMatchObject(Object.fromEntries(wanted));
  });

  it('never ran, and never was answered', async () => {
    const world = new OperatedWorld();
    expect((await streamOf(world)).health).toMatchObject({
      verdict: 'broken',
      command: 'orglog check --org institution',
    });
    await world.run();
    const { lastReadAt: _, ...unread } = world.cursor;
    world.cursors.poke(unread);
    expect((await streamOf(world)).health.reason).toContain('never answered');
  });
});

describe('the status of a destination', () => {
  const siem = async (world: OperatedWorld) => {
    const found = (await look(world)).destinations.find(({ destination }) => destination.id === 'siem');
    if (found === undefined) throw new Error('there is no such destination');
    return found;
  };

  it('is well while nothing waits', async () => {
    expect(await siem(new OperatedWorld())).toMatchObject({
      health: { verdict: 'ok', reason: 'nothing waits' },
      queue: { visible: 0, inFlight: 0, dead: 0 },
      rejected: { count: 0, atLeast: false },
    });
  });

  it('tells how long messages wait', async () => {
    const world = new OperatedWorld();
    await world.queueOf('siem').send('a', never);
    world.now += 2 * HOUR;
    expect((await siem(world)).health).toMatchObject({ verdict: 'attention', command: 'orglog check' });
    world.now += 5 * DAY;
    expect((await siem(world)).health).toMatchObject({ verdict: 'broken' });
  });

  it('that cannot be looked at hides nothing of the others', async () => {
    const world = await collected();
    const { queue } = world.system;
    const gone = async () => {
      throw new OrglogError('configuration', 'SQS knows no queue siem');
    };
    const system = {
      ...world.system,
      queue: (id: string) => (id === 'siem' ? Object.assign(queue(id), { standing: gone }) : queue(id)),
    };
    const { streams, destinations } = await systemStatus(system, { now: world.now }, never);
    expect(streams).toMatchObject([{ health: { verdict: 'ok' } }]);
    expect(destinations).toMatchObject([
      { health: { verdict: 'broken', reason: expect.stringContaining('SQS knows no queue siem') } },
      { health: { verdict: 'ok' }, queue: { visible: 0 } },
    ]);
  });

  it('tells of dead letters', async () => {
    const world = new OperatedWorld();
    await world.queueOf('siem').send('a', never);
    for (let receive = 0; receive < 4; receive++) {
      await world.queueOf('siem').receive(1, never);
      world.now += 31_000;
    }
    expect((await siem(world)).health).toStrictEqual({
      verdict: 'attention',
      reason: '1 message gave up',
      command: 'orglog redrive --destination siem',
    });
  });

  it('counts refused events that were not taken since, of a pushed destination', async () => {
    const world = new OperatedWorld();
    const put = (id: string, line: number) =>
      world.archive.put(
        { key: `rejected/${id}/logs/x-${line}.ndjson`, body: [], contentType: '', metadata: {} },
        never,
      );
    for (let line = 1; line <= 3; line++) await put('siem', line);
    await put('lake', 1);
    const sent = { destination: 'siem', key: 'rejected/siem/logs/x-1.ndjson', expiresAt: 1 };
    await world.ledger.progress({ ...sent, expected: 0, lines: 1, done: true }, never);
    expect(await siem(world)).toMatchObject({
      rejected: { count: 2, atLeast: false },
      health: { verdict: 'attention', command: 'orglog rejected list --destination siem' },
    });
    for (let line = 4; line <= 250; line++) await put('siem', line);
    expect((await siem(world)).rejected).toStrictEqual({ count: 199, atLeast: true });
    expect((await siem(world)).health.reason).toContain('at least 199 events');
  });
});
