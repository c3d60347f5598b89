import { describe, expect, it } from 'vitest';
import type { MessageQueue, ReceivedMessage } from '../../functions/core/ports.ts';
import { expectAborted, never } from './support.ts';

/** A queue of its own, empty, whose messages stay invisible for longer than a test takes (30 s will do). */
export interface MessageQueueHarness extends AsyncDisposable {
  readonly queue: MessageQueue;
}

/** A queue whose clock the test moves. */
export interface TimedMessageQueueHarness extends MessageQueueHarness {
  readonly visibilityMs: number;
  /** A message received this often without being removed becomes a dead letter. At least 2. */
  readonly maxReceives: number;
  advance(durationMs: number): Promise<void>;
}

/** SQS may answer with fewer messages than it has: asked until all are there, within reason. */
async function receiveAll(queue: MessageQueue, count: number): Promise<ReceivedMessage[]> {
  const received: ReceivedMessage[] = [];
  for (let attempt = 0; received.length < count && attempt < 100; attempt += 1) {
    received.push(...(await queue.receive(10, never)));
  }
  return received;
}

async function receiveOne(queue: MessageQueue): Promise<ReceivedMessage> {
  const [message] = await receiveAll(queue, 1);
  if (message === undefined) throw new Error('no message is visible');
  return message;
}

function sortedBodies(messages: readonly ReceivedMessage[]): string[] {
  return messages.map((message) => message.body).sort();
}

/** Exactly `bytes` long in UTF-8, of characters one to four bytes wide, all of them legal in a message. */
function unicodeBody(bytes: number): string {
  const unit = '"é€🎓\u{10fffd}\ufffd\ud7ff<&>\\\r\n\t';
  const body = unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  return body + 'x'.repeat(bytes - Buffer.byteLength(body));
}

/**
 * What every implementation of `MessageQueue` promises (SQS standard queues: no order, at least once).
 * @param makeTimed - left out where time cannot be moved: what needs it is then not registered
 */
