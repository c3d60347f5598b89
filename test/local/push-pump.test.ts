import { describe, expect, test } from 'vitest';
import type { DeliveryFailure, DeliveryReport, FailureKind } from '../../functions/core/delivery/delivery.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import { PushPump } from '../../local/push-pump.ts';
import { never } from '../contracts/support.ts';
import { MemoryQueue } from '../memory/memory-queue.ts';

const HIDING_MS = 30_000;

/** How one message fares: it is delivered, or goes back for this reason. */
type Fate = 'done' | FailureKind;

interface Scene {
  readonly patient: boolean;
  /** By the message's body, and by the time of the world in ms. `requests`: whether the sink is asked at all. */
  readonly fate: (body: string, now: number) => Fate;
  readonly requests?: number;
}

/** A pump in virtual time, over a queue in memory. */
function world({ patient, fate, requests = 1 }: Scene) {
  let now = 0;
  const told: string[] = [];
  const delivered: string[] = [];
  const queue = new MemoryQueue({ visibilityMs: 900_000, maxReceives: 400, now: () => now });
  const collected = new AbortController();
  const pump = new PushPump({
    ...{ queue, patient, concurrency: 2 },
    clock: {
      now: () => now,
      sleep: async (delayMs, signal) => {
        signal.throwIfAborted();
        now += delayMs;
        // A log that goes on for a quarter of an hour.
        if (now > 900_000) collected.abort();
      },
    },
    deliver: async (messages): Promise<DeliveryReport> => {
      const failures: DeliveryFailure[] = [];
      for (const { id, body, receipt } of messages) {
        const kind = fate(body, now);
        if (kind === 'done') delivered.push(body);
        else {
          failures.push({ id, kind, reason: `${body} failed` });
          await queue.extendVisibility(receipt, kind === 'time-up' ? 1000 : HIDING_MS, never);
        }
      }
      const counts = { delivered: messages.length - failures.length, rejected: 0, requests };
      return { messages: messages.length, ...counts, failures, runMs: 0 };
    },
    onReport: () => {},
    onTrouble: ({ reason }) => told.push(`${now}: ${reason}`),
    toError: async ({ reason }) => new OrglogError('unavailable', reason),
  });
  const start = async (...bodies: string[]) => {
    for (const body of bodies) await queue.send(body, never);
    return pump.run(collected.signal, never);
  };
  return { start, told, delivered, queue, collected };
}

describe('a patient pump', () => {
  test('tells of trouble and tries again, more and more slowly, until the sink is back', async () => {
    const fate = (_: string, now: number): Fate => (now < 100_000 ? 'retry' : 'done');
    const { start, told, delivered, queue } = world({ patient: true, fate });
    await start('a', 'b', 'c', 'd', 'e');
    expect(told.slice(0, 4)).toEqual(['0: a failed', '2000: c failed', '6000: e failed', '30000: a failed']);
    expect(told.length).toBeLessThan(12);
    expect(delivered.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await queue.depth(never)).toEqual({ waiting: 0, dead: 0 });
  });

  test('leaves in the queue what fails to the end', async () => {
    const { start, delivered, queue } = world({
      patient: true,
      fate: (body) => (body === 'b' ? 'configuration' : 'done'),
    });
    await expect(start('a', 'b', 'c')).resolves.toBeUndefined();
    expect(delivered).toEqual(['a', 'c']);
    expect(await queue.depth(never)).toEqual({ waiting: 1, dead: 0 });
  });
});

describe('an impatient pump', () => {
  test('goes on with what only ran out of time', async () => {
    const { start, told, delivered, collected } = world({
      patient: false,
      fate: (_, now) => (now === 0 ? 'time-up' : 'done'),
    });
    collected.abort();
    await start('a', 'b');
    expect({ told, delivered }).toEqual({ told: [], delivered: ['a', 'b'] });
  });

  test.each<FailureKind>(['retry', 'configuration', 'refusals'])(
    'ends where the sink is at fault: %s',
    async (kind) => {
      const { start, told, queue, collected } = world({ patient: false, fate: () => kind });
      collected.abort();
      await expect(start('a', 'b', 'c')).rejects.toMatchObject({ message: 'a failed' });
      expect(told).toEqual(['0: a failed']);
      expect(await queue.depth(never)).toEqual({ waiting: 3, dead: 0 });
    },
  );

  test('delivers the others where an object is at fault, then ends', async () => {
    const { start, delivered, collected } = world({
      ...{ patient: false, requests: 0 },
      fate: (body) => (body === 'gone' ? 'retry' : 'done'),
    });
    collected.abort();
    await expect(start('gone', 'a', 'b', 'c')).rejects.toMatchObject({ message: 'gone failed' });
    expect(delivered).toEqual(['a', 'b', 'c']);
  });
});
