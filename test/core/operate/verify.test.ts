import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectKey } from '../../../functions/core/keys.ts';
import { verify } from '../../../functions/core/operate/verify.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { status } from '../simulation/virtual-provider.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { audit, isUnchanged, WINDOW } from './auditing.ts';
import { all, OperatedWorld } from './operated-world.ts';
import { collected } from './rewinding.ts';

const HOUR = 60 * MINUTE;

/** What a corruption makes the audit say, and nothing else. */
async function expectOnly(world: OperatedWorld, expected: object, window = WINDOW): Promise<void> {
  const { findings, summary } = await audit(world, window);
  expect(findings).toMatchObject([expected]);
  const { severity } = findings[0] ?? {};
  const verdict = severity === 'hole' ? 'holes' : severity === 'doubt' ? 'doubtful' : 'whole';
  expect(summary.verdict).toBe(verdict);
}

/** Two batches on the first day, then one a day. */
async function overDays(days: number): Promise<OperatedWorld> {
  const world = new OperatedWorld({ backlog: 1 });
  await world.run();
  for (let day = 1; day < days; day++) {
    world.provider.append(1);
    await world.run(new Fuse(), 24 * HOUR);
  }
  return world;
}

describe('an archive that nothing happened to', () => {
  it('is provably whole', async () => {
    const world = await collected();
    const { findings, summary, steps } = await audit(world);
    expect(findings).toStrictEqual([]);
    expect(summary).toMatchObject({ verdict: 'whole', first: 1, last: 5, objects: 5, events: 12 });
    expect(summary.bytes).toBe(world.committedLines().join('\n').length + 1);
    expect(summary.message).toBe(
      'logs of institution is provably whole: batches 1 to 5, 5 objects, 12 events',
    );
    expect(steps.filter(({ kind }) => kind === 'progress').at(-1)).toMatchObject({ checked: 5, of: 5 });
  });

  it('is so whatever the collector died of', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ events: fc.nat(7), at: fc.nat(12), dies: fc.boolean() }), { maxLength: 6 }),
        async (runs) => {
          const world = new OperatedWorld({ backlog: 1 });
          await world.run();
          for (const { events, at, dies } of runs) {
            world.provider.append(events);
            await world.run(new Fuse({ at, mishap: dies ? 'after' : 'lost' }));
          }
          const { findings, summary } = await audit(world);
          expect(findings.filter(({ kind }) => kind !== 'uncommitted')).toStrictEqual([]);
          expect(summary.verdict).toBe('whole');
        },
      ),
      { seed: 20260102, numRuns: 60 },
    );
  });

  it('is audited by days, the token of the first batch too', async () => {
    const world = new OperatedWorld({ backlog: 3 });
    await world.run();
    world.provider.append(3);
    await world.run(new Fuse(), 24 * HOUR);
    world.provider.append(3);
    await world.run(new Fuse(), 24 * HOUR);
    const { summary } = await audit(world, { from: '2026-01-03', to: '2026-01-03' });
    expect(summary).toMatchObject({ verdict: 'whole', objects: 1 });
    await world.rewrite(world.keyOf(summary.first), { metadata: { start: 't1' } });
    await expectOnly(world, { kind: 'chain' }, { from: '2026-01-03', to: '2026-01-03' });
  });

  it('is audited by what is there for days that the row no longer keeps', async () => {
    const world = await collected();
    const third = world.keyOf(3);
    world.cursors.poke({ ...world.cursor, days: { '2026-01-03': 6 } });
    expect((await audit(world)).summary).toMatchObject({ verdict: 'whole', first: 1, last: 5, objects: 5 });
    world.archive.lose(third);
    await expectOnly(world, { kind: 'missing', sequence: 3 });
  });

  it.each([
    ['the first of them', [1]],
    ['the last of them', [4]],
    ['all of them', [1, 2, 3, 4]],
  ])('is not called whole where days that the row no longer keeps lack %s', async (_, lost) => {
    const world = await overDays(5);
    const { days } = world.cursor;
    const kept = Object.fromEntries(Object.entries(days).slice(-2));
    expect(Object.values(kept)[0]).toBe(5);
    world.cursors.poke({ ...world.cursor, days: kept });
    const window = { from: '2026-01-02', to: '2026-01-04' };
    expect((await audit(world, window)).summary).toMatchObject({ verdict: 'whole', first: 1, last: 4 });
    for (const sequence of lost) world.archive.lose(objectKey({ ...world.cursor, days }, sequence) ?? '');
    expect((await audit(world, window)).summary.verdict).not.toBe('whole');
    const later = { from: '2026-01-05', to: '2026-01-06' };
    expect((await audit(world, later)).summary).toMatchObject({ verdict: 'whole', first: 5 });
  });

  it('names what days that the row no longer keeps lack, where their neighbours tell', async () => {
    const world = await overDays(6);
    const { days } = world.cursor;
    world.cursors.poke({ ...world.cursor, days: Object.fromEntries(Object.entries(days).slice(-1)) });
    for (const sequence of [3, 5]) world.archive.lose(objectKey({ ...world.cursor, days }, sequence) ?? '');
    const { findings, summary } = await audit(world, { from: '2026-01-03', to: '2026-01-05' });
    expect(findings).toMatchObject([
      { kind: 'missing', sequence: 3 },
      { kind: 'missing', sequence: 5 },
    ]);
    expect(summary).toMatchObject({ verdict: 'holes', first: 3, last: 5 });
  });

  it('is so for the identity feed, whose tokens are no chain', async () => {
    const world = await collected();
    const row = { ...world.cursor, stream: 'identities.prod' };
    for (let sequence = 1; sequence <= 5; sequence++) {
      const to = objectKey(row, sequence) ?? '';
      await world.rewrite(world.keyOf(sequence), { to, metadata: { start: `walk-${sequence}` } });
    }
    await world.putForeign('identities/org=institution/env=test/dt=2026-01-02/k3v9q-000000000001.ndjson.gz');
    await world.putForeign('walks/org=institution/env=prod/k3v9q-000001/plan.json');
    world.cursors.poke(row);
    const steps = await all(verify(world.system, row, WINDOW, never));
    expect(steps.filter(({ kind }) => kind === 'finding')).toStrictEqual([]);
    expect(steps.at(-1)).toMatchObject({
      summary: { verdict: 'whole', stream: 'identities.prod', objects: 5 },
    });
  });

  it('of which nothing lies in the window holds nothing', async () => {
    const world = await collected();
    const { summary } = await audit(world, { from: '2026-02-01', to: '2026-02-02' });
    expect(summary).toMatchObject({ verdict: 'whole', objects: 0 });
    expect(summary.message).toContain('nothing was committed');
  });
});