export function messageQueueContract(
  name: string,
  make: () => Promise<MessageQueueHarness>,
  makeTimed?: () => Promise<TimedMessageQueueHarness>,
): void {
  describe(`message queue contract: ${name}`, () => {
    it('is empty at first', async () => {
      await using harness = await make();
      expect(await harness.queue.receive(10, never)).toStrictEqual([]);
      expect(await harness.queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
    });

    it('delivers what was sent, and nothing once it is removed', async () => {
      await using harness = await make();
      const { queue } = harness;
      const bodies = Array.from({ length: 25 }, (_, i) => `message ${i}`);
      for (const body of bodies) await queue.send(body, never);
      const received = await receiveAll(queue, bodies.length);
      expect(sortedBodies(received)).toStrictEqual(bodies.toSorted());
      expect(new Set(received.map((message) => message.receipt)).size).toBe(bodies.length);
      expect(received.map((message) => message.receiveCount)).toStrictEqual(bodies.map(() => 1));
      for (const { receipt } of received) await queue.remove(receipt, never);
      await expect.poll(() => queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
      expect(await queue.receive(10, never)).toStrictEqual([]);
    });

    it('hands out at most as many as asked for', async () => {
      await using harness = await make();
      for (let i = 0; i < 12; i += 1) await harness.queue.send(`${i}`, never);
      for (const max of [1, 2, 10]) {
        expect((await harness.queue.receive(max, never)).length).toBeLessThanOrEqual(max);
      }
    });

    it('hides a message that was received', async () => {
      await using harness = await make();
      await harness.queue.send('once', never);
      expect((await receiveOne(harness.queue)).body).toBe('once');
      expect(await harness.queue.receive(10, never)).toStrictEqual([]);
    });

    it('gives no message to two receivers at once', async () => {
      await using harness = await make();
      const bodies = Array.from({ length: 30 }, (_, i) => `message ${i}`);
      await Promise.all(bodies.map((body) => harness.queue.send(body, never)));
      const atOnce = (await Promise.all(bodies.map(() => harness.queue.receive(3, never)))).flat();
      const rest = await receiveAll(harness.queue, bodies.length - atOnce.length);
      expect(sortedBodies([...atOnce, ...rest])).toStrictEqual(bodies.toSorted());
    });

    it('counts what waits, visible or in flight', async () => {
      await using harness = await make();
      const { queue } = harness;
      for (const body of ['a', 'b', 'c']) await queue.send(body, never);
      await expect.poll(() => queue.depth(never)).toStrictEqual({ waiting: 3, dead: 0 });
      const { receipt } = await receiveOne(queue);
      await expect.poll(() => queue.depth(never)).toStrictEqual({ waiting: 3, dead: 0 });
      await queue.remove(receipt, never);
      await expect.poll(() => queue.depth(never)).toStrictEqual({ waiting: 2, dead: 0 });
    });

    it('keeps equal messages as two', async () => {
      await using harness = await make();
      await harness.queue.send('same', never);
      await harness.queue.send('same', never);
      expect(sortedBodies(await receiveAll(harness.queue, 2))).toStrictEqual(['same', 'same']);
    });

    it.each([
      ['one character', 'x'],
      ['JSON with every kind of escape', JSON.stringify({ a: '"\\\n\u0001\u2028é🎓', b: [-0.5, null] })],
      ['white space around it', ' \t\r\n x \n'],
      ['256 KiB of ASCII', 'x'.repeat(256 * 1024)],
      ['256 KiB of unicode', unicodeBody(256 * 1024)],
    ])('returns a body unchanged: %s', async (_what, body) => {
      await using harness = await make();
      await harness.queue.send(body, never);
      expect((await receiveOne(harness.queue)).body === body).toBe(true);
    });

    it('removes a message twice without complaint, and no other', async () => {
      await using harness = await make();
      await harness.queue.send('first', never);
      const { receipt } = await receiveOne(harness.queue);
      await harness.queue.remove(receipt, never);
      await harness.queue.send('second', never);
      await harness.queue.remove(receipt, never);
      expect((await receiveOne(harness.queue)).body).toBe('second');
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { queue } = harness;
      await expectAborted((signal) => queue.send('body', signal));
      await expectAborted((signal) => queue.receive(1, signal));
      await expectAborted((signal) => queue.remove('receipt', signal));
      await expectAborted((signal) => queue.depth(signal));
    });

    if (makeTimed === undefined) return;

    describe('in time', () => {
      it('shows a message again when its visibility time-out has passed', async () => {
        await using harness = await makeTimed();
        const { queue } = harness;
        await queue.send('again', never);
        const first = await receiveOne(queue);
        await harness.advance(harness.visibilityMs - 1);
        expect(await queue.receive(10, never)).toStrictEqual([]);
        await harness.advance(1);
        const second = await receiveOne(queue);
        expect(second).toMatchObject({ body: 'again', receiveCount: 2 });
        expect(second.receipt).not.toBe(first.receipt);
        await queue.remove(second.receipt, never);
        expect(await queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
      });

      it('takes a lapsed receipt without complaint', async () => {
        await using harness = await makeTimed();
        const { queue } = harness;
        await queue.send('slow', never);
        const first = await receiveOne(queue);
        await harness.advance(harness.visibilityMs);
        const second = await receiveOne(queue);
        await queue.send('other', never);
        await queue.remove(first.receipt, never);
        expect((await receiveOne(queue)).body).toBe('other');
        await queue.remove(second.receipt, never);
        expect(await queue.depth(never)).toStrictEqual({ waiting: 1, dead: 0 });
      });

      it('sets a message aside that was received too often', async () => {
        await using harness = await makeTimed();
        const { queue } = harness;
        await queue.send('poison', never);
        for (let count = 1; count <= harness.maxReceives; count += 1) {
          expect((await receiveOne(queue)).receiveCount).toBe(count);
          expect(await queue.depth(never)).toStrictEqual({ waiting: 1, dead: 0 });
          await harness.advance(harness.visibilityMs);
        }
        await queue.send('good', never);
        expect(sortedBodies(await queue.receive(10, never))).toStrictEqual(['good']);
        expect(await queue.depth(never)).toStrictEqual({ waiting: 1, dead: 1 });
      });
    });
  });
}
