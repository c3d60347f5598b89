import { describe, expect, it } from 'vitest';
import { sourceFingerprint } from '../../functions/core/row.ts';
import { Fuse } from './simulation/fuse.ts';
import { page, status } from './simulation/virtual-provider.ts';
import { MINUTE, World } from './simulation/world.ts';

const asked = (world: World) => world.provider.requests.map((request) => request.token);

describe('a run stops reading', () => {
  it('at an empty page', async () => {
    const world = new World({ backlog: 3 });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 2 });
    expect(asked(world)).toStrictEqual([undefined, 't3']);
  });

  it('at a short page whose newest event is recent', async () => {
    const world = new World({ backlog: 2 });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 1, events: 2 });
  });

  it('not at a short page whose newest event is older than 15 minutes', async () => {
    const world = new World();
    world.provider.append(2, 16 * MINUTE);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 2, events: 2 });
  });

  it('not at a short page when filters are set', async () => {
    const world = new World({ backlog: 2, settings: { filters: { service: 'bridge' } } });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 2, events: 2 });
  });

  it('not at a short page whose times cannot be read', async () => {
    const world = new World();
    world.provider.appendLine('{"timeStampISO":"yesterday"}');
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 2, drift: 1 });
  });

  it('at a token that is the one supplied, and keeps the events that came with it', async () => {
    const world = new World({ backlog: 3 });
    world.provider.script = ({ token }) => (token === 't3' ? page(['{"more":1}'], 't3') : undefined);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', pages: 2, events: 4 });
    expect(world.row()).toMatchObject({ token: 't3', rereads: true });
  });

  it('at a null token, which never replaces the stored one', async () => {
    const world = new World({ backlog: 3 });
    world.provider.script = ({ token }) => (token === 't3' ? page(['{"more":1}'], null) : undefined);
    await world.run();
    expect(world.row()).toMatchObject({ token: 't3', rereads: true });
  });

  it('at a token that is no token', async () => {
    const world = new World({ backlog: 3 });
    world.provider.script = () => page(['{}'], 'x'.repeat(201));
    expect(await world.run()).toMatchObject({ pages: 1, events: 1 });
    expect(world.row()?.token).toBeUndefined();
  });

  it('at tokens that go round in a circle', async () => {
    const world = new World();
    world.provider.script = ({ token }) => {
      const next = token === 'a' ? 'b' : 'a';
      return page([`{"after":"${token}"}`, '{}', '{}'], next);
    };
    expect(await world.run()).toMatchObject({ outcome: 'time-up', pages: 3, events: 9 });
    expect(world.row()).toMatchObject({ token: 'b', rereads: true });
  });

  it('when asked to, and commits what is in hand', async () => {
    const world = new World({ backlog: 9, settings: { batchBytes: 1e9 } });
    const { report, stopReading } = world.start();
    world.provider.script = () => {
      if (world.provider.requests.length === 2) stopReading.abort();
      return undefined;
    };
    const ended = await report;
    expect(ended).toMatchObject({ outcome: 'time-up' });
    expect(world.committedLines()).toStrictEqual(world.provider.lines.slice(0, ended.events));
    expect(ended.events).toBeGreaterThan(0);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 9 - ended.events });
  });

  it('and leaves without a GET when the log was found caught up less than the minimum interval ago', async () => {
    const world = new World({ backlog: 1, settings: { minIntervalMs: 4 * MINUTE } });
    await world.run();
    expect(await world.run(undefined, 3 * MINUTE)).toMatchObject({ outcome: 'too-soon', pages: 0 });
    expect(world.provider.requests).toHaveLength(1);
    expect(await world.run(undefined, MINUTE)).toMatchObject({ outcome: 'caught-up', pages: 1 });
  });
});

describe('the cursor', () => {
  it('moves with an empty page that brings a new token', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    world.provider.script = ({ token }) => (token === 't3' ? page([], 't3-later') : undefined);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', batches: 0 });
    expect(world.row()).toMatchObject({ token: 't3-later', sequence: 1, rereads: false });
  });

  it('is left alone by an operator’s pause', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    const row = world.row();
    if (row) world.cursors.poke({ ...row, paused: true });
    expect(await world.run()).toMatchObject({ outcome: 'paused', pages: 0 });
    expect(world.row()?.lease).toBeUndefined();
  });

  it('does not mind how the base URL ends and in which order the filters stand', () => {
    const { settings } = new World({ settings: { filters: { service: 'idp', tenant: 'a' } } });
    const filters = { tenant: 'a', service: 'idp' };
    const same = { ...settings, baseUrl: `${settings.baseUrl}/`, filters };
    expect(sourceFingerprint(same)).toBe(sourceFingerprint(settings));
    expect(sourceFingerprint({ ...settings, filters: { tenant: 'idp', service: 'a' } })).not.toBe(
      sourceFingerprint(settings),
    );
  });

  it('belongs to no log before one has answered: a corrected orgUrl is read, under an epoch of its own', async () => {
    const world = new World({ backlog: 2, settings: { orgUrl: 'https://institution.edu' } });
    world.provider.script = () => status(403);
    expect((await world.run()).error?.code).toBe('forbidden');
    world.settings = { ...world.settings, orgUrl: 'https://institution.edu/' };
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2 });
    expect(world.row()?.source).toBe(sourceFingerprint(world.settings));
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 0 });
  });

  it('never takes the object of a dead run of the other log for its own', async () => {
    const random = [0.1, 0.2, 0.3];
    const world = new World({
      backlog: 2,
      settings: { orgUrl: 'https://elsewhere.edu/' },
      random: () => random.shift() ?? 0.9,
    });
    await world.run(new Fuse({ at: 2, mishap: 'after' }));
    expect(world.archive.objects.size).toBe(1);
    world.settings = { ...world.settings, orgUrl: 'https://institution.edu/' };
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2, adopted: 0 });
  });

  it('belongs to one log: another base URL, orgUrl or filter stops the run', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    world.settings = { ...world.settings, orgUrl: 'https://institution.edu' };
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'source-changed' });
    expect(error?.message).toContain('https://institution.edu');
    expect(world.row()?.lease).toBeUndefined();
  });
});