describe('the audit names', () => {
  it('an object that is gone, and who was told of it', async () => {
    const world = await collected();
    const key = world.keyOf(2);
    world.archive.lose(key);
    await expectOnly(world, { kind: 'missing', severity: 'hole', sequence: 2, key });
    const { findings, summary } = await audit(world);
    expect(findings[0]?.message).toContain('announced to siem, lake');
    expect(summary.message).toContain('gone: batch 2');
  });

  it.each([1, 5])('batch %i gone: the first, the last', async (sequence) => {
    const world = await collected();
    world.archive.lose(world.keyOf(sequence));
    await expectOnly(world, { kind: 'missing', sequence });
  });

  it('a byte that changed, wherever it lies in the content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const world = await collected();
        const key = world.keyOf(3);
        const lines = world.linesOf(key);
        await world.rewrite(key, {
          bytes: (bytes) => {
            // Behind the header of gzip, whose time and system nobody reads.
            const at = 10 + (place % (bytes.length - 10));
            bytes[at] = (bytes[at] ?? 0) ^ flip;
            return bytes;
          },
        });
        if (isUnchanged(world, key, lines)) return;
        await expectOnly(world, { kind: 'content', severity: 'hole', sequence: 3, key });
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  it('an object that is cut short', async () => {
    const world = await collected();
    await world.rewrite(world.keyOf(3), { bytes: (bytes) => bytes.subarray(0, -5) });
    await expectOnly(world, { kind: 'content', sequence: 3 });
  });

  it('content that was edited', async () => {
    const world = await collected();
    const edited = (change: (text: string) => string) => (bytes: Uint8Array) =>
      gzipSync(change(gunzipSync(bytes).toString()));
    await world.rewrite(world.keyOf(3), { bytes: edited((text) => text.replace('success', 'failure!')) });
    await expectOnly(world, { kind: 'content', sequence: 3 });
    const other = await collected();
    await other.rewrite(other.keyOf(3), { bytes: edited((text) => `${text.slice(0, -1)} `) });
    await expectOnly(other, { kind: 'content', sequence: 3 });
  });

  it.each([
    ['count', '4'],
    ['bytes', '1'],
  ])('metadata whose %s is wrong', async (member, value) => {
    const world = await collected();
    await world.rewrite(world.keyOf(4), { metadata: { [member]: value } });
    await expectOnly(world, { kind: 'content', severity: 'hole', sequence: 4 });
  });

  it('metadata that is none', async () => {
    const world = await collected();
    await world.rewrite(world.keyOf(4), { metadata: { count: 'many' } });
    await expectOnly(world, { kind: 'metadata', severity: 'hole', sequence: 4 });
  });

  it('an object that was replaced long after', async () => {
    const world = await collected();
    world.now += 2 * HOUR;
    await world.rewrite(world.keyOf(4), {});
    await expectOnly(world, { kind: 'rewritten', severity: 'doubt', sequence: 4 });
  });

  it.each([
    'logs/org=institution/dt=2026-01-02/notes.txt',
    'logs/org=institution/dt=2026-01-02/k3v9q-12.ndjson.gz',
    'logs/org=institution/another.ndjson.gz',
    'logs/org=institution/zzz/another',
  ])('a foreign object: %s', async (key) => {
    const world = await collected();
    await world.putForeign(key);
    await expectOnly(world, { kind: 'foreign', severity: 'doubt', key });
  });

  it('nothing of another organization whose name begins alike', async () => {
    const world = await collected();
    await world.putForeign('logs/org=institution2/dt=2026-01-02/notes.txt');
    await world.putForeign('logs/org=institution/dt=2026-01-09/outside.txt');
    expect((await audit(world)).findings).toStrictEqual([]);
  });

  it('an earlier cursor’s object, which is no fault', async () => {
    const world = await collected();
    await world.putForeign('logs/org=institution/dt=2026-01-02/abcdef-000000000001.ndjson.gz');
    await expectOnly(world, { kind: 'foreign', severity: 'note' });
  });

  it('a copy under another day, and an object that was moved there', async () => {
    const world = await collected();
    const to = world.keyOf(2).replace('dt=2026-01-02', 'dt=2026-01-03');
    await world.rewrite(world.keyOf(2), { to });
    const { findings } = await audit(world);
    expect(findings).toMatchObject([
      { kind: 'misplaced', key: to },
      { kind: 'missing', sequence: 2 },
    ]);
  });

  it('a table that is older than the archive', async () => {
    const world = await collected();
    const { sequence } = world.cursor;
    world.cursors.poke({ ...world.cursor, sequence: sequence - 2, token: 't7' });
    const { findings } = await audit(world);
    expect(findings.map(({ kind }) => kind).sort()).toStrictEqual(['beyond', 'uncommitted']);
  });

  it('nothing of runs that go on meanwhile', async () => {
    const world = await collected();
    const row = world.cursor;
    const { archive } = world;
    const list = async function* (...args: Parameters<typeof archive.list>) {
      if (world.cursor.sequence === row.sequence) await world.collectAll([3, 3, 3]);
      yield* archive.list(...args);
    };
    const listed = new Proxy(archive, {
      get: (_, name) => {
        const member = name === 'list' ? list : Reflect.get(archive, name);
        return typeof member === 'function' ? member.bind(archive) : member;
      },
    });
    const steps = await all(verify({ ...world.system, archive: listed }, row, WINDOW, never));
    expect(steps.filter(({ kind }) => kind === 'finding')).toStrictEqual([]);
    expect(steps.at(-1)).toMatchObject({ summary: { verdict: 'whole', first: 1, last: 5, objects: 5 } });
    expect(world.cursor.sequence).toBe(8);
  });

  it('a put that is not committed', async () => {
    const world = await collected();
    world.provider.append(1);
    const key = world.keyOf(5).replace('000000000005', '000000000006');
    for (let at = 0; !world.archive.objects.has(key); at++) {
      world.now += 10 * MINUTE;
      await world.run(new Fuse({ at, mishap: 'after' }));
      if (world.cursor.sequence > 5) throw new Error('it was committed');
    }
    await expectOnly(world, { kind: 'uncommitted', severity: 'note', sequence: 6, key });
  });

  it('a broken chain of tokens', async () => {
    const world = await collected();
    await world.rewrite(world.keyOf(3), { metadata: { start: 't99' } });
    await expectOnly(world, { kind: 'chain', severity: 'doubt', sequence: 3 });
  });

  it('links that are broken everywhere, at a cost that grows with the batches and not with their square', async () => {
    const world = new OperatedWorld();
    await world.collectAll(Array.from({ length: 40 }, () => 1));
    for (let sequence = 2; sequence <= 40; sequence++)
      await world.rewrite(world.keyOf(sequence), { metadata: { start: `s${sequence}` } });
    const { archive } = world;
    let heads = 0;
    archive.head = async (key, signal) => {
      heads++;
      return await Object.getPrototypeOf(archive).head.call(archive, key, signal);
    };
    const { findings } = await audit(world);
    expect(findings.filter(({ kind }) => kind === 'chain')).toHaveLength(39);
    expect(heads).toBeLessThan(3 * 40);
  });

  it('a chain that goes on later as what empty pages do, where the tokens tell', async () => {
    const world = await collected();
    const [earlier, later] = ['019b7d5c-1000-7000-8000-000000000001', '019b7d5c-2000-7000-8000-000000000001'];
    await world.rewrite(world.keyOf(2), { metadata: { end: earlier } });
    await world.rewrite(world.keyOf(3), { metadata: { start: later } });
    await expectOnly(world, { kind: 'chain', severity: 'note', sequence: 3 });
  });

  it('a gap, once, whether its batch or only the row records it', async () => {
    for (const quiet of [false, true]) {
      const world = await collected();
      world.now += 3 * HOUR;
      if (!quiet) world.provider.append(1);
      world.provider.script = ({ token }) =>
        token === 't12' ? status(422, { namesToken: true }) : undefined;
      expect(await world.run()).toMatchObject({ gaps: 1 });
      world.provider.append(1);
      await world.run();
      const { findings } = await audit(world);
      expect(findings).toMatchObject([{ kind: 'gap', severity: 'hole' }]);
      expect(findings[0]?.message).toContain(new Date(NOON + 5 * MINUTE).toISOString().slice(0, 16));
    }
  });

  it('several faults at once, each by its number', async () => {
    const world = await collected();
    world.archive.lose(world.keyOf(2));
    world.archive.lose(world.keyOf(3));
    await world.rewrite(world.keyOf(4), { metadata: { count: '9' } });
    const { summary } = await audit(world);
    expect(summary).toMatchObject({ verdict: 'holes', holes: 3 });
    expect(summary.message).toContain('gone: batch 2, 3');
  });

  it('trouble of the archive itself by an error, and as no finding', async () => {
    const world = await collected();
    const steps = verify(world.system, world.cursor, WINDOW, AbortSignal.abort());
    await expect(all(steps)).rejects.toThrow('given up');
  });
});
