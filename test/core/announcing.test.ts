import { describe, expect, it } from 'vitest';
import { Fuse } from './simulation/fuse.ts';
import { status } from './simulation/virtual-provider.ts';
import { MINUTE, NOON, World } from './simulation/world.ts';

describe('announcing', () => {
  it('costs a healthy run no HEAD: it knows what it put', async () => {
    const world = new World({ backlog: 3 });
    const fuse = new Fuse();
    await world.run(fuse);
    // acquire, two GETs, put, commit, two sends, release
    expect(fuse.calls).toBe(8);
  });

  it('costs an idle run one GET and two writes', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const fuse = new Fuse();
    expect(await world.run(fuse)).toMatchObject({ outcome: 'caught-up', pages: 1 });
    expect(fuse.calls).toBe(3);
  });

  it('starts a new destination at the current sequence, and drops one that is gone', async () => {
    const world = new World({ backlog: 6 });
    await world.run();
    const row = world.row();
    if (row) world.cursors.poke({ ...row, announced: { siem: 2, former: 1 } });
    await world.run();
    expect(world.row()?.announced).toStrictEqual({ siem: 2, lake: 2 });
    world.provider.append(1);
    await world.run();
    expect(world.announced('lake')).toHaveLength(3);
    expect(world.row()?.announced).toStrictEqual({ siem: 3, lake: 3 });
  });

  it('minds no name that every object has a member of', async () => {
    const world = new World({ backlog: 2, destinations: ['constructor'] });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', owed: { constructor: 0 } });
    expect(world.announced('constructor')).toHaveLength(1);
  });

  it('tells a destination that was behind of everything, oldest first', async () => {
    const world = new World({ backlog: 9 });
    world.refusing.add('lake');
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', owed: { siem: 0, lake: 3 } });
    expect(world.events.filter(({ kind }) => kind === 'announce-failed')).toHaveLength(1);
    world.refusing.delete('lake');
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ owed: { siem: 0, lake: 0 } });
    expect(world.announced('lake')).toStrictEqual(world.committedKeys());
  });

  it('catches up with a bounded number of owed batches a run', async () => {
    const world = new World({ backlog: 450, settings: { limit: 1 } });
    world.refusing.add('lake');
    await world.run();
    world.refusing.delete('lake');
    expect(await world.run()).toMatchObject({ owed: { siem: 0, lake: 250 } });
    expect(await world.run()).toMatchObject({ owed: { lake: 50 } });
    expect(await world.run()).toMatchObject({ owed: { lake: 0 } });
    expect(world.announced('lake')).toStrictEqual(world.committedKeys());
  });

  it('passes over an object that is gone, records it, and fails the run once', async () => {
    const world = new World({ backlog: 6 });
    world.refusing.add('lake');
    await world.run();
    world.refusing.delete('lake');
    const [gone = '', kept = ''] = world.committedKeys();
    world.archive.lose(gone);
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'storage' });
    expect(error?.message).toContain(gone);
    expect(world.announced('lake')).toStrictEqual([kept]);
    expect(world.row()?.gaps).toMatchObject([{ reason: 'object-missing', token: gone }]);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up' });
  });

  it('records an object that is gone with the commit that passes over it, in case the run dies', async () => {
    const world = new World({ backlog: 6 });
    world.refusing.add('lake');
    await world.run();
    world.refusing.delete('lake');
    const [gone = ''] = world.committedKeys();
    world.archive.lose(gone);
    world.provider.append(1);
    // acquire, two HEADs, send, GET, put, commit
    await world.run(new Fuse({ at: 6, mishap: 'after' }));
    expect(world.row()).toMatchObject({ sequence: 3, announced: { lake: 2 } });
    const gaps = [{ reason: 'object-missing', token: gone }];
    expect(world.row()?.gaps).toMatchObject(gaps);
    await world.run();
    expect(world.row()?.gaps).toMatchObject(gaps);
  });

  it('sends the same message again, by HEAD, when a predecessor died before recording it', async () => {
    const world = new World({ backlog: 3 });
    await world.run(new Fuse({ at: 6, mishap: 'after' }));
    await world.run();
    const bodies = world.trace.flatMap((entry) => (entry.kind === 'sent' ? [entry.body] : []));
    expect(bodies.length).toBeGreaterThan(2);
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('an object that is where the next put goes', () => {
  it('is adopted when it goes on from the row’s token, and reading goes on from its end', async () => {
    const world = new World({ backlog: 6 });
    await world.run(new Fuse({ at: 4, mishap: 'before' }));
    expect(world.row()?.sequence).toBe(0);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', adopted: 1, batches: 2, events: 6 });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('is adopted after a night in which nothing could be read: no run has changed the next key', async () => {
    const world = new World({ backlog: 3, startAt: NOON + (12 * 60 - 6) * MINUTE });
    await world.run();
    world.provider.append(2);
    await world.run(new Fuse({ at: 2, mishap: 'after' }), MINUTE);
    expect(world.archive.objects.size).toBe(2);
    world.provider.script = () => status(401);
    await world.run(undefined, 6 * MINUTE);
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ adopted: 1, events: 2 });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('is not there after most nights: the next key takes the day of a run that read nothing', async () => {
    const world = new World({ backlog: 3, startAt: NOON + (12 * 60 - 6) * MINUTE });
    await world.run();
    world.provider.append(2);
    world.provider.script = () => status(401);
    await world.run(undefined, 7 * MINUTE);
    world.provider.script = () => undefined;
    await world.run();
    expect(world.committedKeys()[1]).toContain('/dt=2026-01-03/');
  });

  it('stops the run when it goes on from somewhere else: nothing is overwritten', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const key = world.committedKeys()[0]?.replace('000000000001', '000000000002') ?? '';
    const metadata = {
      start: 'elsewhere',
      count: '1',
      bytes: '3',
      'event-time': '2026-01-02T00:00:00.000Z',
      rereads: '0',
    };
    const body = [Buffer.from('{}\n')];
    await world.archive.put({ key, body, contentType: 'x', metadata }, new AbortController().signal);
    world.provider.append(1);
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'object-conflict' });
    expect(error?.message).toContain(key);
    expect(world.row()).toMatchObject({ sequence: 1, token: 't3' });
    expect(world.row()?.lease).toBeUndefined();
  });

  it('stops the run when its metadata is not ours', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const key = world.committedKeys()[0]?.replace('000000000001', '000000000002') ?? '';
    const object = { key, body: [Buffer.from('x')], contentType: 'x', metadata: { by: 'hand' } };
    await world.archive.put(object, new AbortController().signal);
    world.provider.append(1);
    expect((await world.run()).error?.code).toBe('object-conflict');
  });
});

describe('a put that fails', () => {
  it('leaves the cursor where it was', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const { caughtUp: _, ...before } = world.row() ?? {};
    world.provider.append(1);
    expect((await world.run(new Fuse({ at: 2, mishap: 'fails' }))).outcome).toBe('failed');
    expect(world.row()).toMatchObject(before);
    expect(await world.run(undefined, 5 * MINUTE)).toMatchObject({ outcome: 'caught-up', events: 1 });
  });
});
