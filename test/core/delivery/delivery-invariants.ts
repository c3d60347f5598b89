import { expect } from 'vitest';
import { never } from '../../contracts/support.ts';
import { DESTINATION, type DeliveryWorld } from './delivery-world.ts';

/** After calm: every event is in the sink or in `rejected/`, whatever died when. `story` names the case in a failure. */
export async function expectAllSettled(world: DeliveryWorld, story: () => string): Promise<void> {
  const rejected = new Map(world.rejected().map((entry) => [entry.event_id, entry]));
  const arrived = new Map(world.sink.taken.map(({ id, text }) => [id, text]));
  for (const [id, line] of world.expected) {
    const refused = rejected.get(id);
    const isPoison = world.sink.isPoison(line);
    if (isPoison ? refused?.event !== line : arrived.get(id) !== line)
      expect.fail(`${story()}: ${id} is neither delivered nor rejected as it was`);
    if (isPoison ? arrived.has(id) : refused !== undefined)
      expect.fail(`${story()}: ${id} lies in the wrong place`);
  }
  if (arrived.size + rejected.size !== world.expected.size)
    expect.fail(`${story()}: something arrived that was never sent`);
  const { waiting, dead } = await world.queue.depth(never);
  if (waiting + dead > 0) expect.fail(`${story()}: ${waiting} messages wait, ${dead} are dead`);
  for (const key of world.keys) {
    const row = world.ledger.peek({ destination: DESTINATION, key });
    const lines = [...world.expected.keys()].filter((id) =>
      id.startsWith(`institution:logs:k3v9q:${world.keys.indexOf(key) + 1}:`),
    ).length;
    if (!row?.done || row.lines !== lines)
      expect.fail(`${story()}: the ledger says ${JSON.stringify(row)} of ${lines} lines`);
  }
}

/** What is in the sink twice was recorded by nobody the first time, and is no more than one request a mishap. */
export function expectFewRepeats(world: DeliveryWorld, mishaps: number, story: () => string): void {
  const takenAt = new Map<string, number>();
  let repeats = 0;
  for (const [index, entry] of world.trace.entries()) {
    if (entry.kind !== 'taken') continue;
    const before = takenAt.get(entry.id);
    takenAt.set(entry.id, index);
    if (before === undefined) continue;
    repeats += 1;
    const [, , , sequence, line] = entry.id.split(':').map(Number);
    const key = world.keys[(sequence ?? 0) - 1];
    const known = world.trace
      .slice(before, index)
      .some((other) => other.kind === 'recorded' && other.key === key && other.lines >= (line ?? 0));
    if (known) expect.fail(`${story()}: ${entry.id} was sent again though the ledger had it`);
  }
  const most = mishaps * world.sink.limits.events;
  if (repeats > most)
    expect.fail(`${story()}: ${repeats} repeats, though ${mishaps} answers were lost at most`);
}
