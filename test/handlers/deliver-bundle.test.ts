import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_BUNDLE_BYTES } from '../../bench/start-up.ts';
import { bundleOptions, entryPoint } from '../../functions/bundle.ts';
import { startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { selfSigned } from '../adapters/self-signed.ts';
import { listen } from '../aws/listen.ts';
import { createLedgerTable, openDeliverBed } from './deliver-bed.ts';

const run = promisify(execFile);
const services = await awsSuite();
const table = await createLedgerTable(services);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orglog-bundle-'));
  for (const name of ['deliver-splunk', 'deliver-elastic'])
    await build({ ...bundleOptions, entryPoints: [entryPoint(name)], outfile: bundleOf(name) });
});
afterAll(() => rm(folder, { recursive: true }));

const bundleOf = (name: string) => join(folder, `${name}.mjs`);

/** One invocation in a process of its own, which ends only when nothing is left open. */
async function invoke(name: string, env: Record<string, string | undefined>, event: unknown) {
  const child = fileURLToPath(import.meta.resolve('./deliver-bundle-child.ts'));
  const parameters = [child, bundleOf(name), JSON.stringify(event)];
  const { stdout } = await run(process.execPath, parameters, { env, timeout: 20_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test.each(['deliver-splunk', 'deliver-elastic'])('the bundle of %s is small', async (name) => {
  expect((await stat(bundleOf(name))).size).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
});

test('the bundle for Splunk delivers over TLS to a host of a private authority, and leaves nothing open', async () => {
  const { key, cert } = selfSigned('localhost');
  let bytes = 0;
  await using server = await listen(
    createServer({ key, cert }, (request, response) => {
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => response.end('{"text":"Success","code":0}'));
    }),
  );
  await using bed = await openDeliverBed(services, { token: 't' }, table);
  await bed.announce(['{"a":1}', '{"a":2}']);
  const env = {
    ...bed.env,
    ORGLOG_SINK_URL: server.url.replace('http://127.0.0.1', 'https://localhost'),
    ORGLOG_SINK_CA: cert,
  };
  const answers: unknown[] = [];
  await bed.invoke(async (event) => {
    const answer = await invoke('deliver-splunk', env, event);
    answers.push(answer);
    return answer;
  });
  expect(answers).toStrictEqual([{ batchItemFailures: [] }]);
  expect(bytes).toBeGreaterThan(0);
});

test('the bundle for Elasticsearch delivers, and leaves nothing open', async () => {
  await using elastic = await startElasticsearch();
  await using bed = await openDeliverBed(services, { apiKey: 'a2V5' }, table);
  await bed.announce(['{"a":1}', '{"a":2}']);
  const env = { ...bed.env, ORGLOG_SINK_URL: elastic.url };
  await bed.invoke((event) => invoke('deliver-elastic', env, event));
  expect(elastic.documents('logs-orglog.events-default')).toHaveLength(2);
});
