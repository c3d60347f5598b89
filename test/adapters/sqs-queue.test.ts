import { describe, expect, it } from 'vitest';
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts';
import { createQueue, removeQueue } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { messageQueueContract } from '../contracts/message-queue.ts';
import { never } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { sqs: client } = services.clients;
// Our own service knows at once whether anything waits; the real one is asked to look everywhere.
const waitSeconds = onLoopback ? 0 : 1;
/** An account's counts lag, and each empty receive waits. */
const patience = { timeout: 30_000 };

async function makeQueue(visibilitySeconds: number) {
  const pair = await createQueue(services, { visibilitySeconds, maxReceives: 2 });
  const queue = sqsQueue({ client, url: pair.url, waitSeconds });
  return { queue, [Symbol.asyncDispose]: () => removeQueue(services, pair) };
}

messageQueueContract('SQS', () => makeQueue(60));

describe('SQS queue', () => {
  it('counts a message received too often among the dead', async () => {
    await using harness = await makeQueue(0);
    const { queue } = harness;
    await queue.send('poison', never);
    const counts: number[] = [];
    // The queue moves a message when it would be received once more than allowed.
    await expect
      .poll(async () => {
        for (const { receiveCount } of await queue.receive(10, never)) counts.push(receiveCount);
        return await queue.depth(never);
      }, patience)
      .toStrictEqual({ waiting: 0, dead: 1 });
    expect(counts).toStrictEqual([1, 2]);
  });

  it('takes a receipt without complaint that a later receive has replaced', async () => {
    await using harness = await makeQueue(0);
    const { queue } = harness;
    await queue.send('slow', never);
    const receipts: string[] = [];
    await expect
      .poll(async () => {
        for (const { receipt } of await queue.receive(1, never)) receipts.push(receipt);
        return receipts.length;
      }, patience)
      .toBe(2);
    for (const receipt of receipts) await queue.remove(receipt, never);
    await expect.poll(() => queue.depth(never), patience).toStrictEqual({ waiting: 0, dead: 0 });
  });

  it('names a queue that does not exist, and what to do', async () => {
    const { url, deadLetterUrl } = await createQueue(services);
    await removeQueue(services, { url, deadLetterUrl });
    const missing = sqsQueue({ client, url: `${url}-not-deployed` });
    const error = await rejection(missing.send('body', never));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/queue http.*-not-deployed .*deploy it, or correct its name/);
  });

  describe.runIf(onLoopback)('at the wire', () => {
    it('queues at least once: twice where the first answer was lost', async () => {
      await using harness = await makeQueue(60);
      await services.wire.reset();
      await services.wire.fail('SendMessage', { kind: 'lose-answer' });
      await harness.queue.send('again', never);
      expect((await services.wire.counts()).sqs).toStrictEqual({ SendMessage: 2 });
      const received = await harness.queue.receive(10, never);
      expect(received.map(({ body }) => body)).toStrictEqual(['again', 'again']);
    });

    it('gives up after three attempts, and says what it was doing, without the body', async () => {
      await using harness = await makeQueue(60);
      await services.wire.fail('SendMessage', { kind: 'status', status: 500 }, 3);
      const error = await rejection(harness.queue.send('the-body', never));
      expect(error.code).toBe('storage');
      expect(error.message).toContain('sqs:SendMessage');
      expect(error.message).not.toContain('the-body');
    });

    it('lets go of a call that hangs when the signal fires', async () => {
      await using harness = await makeQueue(60);
      await services.wire.reset();
      await services.wire.fail('SendMessage', { kind: 'hang' });
      const controller = new AbortController();
      const pending = rejection(harness.queue.send('body', controller.signal));
      await expect.poll(() => services.wire.counts()).toStrictEqual({ sqs: { SendMessage: 1 } });
      controller.abort();
      expect((await pending).code).toBe('time-out');
    });
  });
});
