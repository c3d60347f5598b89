import { describe, expect, it } from 'vitest';
import type { DeadLetter, OperatorQueue } from '../../functions/core/operate/ports.ts';
import { expectAborted, never } from './support.ts';

/** A queue of its own, empty, whose messages stay invisible for longer than a test takes once received. */
export interface OperatorQueueHarness extends AsyncDisposable {
  readonly queue: OperatorQueue;
  readonly now: () => number;
  /** Makes dead letters of all messages that wait, as a consumer does that never removes one. */
  bury(): Promise<void>;
  /** Makes the oldest message that waits so old. Left out where nobody can. */
  readonly age?: (seconds: number) => Promise<void>;
}

/** SQS may answer with fewer than it has: asked until all are there, within reason. */
async function allDead(queue: OperatorQueue, count: number): Promise<readonly DeadLetter[]> {
  let letters: readonly DeadLetter[] = [];
  await expect
    .poll(async () => {
      letters = await queue.peekDead(50, never);
      return letters.length;
    })
    .toBe(count);
  return letters;
}

const bodiesOf = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body).sort();

/** What `OperatorQueue` promises beyond `MessageQueue`. */
export function operatorQueueContract(name: string, make: () => Promise<OperatorQueueHarness>): void {
  describe(`operator's queue contract: ${name}`, () => {
    it('knows of nothing at first, and has no age then', async () => {
      await using harness = await make();
      expect(await harness.queue.standing(never)).toStrictEqual({ visible: 0, inFlight: 0, dead: 0 });
      expect(await harness.queue.peekDead(10, never)).toStrictEqual([]);
      expect(await harness.queue.redrive(never)).toBe(0);
    });

    it('tells what waits from what is in flight, and from what is dead', async () => {
      await using harness = await make();
      const { queue } = harness;
      for (const body of ['a', 'b']) await queue.send(body, never);
      await harness.bury();
      for (const body of ['c', 'd', 'e']) await queue.send(body, never);
      await expect.poll(() => queue.standing(never)).toMatchObject({ visible: 3, inFlight: 0, dead: 2 });
      const [message] = await queue.receive(1, never);
      await expect.poll(() => queue.standing(never)).toMatchObject({ visible: 2, inFlight: 1, dead: 2 });
      await queue.remove(message?.receipt ?? '', never);
      await expect.poll(() => queue.standing(never)).toMatchObject({ visible: 2, inFlight: 0, dead: 2 });
    });

    it('shows dead letters without changing that they are dead', async () => {
      await using harness = await make();
      const { queue, now } = harness;
      const before = now();
      const bodies = Array.from({ length: 12 }, (_, i) => `message ${i}`);
      for (const body of bodies) await queue.send(body, never);
      await harness.bury();
      for (let look = 0; look < 2; look += 1) {
        const letters = await allDead(queue, 12);
        expect(bodiesOf(letters)).toStrictEqual(bodies.toSorted());
        for (const { queuedAt, receiveCount } of letters) {
          expect(receiveCount).toBeGreaterThanOrEqual(1);
          expect(queuedAt).toBeGreaterThanOrEqual(before - 60_000);
          expect(queuedAt).toBeLessThanOrEqual(now() + 60_000);
        }
      }
      expect(await queue.peekDead(1, never)).toHaveLength(1);
      expect((await queue.peekDead(11, never)).length).toBeLessThanOrEqual(11);
      await expect.poll(() => queue.standing(never)).toMatchObject({ visible: 0, inFlight: 0, dead: 12 });
      expect(await queue.receive(10, never)).toStrictEqual([]);
    });

    it('sends dead letters back, also right after a look at them, and may do so twice', async () => {
      await using harness = await make();
      const { queue } = harness;
      const bodies = ['a', 'b', 'c'];
      for (const body of bodies) await queue.send(body, never);
      await harness.bury();
      await allDead(queue, 3);
      expect(await queue.redrive(never)).toBe(3);
      await expect.poll(() => queue.standing(never)).toMatchObject({ visible: 3, dead: 0 });
      expect(await queue.redrive(never)).toBe(0);
      const received: { readonly body: string; readonly receiveCount: number }[] = [];
      for (let attempt = 0; received.length < 3 && attempt < 100; attempt += 1) {
        received.push(...(await queue.receive(10, never)));
      }
      expect(bodiesOf(received)).toStrictEqual(bodies);
      expect(received.map(({ receiveCount }) => receiveCount)).toStrictEqual([1, 1, 1]);
    });

    it('makes dead letters of them again where nothing was mended', async () => {
      await using harness = await make();
      const { queue } = harness;
      await queue.send('poison', never);
      await harness.bury();
      await queue.redrive(never);
      await harness.bury();
      expect(bodiesOf(await allDead(queue, 1))).toStrictEqual(['poison']);
    });

    it('tells the age of the oldest that waits', async ({ skip }) => {
      await using harness = await make();
      const { queue, age } = harness;
      if (age === undefined) return skip('nobody can make a message of this queue old');
      await queue.send('dead', never);
      await harness.bury();
      expect(await queue.standing(never)).not.toHaveProperty('oldestAgeSeconds');
      await queue.send('old', never);
      await age(90);
      expect(await queue.standing(never)).toStrictEqual({
        ...{ visible: 1, inFlight: 0, dead: 1 },
        oldestAgeSeconds: 90,
      });
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { queue } = harness;
      await expectAborted((signal) => queue.standing(signal));
      await expectAborted((signal) => queue.peekDead(1, signal));
      await expectAborted((signal) => queue.redrive(signal));
    });
  });
}

/** `bury` where time can be moved: every message is received as often as it may be, and once more. */
export async function buryByReceiving(
  queue: OperatorQueue,
  passVisibility: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const received = await queue.receive(10, never);
    if (received.length > 0) continue;
    const { visible, inFlight } = await queue.standing(never);
    if (visible + inFlight === 0) return;
    await passVisibility();
  }
}
