import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RewindTo } from '../../../functions/core/operate/rewind-target.ts';
import { verify } from '../../../functions/core/operate/verify.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { OperatedWorld, stepOf } from './operated-world.ts';
import { catchUp, collected, goBack, sorted, verdictOf, withGap } from './rewinding.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('going back to fill', () => {
  it('a gap: what was missed is added, nothing is archived twice', async () => {
    const world = await withGap();
    expect((await verdictOf(world)).kinds).toStrictEqual(['gap hole']);
    const { plan } = await goBack(world, { kind: 'gap', index: 0 });
    expect(plan).toMatchObject({ target: { token: 't12' }, events: 3, mayRepeat: false });
    expect(world.cursor).toMatchObject({ token: 't12', rereads: true, caughtUp: false });
    expect(world.cursor.lease).toBeUndefined();
    const [gap] = world.cursor.gaps;
    expect(gap).toMatchObject({ token: 't12', to: gap?.from });
    const before = world.committedLines().length;
    await catchUp(world);
    expect(world.committedLines().length).toBe(before + 2);
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
    expect(world.cursor).toMatchObject({ token: 't17', rereads: false });
    const { verdict, kinds } = await verdictOf(world);
    expect({ verdict, kinds: kinds.sort() }).toMatchObject({
      verdict: 'whole',
      kinds: ['gap note', 'rewound note'],
    });
  });

  it('a gap by a time in it', async () => {
    const world = await withGap();
    const { plan } = await goBack(world, { kind: 'time', time: world.now - 2 * HOUR });
    expect(plan.target.token).toBe('t12');
    await catchUp(world);
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
  });

  it('a lost object: its events come back', async () => {
    const world = await collected();
    world.archive.lose(world.keyOf(2));
    const { plan } = await goBack(world, { kind: 'sequence', sequence: 2 });
    expect(plan).toMatchObject({ target: { token: 't3', sequence: 2 }, batches: 3 });
    await catchUp(world);
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
  });

  it('nothing: where nothing is missing, nothing is added', async () => {
    const world = await collected();
    const { sequence } = world.cursor;
    await goBack(world, { kind: 'sequence', sequence: 2 });
    await catchUp(world);
    expect(world.cursor).toMatchObject({ sequence, token: 't12' });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('takes more than one run, and still archives nothing twice', async () => {
    const world = new OperatedWorld({ settings: { limit: 2 } });
    world.provider.append(40, 20 * MINUTE);
    await world.run();
    world.archive.lose(world.keyOf(3));
    world.archive.lose(world.keyOf(2));
    await goBack(world, { kind: 'sequence', sequence: 2 });
    const { report, stopReading } = world.start();
    world.provider.script = ({ token }) => {
      if (token === 't10') stopReading.abort();
      return undefined;
    };
    expect(await report).toMatchObject({ outcome: 'time-up', events: 4, repeats: 6 });
    expect(world.cursor.rereads).toBe(true);
    world.provider.append(1);
    await catchUp(world);
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
    expect(world.cursor.rereads).toBe(false);
  });

  it('twice: the second time changes nothing any more', async () => {
    const world = await withGap();
    for (let time = 0; time < 2; time++) {
      await goBack(world, { kind: 'gap', index: 0 });
      await goBack(world, { kind: 'gap', index: 0 });
      await catchUp(world);
    }
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
  });

  it('to a place before events that were filled in: those hide nothing of what came before them', async () => {
    // A page of nothing else.
    const world = await withGap(3);
    await goBack(world, { kind: 'gap', index: 0 });
    await catchUp(world);
    await goBack(world, { kind: 'sequence', sequence: 7 });
    await catchUp(world);
    expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
  });

  it('leaves every event archived once, wherever it goes back to, however often, whatever dies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            events: fc.nat(5),
            to: fc.option(fc.nat(12), { nil: undefined }),
            at: fc.nat(20),
            mishap: fc.constantFrom('before', 'after', 'lost'),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        async (steps) => {
          const world = new OperatedWorld({ backlog: 4 });
          await world.run();
          for (const { events, to, at, mishap } of steps) {
            world.provider.append(events);
            await world.run(new Fuse({ at, mishap }));
            world.now += 10 * MINUTE;
            if (to === undefined) continue;
            const sequence = 2 + (to % Math.max(1, world.cursor.sequence - 1));
            if (sequence > world.cursor.sequence) continue;
            await goBack(world, { kind: 'sequence', sequence });
          }
          await catchUp(world);
          await catchUp(world);
          expect(sorted(world.committedLines())).toStrictEqual(sorted(world.provider.lines));
          const { verdict, kinds } = await verdictOf(world);
          expect({ verdict, kinds: kinds.filter((kind) => kind !== 'rewound note') }).toStrictEqual({
            verdict: 'whole',
            kinds: [],
          });
        },
      ),
      { seed: 4711, numRuns: 150 },
    );
  });
});

