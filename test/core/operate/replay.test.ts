import { describe, expect, it } from 'vitest';
import { planReplay, type ReplayWindow, replay } from '../../../functions/core/operate/replay.ts';
import { never } from '../../contracts/support.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { all, OperatedWorld, PULLED, PUSHED, stepOf } from './operated-world.ts';

/** Six batches of 2 events, five minutes apart. */
async function collected(): Promise<OperatedWorld> {
  const world = new OperatedWorld();
  await world.collectAll([2, 2, 2, 2, 2, 2]);
  return world;
}

async function planned(world: OperatedWorld, window: ReplayWindow) {
  const { plan } = await stepOf(planReplay(world.system, world.cursor, window, never), 'plan');
  return plan;
}

/** What the collector told a destination, by key. */
function told(world: OperatedWorld, destination: string): Map<string, string> {
  return new Map(
    world.trace.flatMap((entry) =>
      entry.kind === 'sent' && entry.destination === destination ? [[entry.key, entry.body] as const] : [],
    ),
  );
}

const ALL = { firstSequence: 1, lastSequence: 6 };

describe('the plan of a replay', () => {
  it('says what would be announced, and changes nothing', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    const stored = [...world.archive.objects.values()].reduce((sum, { size }) => sum + size, 0);
    expect(plan).toMatchObject({
      sequences: [1, 2, 3, 4, 5, 6],
      events: 12,
      storedBytes: stored,
      missing: [],
    });
    expect(plan.bytes).toBe(world.committedLines().join('\n').length + 1);
    expect(world.queueOf('siem').sent).toHaveLength(0);
    expect(world.queueOf('lake').sent).toHaveLength(0);
  });

  it('takes a time window by the events, not by when they were collected', async () => {
    const world = await collected();
    const at = NOON + 10 * MINUTE;
    // Four began by then; two more began less than 10 minutes after.
    expect((await planned(world, { from: at - MINUTE, to: at + MINUTE })).sequences).toStrictEqual([4, 5, 6]);
    expect((await planned(world, { from: NOON - MINUTE, to: NOON + MINUTE })).sequences).not.toContain(6);
    expect(
      (await planned(world, { from: NOON + 60 * MINUTE, to: NOON + 90 * MINUTE })).sequences,
    ).toStrictEqual([]);
    world.provider.append(2, 15 * MINUTE);
    await world.run();
    expect((await planned(world, { from: at - MINUTE, to: at + MINUTE })).sequences).toContain(7);
  });

  it('leaves out no event that was late in the log, behind newer ones', async () => {
    const world = await collected();
    world.provider.append(1);
    world.provider.append(1, 9 * MINUTE);
    await world.run();
    const [late = ''] = world.provider.lines.slice(-1);
    const at = Date.parse(JSON.parse(late).timeStampISO);
    expect((await planned(world, { from: at, to: at })).sequences).toContain(7);
  });

  it('tells what the row no longer knows the keys of, rather than to leave it out in silence', async () => {
    const world = await collected();
    const { days } = world.cursor;
    const [today = ''] = Object.keys(days);
    world.cursors.poke({ ...world.cursor, days: { [today]: 4 } });
    const forgotten = { last: 3, before: today };
    expect(await planned(world, { from: NOON - 26 * 60 * MINUTE, to: world.now })).toMatchObject({
      ...{ sequences: [4, 5, 6], missing: [], forgotten },
    });
    expect(await planned(world, ALL)).toMatchObject({ sequences: [4, 5, 6], missing: [], forgotten });
    expect(await planned(world, { firstSequence: 4, lastSequence: 5 })).not.toHaveProperty('forgotten');
  });

  it('counts what is gone, and goes no further than what is committed', async () => {
    const world = await collected();
    world.archive.lose(world.keyOf(2));
    const plan = await planned(world, { firstSequence: -3, lastSequence: 99 });
    expect(plan).toMatchObject({ sequences: [1, 3, 4, 5, 6], missing: [2], events: 10 });
  });
});

describe('a replay', () => {
  it('sends the very messages that the collector sent, to the destinations named only', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    const steps = await all(replay(world.system, plan, [PULLED], never));
    expect(world.queueOf('lake').sent).toStrictEqual([...told(world, 'lake').values()]);
    expect(world.queueOf('siem').sent).toHaveLength(0);
    expect(steps.at(-1)).toStrictEqual({ kind: 'done', announced: 6 });
    expect(steps[0]).toStrictEqual({ kind: 'announced', sequence: 1, events: 2, done: 1, of: 6 });
  });

  it('forgets a push destination’s progress, and no other’s', async () => {
    const world = await collected();
    const key = world.keyOf(2);
    for (const destination of ['siem', 'lake'])
      await world.ledger.progress(
        { destination, key, expected: 0, lines: 2, done: true, expiresAt: 1 },
        never,
      );
    await all(replay(world.system, await planned(world, ALL), [PUSHED, PULLED], never));
    expect(world.ledger.rows).toMatchObject([{ destination: 'lake' }]);
    expect(world.queueOf('siem').sent).toHaveLength(6);
    expect(world.queueOf('lake').sent).toHaveLength(6);
  });

  it('twice sends the same twice', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    await all(replay(world.system, plan, [PUSHED], never));
    world.now += 60 * MINUTE;
    await all(replay(world.system, plan, [PUSHED], never));
    const { sent } = world.queueOf('siem');
    expect(sent.slice(6)).toStrictEqual(sent.slice(0, 6));
  });

  it('passes over what is gone since', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    world.archive.lose(world.keyOf(3));
    const steps = await all(replay(world.system, plan, [PULLED], never));
    expect(steps.filter(({ kind }) => kind === 'missing')).toMatchObject([{ sequence: 3 }]);
    expect(steps.at(-1)).toStrictEqual({ kind: 'done', announced: 5 });
  });

  it('stops between two batches and says where to go on; from there it completes', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    const stop = new AbortController();
    let next = 0;
    for await (const step of replay(world.system, plan, [PULLED], stop.signal)) {
      if (step.kind === 'announced' && step.sequence === 4) stop.abort();
      if (step.kind === 'stopped') next = step.next;
    }
    expect(next).toBe(5);
    expect(world.queueOf('lake').sent).toHaveLength(4);
    await all(replay(world.system, await planned(world, { ...ALL, firstSequence: next }), [PULLED], never));
    expect(world.queueOf('lake').sent).toStrictEqual([...told(world, 'lake').values()]);
  });

  it('ends at a queue that refuses, and says where to go on', async () => {
    const world = await collected();
    const plan = await planned(world, ALL);
    let calls = 0;
    const lake = world.queueOf('lake');
    const queue = () =>
      Object.assign(Object.create(lake), {
        send: async (body: string) => {
          if (++calls === 3) throw new Error('the queue refuses');
          await lake.send(body, never);
        },
      });
    const steps = await all(replay({ ...world.system, queue }, plan, [PULLED], never));
    expect(steps.at(-1)).toMatchObject({ kind: 'stopped', next: 3, error: { message: 'the queue refuses' } });
  });
});
