/**
 * The floor of a walk, in a process of its own: a bare undici loop that asks for one page of each list after another,
 * and parses it. Parameter: JSON as in `parameters`. Prints one JSON line: bench/usage.ts.
 */
import { Pool } from 'undici';
import * as z from 'zod';
import { basicAuthorization } from '../functions/adapters/basic-auth.ts';
import { measureUsage } from './usage.ts';

const parameters = z.object({ url: z.url(), authorities: z.array(z.string()) });

const { url, authorities } = parameters.parse(JSON.parse(process.argv[2] ?? ''));
const pool = new Pool(url, { connections: 1 });
const headers = { authorization: basicAuthorization({ username: 'bench', password: 'bench' }) };

async function page(list: string, index: number): Promise<{ items: unknown[]; page_cnt: number }> {
  const path = `/identities/v1/${list}page_size=50&page_idx=${index}`;
  const { body } = await pool.request({ method: 'GET', path, headers });
  return (await body.json()) as { items: unknown[]; page_cnt: number };
}

await measureUsage(async () => {
  const counts: number[] = [];
  const byAuthority = authorities.map(
    (authority) => `list/byAttributeCollection/prod?attributeAuthority=${encodeURIComponent(authority)}&`,
  );
  for (const list of ['list/prod?', ...byAuthority]) {
    let count = 0;
    for (let index = 1, last = 1; index <= last; index++) {
      const { items, page_cnt } = await page(list, index);
      count += items.length;
      last = page_cnt;
    }
    counts.push(count);
  }
  return { pages: counts[0] ?? 0, storedBytes: 0 };
});
await pool.close();
