import { afterAll, describe, expect, it } from 'vitest';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { expectAllSettled } from './delivery-invariants.ts';
import { DeliveryWorld, VISIBILITY_MS } from './delivery-world.ts';

const LINES = Array.from({ length: 8 }, (_, at) => `{"at":${at}}`);
const STALLS = ['stalls', 'stalls-after'] as const;

let raced = 0;

afterAll(() => {
  console.log(`delivery: races tried: ${raced}`);
});

/**
 * A message is delivered twice, as SQS may. The first delivery stalls at call `stallAt`; the second one goes on, and
 * before its call `resumeAt` the first one wakes up.
 */
async function race(
  manner: 'splunk' | 'elastic',
  stallAt: number,
  mishap: (typeof STALLS)[number],
  resumeAt: number,
) {
  const world = new DeliveryWorld({ manner });
  await world.announce(LINES);
  const late = new Fuse({ at: stallAt, mishap });
  const messages = await world.queue.receive(10, never);
  const first = world.deliver(messages, late);
  await Promise.race([late.whenStalled, first]);
  const second = new Fuse(undefined, (call) => {
    if (call === resumeAt) late.release();
  });
  const reports = [await world.deliver(messages, second)];
  late.release();
  reports.push(await first);
  raced++;
  return { world, reports };
}

describe.each(['splunk', 'elastic'] as const)(
  'two deliveries of one object, in the manner of %s',
  (manner) => {
    it.each(STALLS)('lose nothing, and the loser stops: %s', async (mishap) => {
      for (let stallAt = 0; stallAt < 8; stallAt++) {
        for (let resumeAt = 0; resumeAt <= 10; resumeAt++) {
          const { world, reports } = await race(manner, stallAt, mishap, resumeAt);
          const story = () => JSON.stringify({ manner, stallAt, mishap, resumeAt });
          const kinds = reports.flatMap(({ failures }) => failures.map(({ kind }) => kind));
          // At least one of them delivered all of it; the other one says so, or stays out of its way.
          expect(kinds.length, story()).toBeLessThan(2);
          expect(
            kinds.every((kind) => kind === 'contended'),
            story(),
          ).toBe(true);
          world.now += VISIBILITY_MS;
          await world.calm();
          await expectAllSettled(world, story);
          const repeats = world.sink.taken.length - LINES.length;
          // The loser learns of it at its first record: until then it has sent one request.
          expect(repeats, story()).toBeLessThanOrEqual(manner === 'elastic' ? 0 : world.sink.limits.events);
        }
      }
    });
  },
);

describe('one object announced twice', () => {
  it('is delivered once, both messages being in one batch', async () => {
    const world = new DeliveryWorld({ settings: { concurrency: 4 } });
    await world.announce(LINES);
    const [body = ''] = world.queue.sent;
    await world.queue.send(body, never);
    expect(await world.invoke()).toMatchObject({ messages: 2, delivered: LINES.length, failures: [] });
    await expectAllSettled(world, () => 'twice');
  });
});
