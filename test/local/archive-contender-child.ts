import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { FileArchive } from '../../local/file-archive.ts';
import { never } from '../contracts/support.ts';
import { contestedObject } from './crash-object.ts';

/** Says that it is ready; once told to start, puts the same objects as its likes, and says which it has won. */
const [root = '', writer = '', count = '0'] = process.argv.slice(2);
const archive = await FileArchive.open(root);
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

for (let n = 1; n <= Number(count); n += 1) {
  const object = contestedObject(n, writer);
  const stored = await archive.put(object, never);
  if (stored !== 'exists') writeSync(1, `${n}\n`);
  else if ((await archive.head(object.key, never)) === undefined)
    throw new Error(`${object.key} exists and does not`);
}
