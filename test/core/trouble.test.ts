import { describe, expect, it } from 'vitest';
import type { PageAnswer } from '../../functions/core/ports.ts';
import { status } from './simulation/virtual-provider.ts';
import { MINUTE, World } from './simulation/world.ts';

const broken: PageAnswer = { kind: 'broken', detail: 'connection reset by https://provider.example' };
const html: PageAnswer = { kind: 'body', body: Buffer.from('<html>'), contentType: 'text/html' };
const truncated: PageAnswer = {
  kind: 'body',
  body: Buffer.from('{"nextToken":"t9","count":1,"logEvents":[{"a":1'),
  contentType: 'application/json',
};

/** The first answers are these, then the log's own. */
function troubled(answers: readonly PageAnswer[], backlog = 2): World {
  const world = new World({ backlog });
  let given = 0;
  world.provider.script = () => {
    const answer = answers[given++];
    return answer?.kind === 'body' ? { ...answer, body: Buffer.from(answer.body) } : answer;
  };
  return world;
}

describe('passing trouble', () => {
  it.each([
    ['429', status(429), { throttles: 1, providerErrors: { 429: 1 } }],
    ['500', status(500), { throttles: 0, providerErrors: { 500: 1 } }],
    ['502', status(502), { providerErrors: { 502: 1 } }],
    ['503', status(503), { providerErrors: { 503: 1 } }],
    ['408', status(408), { providerErrors: { 408: 1 } }],
    ['a broken connection', broken, { providerErrors: { network: 1 } }],
    ['a truncated body', truncated, { providerErrors: { malformed: 1 } }],
    ['an HTML body', html, { providerErrors: { malformed: 1 } }],
  ])('%s is retried with backoff', async (_, answer, counted) => {
    const world = troubled([answer]);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2, ...counted });
    expect(world.slept).toStrictEqual([750]);
  });

  it('backs off longer each time, up to half a minute, and gives up after maxAttempts with the reason', async () => {
    const world = troubled(Array.from({ length: 9 }, () => status(503)));
    world.settings = { ...world.settings, maxAttempts: 8 };
    const { outcome, error } = await world.run();
    expect(world.slept).toStrictEqual([750, 1500, 3000, 6000, 12000, 22500, 22500]);
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'unavailable' });
    expect(error?.message).toMatch(/provider\.example.*8 tries.*503 answer 503/);
  });

  it('waits as long as Retry-After says', async () => {
    const world = troubled([status(429, { retryAfterMs: 45_000 })]);
    await world.run();
    expect(world.slept).toStrictEqual([45_000]);
  });

  it('leaves at once when Retry-After is longer than the run', async () => {
    const world = troubled([status(503, { retryAfterMs: 5 * MINUTE })]);
    const { error } = await world.run();
    expect(world.slept).toStrictEqual([]);
    expect(error?.message).toContain('no time is left to wait 300 s more');
  });

  it('behind a page costs nothing of it: what was read is committed', async () => {
    const world = new World({ backlog: 5, settings: { batchBytes: 1e9, maxAttempts: 2 } });
    world.provider.script = ({ token }) => (token === 't3' ? status(500) : undefined);
    expect(await world.run()).toMatchObject({ outcome: 'failed', events: 3, batches: 1 });
    expect(world.row()).toMatchObject({ token: 't3', caughtUp: false });
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2 });
  });
});

describe('a page that is too large or too slow', () => {
  const tooMuch = (most: number, kind: 'too-large' | 'too-slow') => (world: World) => {
    world.provider.script = ({ limit }) => (limit > most ? { kind, detail: 'passed 64 MiB' } : undefined);
  };

  it.each(['too-large', 'too-slow'] as const)('(%s) is asked for with half the limit', async (kind) => {
    const world = new World({ backlog: 20, settings: { limit: 1000 } });
    tooMuch(130, kind)(world);
    expect(await world.run()).toMatchObject({
      outcome: 'caught-up',
      events: 20,
      providerErrors: { [kind]: 3 },
    });
    expect(world.provider.requests.map(({ limit }) => limit)).toStrictEqual([1000, 500, 250, 125]);
  });

  it('is asked for down to one event, and the limit grows back', async () => {
    const world = new World({ backlog: 4, settings: { limit: 4 } });
    let answered = false;
    world.provider.script = ({ limit }) => {
      if (!answered && limit > 1) return { kind: 'too-large', detail: 'passed 64 MiB' };
      answered = true;
      return undefined;
    };
    expect(await world.run()).toMatchObject({ events: 4 });
    expect(world.provider.requests.map(({ limit }) => limit)).toStrictEqual([4, 2, 1, 2, 4]);
  });

  it('fails when one event alone is too large', async () => {
    const world = new World({ backlog: 2 });
    tooMuch(0, 'too-large')(world);
    const { error } = await world.run();
    expect(error?.code).toBe('unavailable');
    expect(error?.message).toContain('even with limit=1');
  });
});

