import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { World } from '../core/simulation/world.ts';
import { MemoryQueue } from '../memory/memory-queue.ts';
import { announced, announcedIn } from './announced.ts';
import { type Consumer, consumeWith, onlyRecord } from './consumer.ts';
import { elasticAgent } from './elastic-agent.ts';
import { type Mutation, OF_THE_MESSAGE, OF_THE_OBJECT, READ_BY_NOBODY } from './mutations.ts';
import { serverlessForwarder } from './serverless-forwarder.ts';
import { splunkAddon } from './splunk-addon.ts';
import { vector } from './vector.ts';

const CONSUMERS: readonly Consumer[] = [elasticAgent, serverlessForwarder, splunkAddon, vector];
/** Five objects of up to three events. */
const LOG = { backlog: 13 };
/** What JSON allows and careless readers trip over. */
const AWKWARD = [
  '{"logType":"login","id":12345678901234567890,"n":1.50,"logType":"again"}',
  '{"user":"Zoë \\u00e9 \\n {\\"not\\":\\"an event\\"} \\\\","emoji":"🦉"}',
  '{"deep":{"a":[1,[2,{"b":"}"}]]}}',
  '{}',
];

describe.each(CONSUMERS)('$name', (consumer) => {
  it('reads every event of every message as it is, in order', async () => {
    const all = await announced(LOG, AWKWARD);
    expect(all.length).toBeGreaterThan(4);
    for (const { body, bucket, lines } of all) {
      const consumed = consumeWith(consumer, body, bucket);
      expect(consumed).toMatchObject({ kind: 'read', events: lines.map((text) => ({ text })) });
      if (consumed.kind === 'read') expect(consumed.events).toHaveLength(lines.length);
    }
    expect(all.flatMap(({ lines }) => lines)).toHaveLength(LOG.backlog + AWKWARD.length);
  });

  it('gives no two events the same id', async () => {
    const same = '{"logType":"login"}';
    const all = await announced(LOG, [same, same, same, same]);
    const ids = all.flatMap(({ body, bucket }) => {
      const consumed = consumeWith(consumer, body, bucket);
      return consumed.kind === 'read' ? consumed.events.map(({ id }) => id) : [];
    });
    const given = ids.filter((id) => id !== undefined);
    expect(ids).toHaveLength(LOG.backlog + 4);
    expect(new Set(given).size).toBe(given.length);
  });

  it('finds in what a later run announces what the first would have announced, ids included', async () => {
    const world = new World({ ...LOG, destinations: ['first', 'late'] });
    world.refusing.add('late');
    await world.run();
    world.refusing.clear();
    await world.run();
    const [first, late] = ['first', 'late'].map((destination) =>
      announcedIn(world, destination).map(({ body, bucket }) => consumeWith(consumer, body, bucket)),
    );
    expect(late).toHaveLength(5);
    expect(late).toStrictEqual(first);
  });

  it.each([...OF_THE_MESSAGE, ...OF_THE_OBJECT, ...READ_BY_NOBODY])('$what', async (mutation) => {
    expect(await findsOut(consumer, mutation)).toBe(mutation.caughtBy.includes(consumer.name));
  });
});

describe('the mutations', () => {
  it.each([...OF_THE_MESSAGE, ...OF_THE_OBJECT])('$what is found out by somebody', ({ caughtBy }) => {
    expect(caughtBy.length).toBeGreaterThan(0);
  });

  it('leave out no member of the message', async () => {
    const [given] = await announced(LOG);
    const members = leaves(onlyRecord(JSON.parse(given?.body ?? '')));
    const mutated = new Set([...OF_THE_MESSAGE, ...READ_BY_NOBODY].map(({ path }) => path));
    expect(members.length).toBeGreaterThan(9);
    expect(members.filter((path) => !mutated.has(path))).toStrictEqual([]);
  });
});

/**
 * A limit of one reader that nothing in our contract can mend: events are passed on byte by byte. JSON may hold these
 * line ends unescaped, and this reader breaks lines there (see its rules).
 */
it('Elastic Serverless Forwarder alone breaks an event at U+2028', async () => {
  const [given] = await announced({ backlog: 0 }, ['{"agent":"a\u2028b"}']);
  const whole = CONSUMERS.filter((consumer) => {
    const consumed = given && consumeWith(consumer, given.body, given.bucket);
    return consumed?.kind === 'read' && consumed.events.length === 1;
  });
  expect(whole.map(({ name }) => name)).toStrictEqual(['Elastic Agent', 'Splunk Add-on for AWS', 'Vector']);
});

describe('a message that a consumer cannot process', () => {
  /** As Elastic Agent does by default: at the fifth receive, a message that still fails is deleted. */
  async function receiveUntilGone(maxReceives: number): Promise<{ receives: number; dead: number }> {
    let now = 0;
    const queue = new MemoryQueue({ visibilityMs: 910_000, maxReceives, now: () => now });
    const { signal } = new AbortController();
    await queue.send('{}', signal);
    let receives = 0;
    for (let round = 0; round < 10; round += 1, now += 910_000) {
      for (const { receipt, receiveCount } of await queue.receive(1, signal)) {
        receives = receiveCount;
        if (receiveCount >= 5) await queue.remove(receipt, signal);
      }
    }
    return { receives, dead: (await queue.depth(signal)).dead };
  }

  it('is a dead letter before its fifth receive, and after it would be gone', async () => {
    expect(await receiveUntilGone(4)).toStrictEqual({ receives: 4, dead: 1 });
    expect(await receiveUntilGone(5)).toStrictEqual({ receives: 5, dead: 0 });
  });
});

/** Whether a change shows in what the consumer makes of the first message. */
async function findsOut(consumer: Consumer, { change }: Mutation): Promise<boolean> {
  const [given] = await announced(LOG);
  if (given === undefined) throw new Error('nothing was announced');
  const sound = consumeWith(consumer, given.body, given.bucket);
  const changed = change(given);
  const seen = consumeWith(consumer, changed.body, changed.bucket);
  return !isDeepStrictEqual(seen, sound);
}

function leaves(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name]));
}
