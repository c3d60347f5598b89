import { describe, expect, it } from 'vitest';
import { page } from './simulation/virtual-provider.ts';
import { MINUTE, World } from './simulation/world.ts';

const line = (name: string, at: number) =>
  JSON.stringify({ logType: 'cas', logSubtype: 'login', timeStampISO: new Date(at).toISOString(), name });

describe('events that are read again', () => {
  it('are taken out when the log gives no tokens yet', async () => {
    const world = new World({ backlog: 2, settings: { limit: 10 } });
    world.provider.withoutTokens = true;
    await world.run();
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ events: 1, repeats: 2, batches: 1, gaps: 0 });
    expect(await world.run()).toMatchObject({ events: 0, repeats: 3, batches: 0, outcome: 'caught-up' });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('are taken out when the token did not move past them', async () => {
    const world = new World({ backlog: 3 });
    await world.run();
    world.provider.append(1);
    world.provider.script = ({ token }) =>
      token === 't3' ? page(world.provider.lines.slice(3), 't3') : undefined;
    expect(await world.run()).toMatchObject({ events: 1 });
    expect(world.row()).toMatchObject({ token: 't3', rereads: true });
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ events: 1, repeats: 1 });
    expect(await world.run()).toMatchObject({ events: 0, repeats: 2 });
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ events: 0, repeats: 2 });
    expect(world.row()).toMatchObject({ token: 't5', rereads: false });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('are told by count: two equal events stay two, three stay three', async () => {
    const world = new World({ settings: { limit: 10 } });
    world.provider.withoutTokens = true;
    const same = line('same', world.now);
    world.provider.appendLine(same);
    world.provider.appendLine(same);
    await world.run();
    world.provider.appendLine(same);
    expect(await world.run()).toMatchObject({ events: 1, repeats: 2 });
    expect(world.committedLines()).toStrictEqual([same, same, same]);
  });

  it('are told by bytes: white space that comes and goes is no difference', async () => {
    const world = new World();
    world.provider.withoutTokens = true;
    world.provider.script = () => page([`{ "timeStampISO": "${new Date(world.now).toISOString()}" }`], null);
    const at = world.now;
    await world.run();
    world.provider.script = () => page([`{"timeStampISO":"${new Date(at).toISOString()}"}`], null);
    expect(await world.run()).toMatchObject({ events: 0, repeats: 1 });
  });

  it('are looked for no further back than 15 minutes before the first event read', async () => {
    const world = new World({ settings: { limit: 1 } });
    world.provider.append(1, 50 * MINUTE);
    world.provider.append(1, 30 * MINUTE);
    world.provider.append(1, 1 * MINUTE);
    await world.run();
    world.provider.withoutTokens = true;
    const row = world.row();
    if (row) world.cursors.poke({ ...row, rereads: true });
    world.provider.script = () => page([line('new', world.now - 2 * MINUTE)], null);
    const oldest = world.committedKeys()[0] ?? '';
    world.archive.lose(oldest);
    expect(await world.run()).toMatchObject({ events: 1, repeats: 0, outcome: 'time-up' });
  });

  it('get through as repeats when their object is gone: rather that than a loss', async () => {
    const world = new World({ backlog: 2 });
    world.provider.withoutTokens = true;
    await world.run();
    world.archive.lose(world.committedKeys()[0] ?? '');
    expect(await world.run()).toMatchObject({ events: 2, repeats: 0 });
  });

  it('are not looked for in an object that is damaged: the run fails, and names it', async () => {
    const world = new World({ backlog: 2 });
    world.provider.withoutTokens = true;
    await world.run();
    const [key = ''] = world.committedKeys();
    const { metadata = {}, contentType = '' } = world.archive.objects.get(key) ?? {};
    world.archive.lose(key);
    const spoilt = { key, body: [Buffer.from('spoilt')], contentType, metadata };
    await world.archive.put(spoilt, new AbortController().signal);
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'storage' });
    expect(error?.message).toContain(key);
  });

  it('show a log that is stuck: a full page of them, and no token that leads on', async () => {
    const world = new World({ backlog: 5 });
    world.provider.withoutTokens = true;
    expect(await world.run()).toMatchObject({ events: 3 });
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'log-stuck' });
    expect(error?.message).toContain('https://institution.edu/');
  });
});
