import { describe, expect, it } from 'vitest';
import { planRewind, rewind } from '../../../functions/core/operate/rewind.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { MINUTE } from '../simulation/world.ts';
import { OperatedWorld } from './operated-world.ts';
import { catchUp, collected, goBack, sorted, withGap } from './rewinding.ts';

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

  it('is not done by a clock that is wrong, to which its lease may seem to have ended', async () => {
    const world = await collected();
    const plan = await planRewind(
      world.reading,
      { org: 'institution', to: { kind: 'sequence', sequence: 2 }, mode: 'fill', now: world.now },
      never,
    );
    const lease = { owner: 'run-7', expiresAt: world.now + MINUTE };
    world.cursors.poke({ ...world.cursor, lease });
    const ahead = world.now + 30 * MINUTE;
    const clock = { ...world.reading.clock, now: () => ahead };
    const probe = async () => ({
      ...{ kind: 'answer' as const, status: 401, sentAt: ahead, receivedAt: ahead, serverAt: world.now },
    });
    await expect(
      rewind({ ...world.reading, clock, probe }, world.organization, plan, 'operator', never),
    ).rejects.toThrow('our clock is 1800 s ahead');
    // Less than that is no fault, and must do no harm.
    const little = { ...clock, now: () => lease.expiresAt + MINUTE / 2 };
    await expect(
      rewind({ ...world.reading, clock: little }, world.organization, plan, 'operator', never),
    ).rejects.toMatchObject({ code: 'busy' });
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
