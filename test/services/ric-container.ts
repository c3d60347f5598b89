import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ACCOUNT, type Deployment, type Resource } from '../artefact/deployment.ts';
import { configurationOf } from '../artefact/functions.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import type { Container } from '../runtime/container.ts';
import { startRuntimeApi } from '../runtime/runtime-api.ts';

/** A function's asset on Amazon's own runtime client. @param entry its `index.mjs` */
export async function startOnRic(entry: string, deployment: Deployment, fn: Resource): Promise<Container> {
  await using stack = new AsyncDisposableStack();
  const { name, handler, environment, folder, memoryMb, timeoutSeconds } = await configurationOf(
    deployment,
    fn,
  );
  const taskFolder = join(stack.use(await temporaryFolder()).path, 'task');
  await cp(folder, taskFolder, { recursive: true });
  const api = stack.use(await startRuntimeApi());
  const { env, region } = deployment.services;
  const child = spawn(process.execPath, [entry, handler], {
    cwd: taskFolder,
    env: {
      ...environment,
      ...env,
      _HANDLER: handler,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'one',
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_REGION: region,
      LAMBDA_TASK_ROOT: taskFolder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = exited.then(async ([code]): Promise<never> => {
    throw new Error(`the runtime client ended (${code}):\n${(await said).join('\n')}`);
  });
  ended.catch(() => {});
  const owned = stack.move();
  return {
    taskFolder,
    async invoke(event) {
      const functionArn = `arn:aws:lambda:${region}:${ACCOUNT}:function:${name}`;
      const invocation = { requestId: crypto.randomUUID(), event, functionArn };
      const deadlineMs = Date.now() + timeoutSeconds * 1000;
      const outcome = await Promise.race([api.invoke({ ...invocation, deadlineMs }), ended]);
      return { outcome, stdout: [], stderr: [], maxMemoryMb: Number.NaN };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