describe('going back to repeat', () => {
  it('archives everything from there once more, under new numbers', async () => {
    const world = await collected();
    const { sequence } = world.cursor;
    const { plan } = await goBack(world, { kind: 'sequence', sequence: 4 }, 'repeat');
    expect(plan).toMatchObject({ events: 5, batches: 2 });
    expect(world.cursor).toMatchObject({ token: 't7', rereads: false });
    await catchUp(world);
    expect(world.committedLines()).toStrictEqual([...world.provider.lines, ...world.provider.lines.slice(7)]);
    expect(world.cursor.sequence).toBeGreaterThan(sequence);
    for (const destination of ['siem', 'lake'])
      expect(new Set(world.announced(destination)).size).toBe(world.cursor.sequence);
    expect(await verdictOf(world)).toStrictEqual({ verdict: 'whole', kinds: ['rewound note'] });
  });
});

describe('the place to go back to', () => {
  it('by a time lies before every event from then on', async () => {
    const world = new OperatedWorld();
    for (let run = 0; run < 20; run++) {
      world.provider.append(2);
      await world.run();
    }
    const time = NOON + 60 * MINUTE;
    const { plan } = await goBack(world, { kind: 'time', time }, 'repeat');
    const from = Number(plan.target.token.slice(1));
    const lines = world.provider.lines.map((line) => Date.parse(JSON.parse(line).timeStampISO));
    expect(lines.slice(0, from).every((at) => at < time)).toBe(true);
    // And not much earlier: ten minutes and a run.
    expect(lines.slice(from).every((at) => at >= time - 16 * MINUTE)).toBe(true);
    expect(plan.target.at).toBe(lines[from]);
    expect(plan.events).toBe(lines.length - from);
  });

  it('lies before an event that stands in the log before older ones, which came late', async () => {
    const world = await collected();
    world.now += HOUR;
    world.provider.append(1);
    await world.run(new Fuse(), 0);
    world.provider.append(1, 7 * MINUTE);
    await world.run(new Fuse(), 0);
    const { plan } = await goBack(world, { kind: 'time', time: world.now - 2 * MINUTE });
    expect(plan.target.token).toBe('t12');
  });

  it('is where the batch before ended, where the one behind is lost', async () => {
    const world = await collected();
    world.now += HOUR;
    world.provider.append(3);
    await world.run();
    world.provider.append(3);
    await world.run();
    const time = world.now - 20 * MINUTE;
    world.archive.lose(world.keyOf(6));
    const { plan } = await goBack(world, { kind: 'time', time });
    expect(plan.target.token).toBe('t12');
  });

  it.each<[string, RewindTo, RegExp]>([
    ['before the first batch', { kind: 'sequence', sequence: 0 }, /batches 1 to 5, not 0/],
    ['behind the last', { kind: 'sequence', sequence: 6 }, /batches 1 to 5, not 6/],
    ['without a token', { kind: 'sequence', sequence: 1 }, /no token of where batch 1/],
    ['no gap', { kind: 'gap', index: 0 }, /gap 1 of institution has no token/],
    ['before anything was collected', { kind: 'time', time: NOON - DAY }, /keeps no token from before/],
    ['91 days ago', { kind: 'time', time: NOON - 91 * DAY }, /outside the 90 days/],
  ])('is refused: %s', async (_, to, message) => {
    const world = await collected();
    const before = world.cursor;
    await expect(goBack(world, to)).rejects.toThrow(message);
    expect(world.cursor).toBe(before);
  });

  it('is refused where its events are older than the provider keeps', async () => {
    const world = await collected();
    world.now += 91 * DAY;
    await expect(goBack(world, { kind: 'sequence', sequence: 2 })).rejects.toThrow(/outside the 90 days/);
  });

  it('is refused where the provider does: the cursor keeps the place that it has', async () => {
    const world = await collected();
    const before = world.cursor;
    world.provider.forget('t3');
    await expect(goBack(world, { kind: 'sequence', sequence: 2 })).rejects.toMatchObject({
      code: 'stale-token',
    });
    expect(world.cursor).toBe(before);
  });

  it('needs a cursor', async () => {
    const world = new OperatedWorld();
    await expect(goBack(world, { kind: 'sequence', sequence: 1 })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(world.row()).toBeUndefined();
  });
});

it('reports through the audit what an operator did', async () => {
  const world = await collected();
  await goBack(world, { kind: 'sequence', sequence: 2 }, 'repeat');
  await catchUp(world);
  const steps = verify(world.system, world.cursor, { from: '2026-01-02', to: '2026-01-02' }, never);
  const { finding } = await stepOf(steps, 'finding');
  expect(finding.message).toContain('batch 6 begins at another place');
  expect(finding.message).toContain('the beginning of batch 2');
});
