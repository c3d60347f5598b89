import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { type FunctionConfiguration, startContainer } from './container.ts';

/** A function that tells what it finds around it. */
const PROBE = `
import { readFile, writeFile } from 'node:fs/promises';
import { getHeapStatistics } from 'node:v8';
const outcome = (promise) => promise.then(() => 'allowed', ({ code }) => code);
let invocations = 0;
export const handler = async (event, context) => {
  if (event.exit) process.exit(7);
  if (event.fail) throw Object.assign(new RangeError('out of range', { cause: new Error('deep') }), { code: 'far' });
  console.log('on its way');
  return {
    invocations: ++invocations, event, context, left: context.getRemainingTimeInMillis(),
    cwd: process.cwd(), env: { ...process.env }, heapMb: getHeapStatistics().heap_size_limit / 2 ** 20,
    read: await outcome(readFile(event.file)), write: await outcome(writeFile('here', '')),
    module: await outcome(import('zod')),
  };
};`;

const asset = await temporaryFolder();
afterAll(() => asset[Symbol.asyncDispose]());
await writeFile(join(asset.path, 'probe.mjs'), PROBE);

function start(changes: Partial<FunctionConfiguration> = {}) {
  const configuration = {
    name: 'orglog-probe',
    handler: 'probe.handler',
    runtime: 'nodejs24.x',
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: { COLOUR: 'blue' },
    folder: asset.path,
  };
  const surroundings = { region: 'us-east-1', account: '000000000000', environment: {} };
  return startContainer({ ...configuration, ...changes }, surroundings);
}

test('a function runs in a folder of its own, with what Lambda gives it and nothing else', async () => {
  await using container = await start();
  const file = fileURLToPath(new URL('../../package.json', import.meta.url));
  const { outcome, stdout, stderr, maxMemoryMb } = await container.invoke({ file });
  expect(outcome).toMatchObject({
    kind: 'response',
    body: {
      event: { file },
      context: {
        functionName: 'orglog-probe',
        memoryLimitInMB: '256',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:orglog-probe',
      },
      cwd: container.taskFolder,
      env: { COLOUR: 'blue', AWS_REGION: 'us-east-1', _HANDLER: 'probe.handler' },
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      module: 'ERR_MODULE_NOT_FOUND',
    },
  });
  const body = outcome.kind === 'response' ? (outcome.body as Record<string, unknown>) : {};
  expect(body.left).toBeGreaterThan(20_000);
  expect(body.left).toBeLessThanOrEqual(30_000);
  expect(body.heapMb).toBeLessThan(300);
  expect(body.env).not.toHaveProperty('PATH');
  expect([stdout, stderr]).toEqual([['on its way'], []]);
  expect(maxMemoryMb).toBeGreaterThan(20);
});

test('an error is reported with its type, and the container goes on', async () => {
  await using container = await start();
  await container.invoke({});
  const failed = await container.invoke({ fail: true });
  expect(failed.outcome).toMatchObject({
    kind: 'error',
    error: {
      errorType: 'RangeError',
      errorMessage: 'out of range',
      trace: expect.arrayContaining([expect.stringContaining('probe.mjs')]),
    },
  });
  expect(failed.stderr).toHaveLength(1);
  // The managed runtime logs an error's members and causes: what must not be logged must not be there.
  expect(failed.stderr[0]).toMatch(/^Invoke Error\t.*"code":"far".*"errorMessage":"deep"/);
  expect((await container.invoke({})).outcome).toMatchObject({ kind: 'response', body: { invocations: 2 } });
});

test.each([
  ['nowhere.handler', 'Runtime.ImportModuleError'],
  ['probe.nothing', 'Runtime.HandlerNotFound'],
])('the handler %s is an error of initialization, at every invocation', async (handler, errorType) => {
  await using container = await start({ handler });
  for (const _ of [1, 2]) {
    expect((await container.invoke({})).outcome).toMatchObject({ kind: 'init-error', error: { errorType } });
  }
});

test('a process that ends without a word fails its invocation', async () => {
  await using container = await start();
  await expect(container.invoke({ exit: true })).rejects.toThrow('Runtime.ExitError: the process ended (7)');
});

test('a runtime that the tests do not run on is refused', async () => {
  await expect(start({ runtime: 'nodejs22.x' })).rejects.toThrow('deployed on nodejs22.x');
});
