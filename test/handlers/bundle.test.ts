import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_BUNDLE_BYTES } from '../../bench/start-up.ts';
import { bundleOptions, entryPoint } from '../../functions/bundle.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { selfSigned } from '../adapters/self-signed.ts';
import { ORG_URL, openBed } from './collect-bed.ts';

const run = promisify(execFile);
const services = await awsSuite();
const bed = await openBed(services);
afterAll(() => bed[Symbol.asyncDispose]());

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orglog-bundle-'));
  bundle = join(folder, 'collect.mjs');
  await build({ ...bundleOptions, entryPoints: [entryPoint('collect')], outfile: bundle });
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

test('the bundle collects, and leaves nothing open behind', async () => {
  bed.produce(2_500);
  expect(await invoke(bed.env)).toMatchObject({ outcome: 'caught-up', events: 2_500, pages: 3, batches: 1 });
  const [message, ...more] = await bed.receive('splunk');
  expect(more).toEqual([]);
  expect(await bed.read(message?.key ?? '')).toBe(`${[...bed.provider.lines(ORG_URL)].join('\n')}\n`);
});

test('the bundle does so over TLS, and through a broken answer', async () => {
  await using front = await tlsFront(bed.provider.url);
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, front.certificate);
  bed.provider.faults.add({ kind: 'cut-body' });
  const env = { ...bed.env, ORGLOG_ORG: 'over-tls', ORGLOG_BASE_URL: front.url };
  expect(await invoke({ ...env, NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
    outcome: 'caught-up',
    events: 2_500,
    providerErrors: { network: 1 },
  });
});

test('the bundle says what is wrong with its environment', async () => {
  await expect(invoke({})).rejects.toThrow(/the function's environment has 8 faults/);
});

/** The provider behind TLS, on a name that the certificate vouches for. */
async function tlsFront(providerUrl: string) {
  const { key, cert } = selfSigned('localhost');
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const onward = request(new URL(url, providerUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    certificate: cert,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
