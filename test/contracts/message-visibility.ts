import { describe, expect, it } from 'vitest';
import type { MessageQueue, ReceivedMessage } from '../../functions/core/ports.ts';
import type { MessageVisibility } from '../../functions/core/ports-delivery.ts';
import { expectAborted, never } from './support.ts';

/** A queue of its own, empty, whose clock the test moves. */
export interface MessageVisibilityHarness extends AsyncDisposable {
  readonly queue: MessageQueue & MessageVisibility;
  /** At least 10,000. */
  readonly visibilityMs: number;
  advance(durationMs: number): Promise<void>;
}

async function receiveOne(queue: MessageQueue): Promise<ReceivedMessage> {
  const [message] = await queue.receive(1, never);
  if (message === undefined) throw new Error('no message is visible');
  return message;
}

/** What every implementation of `MessageVisibility` promises, beside `MessageQueue`. */
export function messageVisibilityContract(name: string, make: () => Promise<MessageVisibilityHarness>): void {
  describe(`message visibility contract: ${name}`, () => {
    it.each([
      ['longer', 1.5],
      ['shorter', 0.5],
    ])('hides a message %s than its queue would', async (_, factor) => {
      await using harness = await make();
      const { queue, visibilityMs } = harness;
      await queue.send('hidden', never);
      const { receipt } = await receiveOne(queue);
      const delayMs = visibilityMs * factor;
      await queue.extendVisibility(receipt, delayMs, never);
      await harness.advance(delayMs - 1000);
      expect(await queue.receive(10, never)).toStrictEqual([]);
      await harness.advance(1000);
      expect(await receiveOne(queue)).toMatchObject({ body: 'hidden', receiveCount: 2 });
    });

    it('counts from the call on, not from the receive', async () => {
      await using harness = await make();
      const { queue, visibilityMs } = harness;
      await queue.send('late', never);
      const { receipt } = await receiveOne(queue);
      await harness.advance(visibilityMs - 2000);
      await queue.extendVisibility(receipt, 5000, never);
      await harness.advance(4000);
      expect(await queue.receive(10, never)).toStrictEqual([]);
      await harness.advance(1000);
      expect((await receiveOne(queue)).body).toBe('late');
    });

    it('leaves the receipt good for removing', async () => {
      await using harness = await make();
      const { queue } = harness;
      await queue.send('done', never);
      const { receipt } = await receiveOne(queue);
      await queue.extendVisibility(receipt, 60_000, never);
      await queue.remove(receipt, never);
      expect(await queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
    });

    it('touches no other message', async () => {
      await using harness = await make();
      const { queue } = harness;
      await queue.send('first', never);
      await queue.send('second', never);
      const { body, receipt } = await receiveOne(queue);
      await queue.extendVisibility(receipt, 60_000, never);
      expect((await receiveOne(queue)).body).not.toBe(body);
    });

    it('takes a lapsed receipt without complaint, and without effect', async () => {
      await using harness = await make();
      const { queue, visibilityMs } = harness;
      await queue.send('again', never);
      const first = await receiveOne(queue);
      await harness.advance(visibilityMs);
      await receiveOne(queue);
      await queue.extendVisibility(first.receipt, 0, never);
      expect(await queue.receive(10, never)).toStrictEqual([]);
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      await expectAborted((signal) => harness.queue.extendVisibility('receipt', 1000, signal));
    });
  });
}
