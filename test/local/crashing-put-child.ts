import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { FileArchive } from '../../local/file-archive.ts';
import { never } from '../contracts/support.ts';
import { crashObject } from './crash-object.ts';

/**
 * Puts one object, and dies (SIGKILL) before its `dieAt`th operation on files; a write dies half way. Prints `done`
 * when it got to the end instead.
 */
const [root = '', dieAt = '0'] = process.argv.slice(2);
const archive = await FileArchive.open(root);
let operations = 0;

type Operation = (...parameters: never[]) => unknown;

function dieBefore<K extends string>(holder: Record<K, Operation>, name: K, atDeath?: Operation): void {
  const original = holder[name];
  holder[name] = async function (this: unknown, ...parameters: never[]) {
    operations += 1;
    if (operations === Number(dieAt)) {
      await atDeath?.apply(this, parameters);
      process.kill(process.pid, 'SIGKILL');
    }
    return Reflect.apply(original, this, parameters);
  };
}

const handle = await fs.open(import.meta.filename, 'r');
const handles = Object.getPrototypeOf(handle);
await handle.close();
const { write } = handles;
dieBefore(handles, 'writeFile', async function (this: unknown, pieces: Iterable<Uint8Array>) {
  const bytes = Buffer.concat([...pieces]);
  await Reflect.apply(write, this, [bytes.subarray(0, bytes.length / 2)]);
});
dieBefore(handles, 'sync');
for (const name of ['open', 'link', 'unlink', 'mkdir'] as const) dieBefore(fs as never, name);
// Makes the named imports of the archive's modules see the functions set above.
syncBuiltinESMExports();

await archive.put(crashObject('child'), never);
console.log('done');
