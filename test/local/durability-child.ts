import { writeSync } from 'node:fs';
import { never } from '../contracts/support.ts';
import { durableKey, durableObject, openState } from './durable-state.ts';

/** Stores object, row and message number n, says so, and goes on with n + 1, until it is killed. */
const [folder = ''] = process.argv.slice(2);
const { archive, rows, queue } = await openState(folder);
const owner = `process-${process.pid}`;
const create = { epoch: 'e1', source: 's', day: '2026-01-02' };
const acquired = await rows.acquire(
  { ...durableKey, owner, now: 1, expiresAt: 1, latestPossibleExpiry: 1, create },
  never,
);
if (acquired.kind === 'busy') throw new Error('the lease of a killed process never ends');

for (let n = acquired.row.sequence + 1; ; n += 1) {
  await archive.put(durableObject(n), never);
  const write = {
    ...durableKey,
    owner,
    expectedSequence: n - 1,
    set: { sequence: n, token: `t${n}` },
    release: false,
  };
  if ((await rows.write(write, never)) === 'refused') throw new Error(`row ${n} was refused`);
  await queue.send(`message ${n}`, never);
  writeSync(1, `${n}\n`);
}
