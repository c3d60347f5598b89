import { once } from 'node:events';
import { Database } from '../../local/sqlite.ts';
import { SqliteCursorStore } from '../../local/sqlite-cursor-store.ts';
import { never } from '../contracts/support.ts';

/** Says that it is ready; once told to start, takes the lease of one row, adds one to its sequence and releases it, `rounds` times, against its likes. */
const [path = '', rounds = '0'] = process.argv.slice(2);
const key = { org: 'institution', stream: 'logs' };
const owner = `process-${process.pid}`;
console.log('ready');
await once(process.stdin, 'data');
process.stdin.destroy();

using database = new Database(path);
const store = new SqliteCursorStore(database);

for (let done = 0; done < Number(rounds); ) {
  const acquired = await store.acquire(
    {
      ...key,
      owner,
      now: 0,
      expiresAt: 1,
      latestPossibleExpiry: 1,
      create: { epoch: 'e1', source: 's', day: '2026-01-02' },
    },
    never,
  );
  if (acquired.kind === 'busy') continue;
  const { sequence } = acquired.row;
  const write = { ...key, owner, expectedSequence: sequence, set: { sequence: sequence + 1 }, release: true };
  if ((await store.write(write, never)) === 'refused') throw new Error(`${owner} lost a lease that it held`);
  done += 1;
}
