import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRewind, type RewindMode, rewind } from '../../../functions/core/operate/rewind.ts';
import type { RewindTo } from '../../../functions/core/operate/rewind-target.ts';
import { verify } from '../../../functions/core/operate/verify.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { status } from '../simulation/virtual-provider.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { OperatedWorld, stepOf } from './operated-world.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNKNOWN = status(422, { namesToken: true });

async function goBack(world: OperatedWorld, to: RewindTo, mode: RewindMode = 'fill', fuse = new Fuse()) {
  const { now } = world;
  const plan = await planRewind(world.reading, { org: 'institution', to, mode, now }, never);
  const { cursors, archive, source, clock, random } = world.reading;
  const ports = {
    cursors: fuse.guard(cursors),
    archive: fuse.guard(archive),
    source: fuse.guard(source),
    clock,
    random,
  };
  return { plan, report: await rewind(ports, world.organization, plan, 'operator', never) };
}

/** Runs until the log's end is reached. */
async function catchUp(world: OperatedWorld): Promise<void> {
  for (let run = 0; run < 30; run++) {
    const { outcome, error } = await world.run();
    if (error) throw error;
    if (outcome === 'caught-up') return;
  }
  throw new Error('the end was not reached');
}

async function verdictOf(world: OperatedWorld): Promise<{ verdict: string; kinds: string[] }> {
  const kinds: string[] = [];
  let verdict = '';
  const window = { from: '2025-12-01', to: '2026-06-01' };
  for await (const step of verify(world.system, world.cursor, window, never)) {
    if (step.kind === 'finding') kinds.push(`${step.finding.kind} ${step.finding.severity}`);
    if (step.kind === 'summary') verdict = step.summary.verdict;
  }
  return { verdict, kinds };
}

const sorted = (lines: readonly string[]) => [...lines].sort();

/** Five batches of up to 3 events, t12 the token. */
async function collected(): Promise<OperatedWorld> {
  const world = new OperatedWorld({ backlog: 7 });
  await world.run();
  await world.collectAll([2, 3]);
  return world;
}

/** As `collected`; then the provider forgot the token for a while, and two events in a gap were not read. */
async function withGap(): Promise<OperatedWorld> {
  const world = await collected();
  world.now += 3 * HOUR;
  world.provider.append(2, 2 * HOUR);
  world.provider.append(2);
  world.provider.script = ({ token }) => (token === 't12' ? UNKNOWN : undefined);
  expect(await world.run()).toMatchObject({ gaps: 1, events: 2 });
  world.provider.script = () => undefined;
  world.provider.append(1);
  await world.run();
  return world;
}

describe('going back to fill', () => {
  it('a gap: what was missed is added, nothing is archived twice', async () => {
    const world = await withGap();
    expect((await verdictOf(world)).kinds).toStrictEqual(['gap hole']);
    const { plan } = await goBack(world, { kind: 'gap', index: 0 });
    expect(plan).toMatchObject({ target: { token: 't12' }, events: 3, mayRepeat: false });
    expect(world.cursor).toMatchObject({ token: 't12', rereads: true, caughtUp: false });
    expect(world.cursor.lease).toBeUndefined();
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

describe('beside a run', () => {
  it('is busy, and says who works and until when', async () => {
    const world = await collected();
    const lease = { owner: 'run-7', expiresAt: world.now + MINUTE };
    world.cursors.poke({ ...world.cursor, lease });
    await expect(goBack(world, { kind: 'sequence', sequence: 2 })).rejects.toThrow(
      `run-7, until ${new Date(lease.expiresAt).toISOString()}`,
    );
    expect(world.cursor.lease).toStrictEqual(lease);
  });

  it('that died between put and commit: what it put is committed by the same write', async () => {
    const world = await collected();
    const next = world.keyOf(5).replace('000000000005', '000000000006');
    world.provider.append(2);
    for (let at = 0; !world.archive.objects.has(next); at++) {
      await world.run(new Fuse({ at, mishap: 'after' }));
      world.now += 10 * MINUTE;
    }
    expect(world.cursor.sequence).toBe(5);
    const { report } = await goBack(world, { kind: 'sequence', sequence: 2 });
    expect(report.adopted).toStrictEqual({ key: next, events: 2 });
    expect(world.cursor).toMatchObject({ sequence: 6, token: 't3' });
    await catchUp(world);
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
    expect(world.announced('siem')).toContain(next);
  });

  it('that put its object only after the cursor was set back: a second time adopts it', async () => {
    const world = await collected();
    world.provider.append(2);
    let stalled = new Fuse();
    const next = world.keyOf(5).replace('000000000005', '000000000006');
    for (let at = 0; ; at++) {
      const probe = new OperatedWorld({ backlog: 7 });
      await probe.run();
      await probe.collectAll([2, 3]);
      probe.provider.append(2);
      await probe.run(new Fuse({ at, mishap: 'after' }));
      if (!probe.archive.objects.has(next)) continue;
      stalled = new Fuse({ at, mishap: 'stalls' });
      break;
    }
    world.now += 5 * MINUTE;
    const { report } = world.start(stalled);
    await stalled.whenStalled;
    world.now += 10 * MINUTE;
    await goBack(world, { kind: 'sequence', sequence: 2 });
    stalled.release();
    expect((await report).error?.code).toBe('lease-lost');
    expect(world.archive.objects.has(next)).toBe(true);
    expect((await world.run()).error?.code).toBe('object-conflict');
    await goBack(world, { kind: 'sequence', sequence: 2 });
    await catchUp(world);
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('is not done where another’s object lies under the next key', async () => {
    for (const metadata of [{}, { start: 't99' }]) {
      const world = await collected();
      const key = world.keyOf(5).replace('000000000005', '000000000006');
      const { metadata: ours } = world.archive.objects.get(world.keyOf(5)) ?? {};
      const put = {
        key,
        body: [],
        contentType: '',
        metadata: 'start' in metadata ? { ...ours, ...metadata } : {},
      };
      await world.archive.put(put, never);
      await expect(goBack(world, { kind: 'sequence', sequence: 2 })).rejects.toMatchObject({
        code: 'object-conflict',
      });
      expect(world.cursor).toMatchObject({ token: 't12', sequence: 5 });
      expect(world.cursor.lease).toBeUndefined();
    }
  });
});

describe('whatever call of it dies', () => {
  it.each(['before', 'after', 'lost', 'fails'] as const)(
    '%s: the next runs lose and repeat nothing',
    async (mishap) => {
      const probe = new Fuse();
      await goBack(await withGap(), { kind: 'gap', index: 0 }, 'fill', probe);
      expect(probe.calls).toBeGreaterThanOrEqual(5);
      for (let at = 0; at < probe.calls; at++) {
        const world = await withGap();
        await goBack(world, { kind: 'gap', index: 0 }, 'fill', new Fuse({ at, mishap })).catch(() => {});
        world.now += 5 * MINUTE;
        await catchUp(world);
        await goBack(world, { kind: 'gap', index: 0 });
        await catchUp(world);
        expect(sorted(world.committedLines()), `${mishap} ${at}`).toStrictEqual(sorted(world.provider.lines));
      }
    },
  );

  it('a lost answer to the write is looked into', async () => {
    const probe = new Fuse();
    await goBack(await collected(), { kind: 'sequence', sequence: 2 }, 'fill', probe);
    const world = await collected();
    const fuse = new Fuse({ at: probe.calls - 1, mishap: 'lost' });
    const { report } = await goBack(world, { kind: 'sequence', sequence: 2 }, 'fill', fuse);
    expect(report.row.token).toBe('t3');
    expect(world.cursor.token).toBe('t3');
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
