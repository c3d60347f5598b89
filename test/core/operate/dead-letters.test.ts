import { describe, expect, it } from 'vitest';
import { deadLetters } from '../../../functions/core/operate/dead-letters.ts';
import type { DeployedDestination } from '../../../functions/core/operate/ports.ts';
import { never } from '../../contracts/support.ts';
import { all, OperatedWorld, PULLED, PUSHED } from './operated-world.ts';

/** A collected system whose destination's queue gave up on these messages. */
async function givenUp(destination: DeployedDestination, more: readonly string[] = []) {
  const world = new OperatedWorld();
  await world.collectAll([2, 2]);
  const queue = world.queueOf(destination.id);
  for (const entry of world.trace)
    if (entry.kind === 'sent' && entry.destination === destination.id) await queue.send(entry.body, never);
  for (const body of more) await queue.send(body, never);
  for (let receive = 0; receive < 4; receive++) {
    await queue.receive(10, never);
    world.now += 31_000;
  }
  expect(queue.dead).toHaveLength(2 + more.length);
  const views = () => all(deadLetters(world.system, destination, 10, never));
  return { world, queue, views };
}

describe('a dead letter', () => {
  it('of a pull queue is the consumer’s trouble', async () => {
    const { world, views, queue } = await givenUp(PULLED);
    const [first] = await views();
    expect(first).toMatchObject({
      object: {
        key: world.keyOf(1),
        org: 'institution',
        stream: 'logs',
        sequence: 1,
        archived: true,
        committed: true,
      },
      receiveCount: 3,
      worthRedriving: true,
    });
    expect(first?.why).toContain('the consumer of lake');
    expect(first).not.toHaveProperty('delivered');
    expect(await queue.redrive(never)).toBe(2);
    expect(await views()).toStrictEqual([]);
  });

  it('of a push queue tells how far it came', async () => {
    const { world, views } = await givenUp(PUSHED);
    expect((await views())[0]?.why).toContain('nothing of it was delivered');
    const row = { destination: 'siem', key: world.keyOf(1), expiresAt: 1 };
    await world.ledger.progress({ ...row, expected: 0, lines: 1, done: false }, never);
    expect((await views())[0]).toMatchObject({ delivered: { lines: 1, done: false }, worthRedriving: true });
    expect((await views())[0]?.why).toContain('first 1 lines');
    await world.ledger.progress({ ...row, expected: 1, lines: 2, done: true }, never);
    expect((await views())[0]?.why).toContain('delivered all the same');
  });

  it('whose object is gone cannot be helped by redriving', async () => {
    const { world, views } = await givenUp(PUSHED);
    world.archive.lose(world.keyOf(2));
    const [, second] = await views();
    expect(second).toMatchObject({ object: { sequence: 2, archived: false }, worthRedriving: false });
    expect(second?.why).toContain("bring it back from the bucket's versions");
  });

  it('that is none of ours is said to be so, and not quoted', async () => {
    const { views } = await givenUp(PULLED, ['{"confidential":1}']);
    const [, , third] = await views();
    expect(third).toMatchObject({ worthRedriving: false });
    expect(third).not.toHaveProperty('object');
    expect(third?.why).toContain('who else sends to this queue');
    expect(third?.why).not.toContain('confidential');
  });
});
