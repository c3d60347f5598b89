import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_BUNDLE_BYTES } from '../../bench/start-up.ts';
import { bundleOptions, entryPoint } from '../../functions/bundle.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { ORG_URL } from './collect-bed.ts';
import { openSyncBed } from './sync-bed.ts';

const run = promisify(execFile);
const services = await awsSuite();
const bed = await openSyncBed(services, ['mail']);
afterAll(() => bed[Symbol.asyncDispose]());

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orglog-sync-bundle-'));
  bundle = join(folder, 'sync-identities.mjs');
  await build({ ...bundleOptions, entryPoints: [entryPoint('sync-identities')], outfile: bundle });
});
afterAll(() => rm(folder, { recursive: true }));

/** One invocation in a process of its own, which ends only when nothing is left open. */
async function invoke(env: Record<string, string | undefined>) {
  const child = fileURLToPath(import.meta.resolve('./bundle-child.ts'));
  const { stdout } = await run(process.execPath, [child, bundle], { env, timeout: 20_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('the bundle is small', async () => {
  expect((await stat(bundle)).size).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
});

test('the bundle follows identity records through a broken answer, and leaves nothing open behind', async () => {
  bed.provider.identities.seed(ORG_URL, { environment: 'prod', count: 320, seed: 1 });
  bed.provider.faults.add({ kind: 'cut-body' });
  expect(await invoke(bed.env)).toMatchObject({ outcome: 'complete', walk: 1, events: 320, batches: 1 });
  const { events } = await bed.receive();
  expect(events).toHaveLength(320);
  expect(events.every(({ identity: { mail } }) => mail?.startsWith('hmac:') ?? true)).toBe(true);
  expect(await invoke(bed.env)).toMatchObject({ outcome: 'not-due', walk: 1 });
});

test('the bundle says what is wrong with its environment', async () => {
  await expect(invoke({})).rejects.toThrow(/the function's environment has 8 faults/);
});