describe('trouble that will not pass', () => {
  it('401: the credential is read once more past every cache, then the run fails', async () => {
    const world = new World({ backlog: 2 });
    world.provider.script = () => status(401);
    const { error } = await world.run();
    expect(world.provider.requests.map((request) => request.freshCredential)).toStrictEqual([false, true]);
    expect(error?.code).toBe('credentials-refused');
    expect(error?.message).toContain('institution');
    expect(world.slept).toStrictEqual([]);
  });

  it('401: a credential that was replaced meanwhile goes on', async () => {
    const world = new World({ backlog: 2 });
    world.provider.script = ({ freshCredential }) =>
      world.provider.requests.length === 1 && !freshCredential ? status(401) : undefined;
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2, providerErrors: { 401: 1 } });
  });

  it('403: names the orgUrl and those permitted', async () => {
    const world = new World({ backlog: 2 });
    world.provider.permitted = ['https://institution.edu', 'https://other.institution.edu/'];
    world.provider.script = () => status(403);
    const { error } = await world.run();
    expect(error?.code).toBe('forbidden');
    expect(error?.message).toContain('"https://institution.edu/"');
    expect(error?.message).toContain('"https://institution.edu", "https://other.institution.edu/"');
  });

  it('403: says so when the permitted ones cannot be listed', async () => {
    const world = new World({ backlog: 2 });
    world.provider.permitted = undefined;
    world.provider.script = () => status(403);
    expect((await world.run()).error?.message).toContain('nothing that could be listed');
  });

  it('422: prints what the provider says', async () => {
    const world = new World({ backlog: 2 });
    world.provider.script = () => status(422, { detail: 'query.limit: must be at most 1000' });
    const { error } = await world.run();
    expect(error?.code).toBe('invalid-request');
    expect(error?.message).toContain('query.limit: must be at most 1000');
  });

  it.each([301, 302, 418])('%i: is no answer of the log interface', async (code) => {
    const world = new World({ backlog: 2 });
    world.provider.script = () => status(code);
    const { error } = await world.run();
    expect(error?.code).toBe('unavailable');
    expect(world.provider.requests).toHaveLength(1);
  });

  it('leaves the cursor and the lease as they should be', async () => {
    const world = new World({ backlog: 2 });
    await world.run();
    const before = world.row();
    world.provider.script = () => status(401);
    await world.run();
    expect(world.row()).toStrictEqual(before);
  });
});

describe('time that runs out', () => {
  it('before any page is a failure that names the provider', async () => {
    const world = new World({ backlog: 2 });
    const { report, stopReading } = world.start();
    world.provider.script = () => {
      world.now += 3.5 * MINUTE;
      stopReading.abort();
      return broken;
    };
    const { outcome, error } = await report;
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'time-out' });
  });
});

describe('a release that a client repeated, the first answer being lost', () => {
  it('is a release: no other run has taken the lease', async () => {
    const world = new World({ backlog: 3 });
    const write = world.cursors.write.bind(world.cursors);
    world.cursors.write = async (request, signal) => {
      const answer = await write(request, signal);
      return request.release ? await write(request, signal) : answer;
    };
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', owed: { siem: 0, lake: 0 } });
    expect(world.row()).toMatchObject({ announced: { siem: 1, lake: 1 }, caughtUp: true });
    expect(world.row()?.lease).toBeUndefined();
  });
});
