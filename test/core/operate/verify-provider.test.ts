import { describe, expect, it } from 'vitest';
import { verifyAgainstProvider } from '../../../functions/core/operate/verify-provider.ts';
import { never } from '../../contracts/support.ts';
import { status } from '../simulation/virtual-provider.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { all, OperatedWorld } from './operated-world.ts';

const HOUR = 60 * MINUTE;
const WINDOW = { from: NOON + 30 * MINUTE, to: NOON + 3 * HOUR };

async function compare(world: OperatedWorld, window = WINDOW) {
  const steps = await all(
    verifyAgainstProvider(world.reading, world.organization, world.cursor, window, never),
  );
  const findings = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []));
  const [summary] = steps.flatMap((step) => (step.kind === 'summary' ? [step.summary] : []));
  if (summary === undefined) throw new Error('there is no summary');
  return { findings, summary, steps };
}

/** Two events every five minutes, for four hours. */
async function collected(): Promise<OperatedWorld> {
  const world = new OperatedWorld({ settings: { limit: 5 } });
  await world.collectAll(Array.from({ length: 48 }, () => 2));
  return world;
}

describe('the archive beside the provider', () => {
  it('holds all that it has, in the window and not a line more', async () => {
    const world = await collected();
    const requests = world.provider.requests.length;
    const { findings, summary } = await compare(world);
    expect(findings).toStrictEqual([]);
    // Thirty five-minute steps of two events; the older of two is a second before its step.
    expect(summary).toMatchObject({ verdict: 'whole', ...WINDOW, archived: 60, served: 60 });
    expect(summary.message).toContain('holds all 60 events');
    expect(world.provider.requests.length - requests).toBeLessThan(25);
  });

  it('leaves the cursor where it is', async () => {
    const world = await collected();
    const before = world.cursor;
    await compare(world);
    expect(world.cursor).toBe(before);
  });

  it('lacks the events of an object that is gone: named by the hour', async () => {
    const world = await collected();
    world.archive.lose(world.keyOf(20));
    const { findings, summary } = await compare(world);
    expect(findings).toMatchObject([{ kind: 'not-archived', severity: 'hole' }]);
    expect(findings[0]?.message).toMatch(/^2 events in the hour from 2026-01-02T13:00/);
    expect(summary).toMatchObject({ verdict: 'holes', archived: 58, served: 60 });
  });

  it('has more than the provider where events are archived twice, which is no hole', async () => {
    const world = await collected();
    const key = world.keyOf(20);
    const object = world.archive.objects.get(key);
    await world.rewrite(key, { bytes: (bytes) => Buffer.concat([bytes, object?.bytes ?? bytes]) });
    const { findings, summary } = await compare(world);
    expect(findings).toMatchObject([{ kind: 'extra', severity: 'note' }]);
    expect(summary).toMatchObject({ verdict: 'whole', archived: 62, served: 60 });
  });

  it('differs by a line that was changed: one is missing, one too many', async () => {
    const world = await collected();
    world.provider.script = (_, answer) => {
      const given = answer();
      if (given.kind !== 'body') return given;
      return { ...given, body: Buffer.from(`${given.body}`.replace('"number":40}', '"number":4000}')) };
    };
    const { findings } = await compare(world);
    expect(findings.map(({ kind }) => kind)).toStrictEqual(['not-archived', 'extra']);
  });

  it('is not blamed for what it has not collected yet', async () => {
    const world = await collected();
    world.provider.append(3);
    const { findings, summary } = await compare(world, { from: NOON + HOUR, to: world.now + HOUR });
    expect(findings).toStrictEqual([]);
    expect(summary.to).toBe((world.cursor.lastReadAt ?? 0) - 10 * MINUTE);
  });

  it('needs no token for the last hour', async () => {
    const world = await collected();
    const { summary } = await compare(world, { from: world.now - 40 * MINUTE, to: world.now });
    expect(summary).toMatchObject({ verdict: 'whole' });
    expect(summary.served).toBeGreaterThan(4);
    expect(world.provider.requests.at(-1)?.token).toMatch(/^t/);
  });

  it('is not called whole where nothing could be compared', async () => {
    const world = await collected();
    const window = { from: world.now - 8 * MINUTE, to: world.now };
    await expect(compare(world, window)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(compare(world, window)).rejects.toThrow('Compare an earlier stretch');
  });

  it('is not called whole where the provider does not lead past a page of the window', async () => {
    const world = await collected();
    world.provider.script = ({ token }, answer) => {
      const given = answer();
      if (given.kind !== 'body' || token === undefined) return given;
      const said = JSON.parse(`${given.body}`);
      return { ...given, body: Buffer.from(JSON.stringify({ ...said, nextToken: token })) };
    };
    await expect(compare(world)).rejects.toMatchObject({ code: 'log-stuck' });
  });

  it('is read beside the provider’s log, so that memory holds the difference only', async () => {
    const world = await collected();
    const { steps } = await compare(world);
    const turns = steps.flatMap((step) => (step.kind === 'progress' ? [step] : []));
    const apart = turns.map((step, index) => {
      const other = turns.slice(0, index).findLast(({ side }) => side !== step.side);
      return Math.abs(step.events - (other?.events ?? 0));
    });
    expect(Math.max(...apart)).toBeLessThanOrEqual(10);
  });

  it('cannot be compared where the provider refuses the token, or cannot be read', async () => {
    const world = await collected();
    world.provider.script = ({ token }) => (token ? status(422, { namesToken: true }) : undefined);
    await expect(compare(world)).rejects.toMatchObject({ code: 'stale-token' });
    world.provider.script = () => status(503);
    await expect(compare(world)).rejects.toMatchObject({ code: 'unavailable' });
    world.provider.script = () => undefined;
    await expect(compare(world, { from: NOON - HOUR, to: NOON })).rejects.toThrow('the earliest is of');
    const stopped = verifyAgainstProvider(
      world.reading,
      world.organization,
      world.cursor,
      WINDOW,
      AbortSignal.abort(),
    );
    await expect(all(stopped)).rejects.toMatchObject({ code: 'time-out' });
  });
});
