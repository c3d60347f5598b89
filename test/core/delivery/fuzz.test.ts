import { afterAll, expect, it } from 'vitest';
import type { EventOutcome } from '../../../functions/core/ports-delivery.ts';
import { Fuse } from '../simulation/fuse.ts';
import { expectAllSettled } from './delivery-invariants.ts';
import { DeliveryWorld, MINUTE } from './delivery-world.ts';
import { DOWN, LOST, POISON, type Scripted, type SinkCall, UNAUTHORIZED } from './virtual-sink.ts';

const HISTORIES = 700;
const MOST_OBJECTS = 8;

let objects = 0;
let events = 0;

afterAll(() => {
  console.log(`delivery: fuzzed ${objects} objects with ${events} events in ${HISTORIES} histories`);
});

/** mulberry32: uniform in [0, 1), the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A sink that does whatever sinks do, at random; what it calls poison it always calls poison. */
function whims(world: DeliveryWorld, random: () => number, calmFrom: number) {
  const manner = random() < 0.5 ? 'well' : 'badly';
  const trouble = manner === 'well' ? 0.15 : 0.6;
  return ({ events: sent }: SinkCall): Scripted | undefined => {
    if (world.now >= calmFrom) return undefined;
    // Slow at times: an invocation then runs out of time between two requests.
    if (random() < 0.1) world.now += Math.floor(random() * 2 * MINUTE);
    if (random() >= trouble) return undefined;
    const poison = sent.some(({ text }) => world.sink.isPoison(text));
    switch (Math.floor(random() * 7)) {
      case 0:
        return DOWN;
      case 1:
        return poison ? DOWN : LOST;
      case 2:
        return { outcome: { kind: 'retry', reason: 'busy', retryAfterMs: Math.floor(random() * 1e5) } };
      case 3:
        return UNAUTHORIZED;
      case 4:
        // Some of it arrived, and the answer is one that nobody understands.
        return poison
          ? DOWN
          : { outcome: { kind: 'retry', reason: 'odd' }, take: Math.floor(random() * sent.length) };
      case 5:
        return sent.length === 1
          ? DOWN
          : {
              outcome: {
                kind: 'split',
                reason: 'too large',
                ...(random() < 0.5 && { culprit: Math.floor(random() * 2 * sent.length) }),
              },
            };
      default:
        return { outcome: { kind: 'per-event', events: sent.map((event) => mixed(world, event, random)) } };
    }
  };
}

/** What arrives of it is taken down as if the sink had done so. */
function mixed(
  world: DeliveryWorld,
  event: { readonly id: string; readonly text: string },
  random: () => number,
): EventOutcome {
  const whim = random();
  if (whim < 0.3) return { kind: 'retry', reason: '429' };
  if (whim < 0.32) return { kind: 'configuration', reason: '403' };
  if (world.sink.isPoison(event.text)) return { kind: 'rejected', reason: '400' };
  world.sink.taken.push(event);
  return { kind: 'accepted' };
}

it('delivers or rejects every event, whatever the sink does', async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const random = randomOf(seed);
    const pick = (most: number) => 1 + Math.floor(random() * most);
    const world = new DeliveryWorld({
      manner: random() < 0.5 ? 'splunk' : 'elastic',
      limits: { bytes: 20 + pick(300), events: pick(6) },
      gzip: seed % 20 === 0,
      settings: { concurrency: pick(4), maxAttempts: pick(4) },
    });
    for (let count = pick(MOST_OBJECTS); count > 0; count--) {
      const lines = Array.from({ length: pick(14) }, (_, at) => {
        const text = random() < 0.06 ? POISON : 'x'.repeat(pick(40));
        return JSON.stringify({ text, at });
      });
      await world.announce(lines);
      objects += 1;
      events += lines.length;
    }
    world.sink.script = whims(world, random, world.now + 180 * MINUTE);
    for (let turn = 0; turn < 300 && (await world.queue.depth(SIGNAL)).waiting > 0; turn++) {
      const unlucky = random() < 0.2;
      const plan = { at: pick(40), mishap: random() < 0.5 ? 'after' : 'lost' } as const;
      await world.invoke(unlucky && turn < 20 ? new Fuse(plan) : new Fuse());
      world.now += pick(10) * MINUTE;
    }
    await expectAllSettled(world, () => `seed ${seed}`);
  }
  expect(objects).toBeGreaterThan(3_000);
});

const SIGNAL = new AbortController().signal;
