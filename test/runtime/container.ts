import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { type Outcome, startRuntimeApi } from './runtime-api.ts';

/** A function as its template has it, every value worked out. */
export interface FunctionConfiguration {
  readonly name: string;
  /** `collect.handler` */
  readonly handler: string;
  /** `nodejs24.x` */
  readonly runtime: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** The function's own variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The asset: what would be uploaded. */
  readonly folder: string;
}

/** Where the container stands: what Lambda adds to every function's environment. */
export interface Surroundings {
  readonly region: string;
  readonly account: string;
  /** Lambda's own variables besides: credentials, and here the services' endpoints. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Invoked {
  readonly outcome: Outcome;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Peak of the whole process so far, MB: Lambda's "Max Memory Used". */
  readonly maxMemoryMb: number;
}

/** One execution environment of a function: invocations share what its code keeps. */
export interface Container extends AsyncDisposable {
  /** Folder of the copied asset, which is also the working folder: Lambda's /var/task. */
  readonly taskFolder: string;
  /** One invocation at a time. Rejects when the process ends without a word, as Lambda's `Runtime.ExitError`. */
  invoke(event: unknown): Promise<Invoked>;
}

/**
 * Starts a function's asset as Lambda does: the pinned Node with the managed runtime's flags and the environment of the
 * template, the asset copied to a folder of its own. Node's permission model lets the process read that folder and
 * nothing else, and write nowhere: what runs is the asset, with nothing of the repository behind it.
 */
export async function startContainer(
  configuration: FunctionConfiguration,
  surroundings: Surroundings,
): Promise<Container> {
  assertRuntime(configuration.runtime);
  await using stack = new AsyncDisposableStack();
  const folder = await realpath(stack.use(await temporaryFolder()).path);
  const taskFolder = join(folder, 'task');
  await cp(configuration.folder, taskFolder, { recursive: true });
  const bootstrap = join(folder, 'runtime', 'bootstrap.mts');
  await mkdir(dirname(bootstrap));
  await copyFile(fileURLToPath(import.meta.resolve('./lambda-child.ts')), bootstrap);

  const api = stack.use(await startRuntimeApi());
  const { memoryMb, timeoutSeconds, name } = configuration;
  const child = spawn(process.execPath, [...flags(folder, memoryMb), bootstrap], {
    cwd: taskFolder,
    env: environment(configuration, surroundings, { taskFolder, api: api.address }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [stdout, stderr] = [new Lines(child.stdout), new Lines(child.stderr)];
  const ended = exited.then(([code, signal]): never => {
    throw new Error(`Runtime.ExitError: the process ended (${code ?? signal}):\n${stderr.all.join('\n')}`);
  });
  ended.catch(() => {});
  const owned = stack.move();

  return {
    taskFolder,
    async invoke(event) {
      const requestId = crypto.randomUUID();
      const deadlineMs = Date.now() + timeoutSeconds * 1000;
      const functionArn = `arn:aws:lambda:${surroundings.region}:${surroundings.account}:function:${name}`;
      // What was reported counts, even where the process has ended since.
      const outcome = await Promise.race([api.invoke({ requestId, event, deadlineMs, functionArn }), ended]);
      if (outcome.kind === 'init-error') {
        await exited;
        return { outcome, stdout: stdout.all, stderr: stderr.all, maxMemoryMb: Number.NaN };
      }
      const report = `REPORT RequestId: ${requestId}\tMax Memory Used: `;
      const [out, error] = await Promise.all([stdout.until(report), stderr.until(report)]);
      const maxMemoryMb = Number.parseInt(out.last.slice(report.length), 10);
      return { outcome, stdout: out.before, stderr: error.before, maxMemoryMb };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Those of the managed runtime, and the permission to read the container's folder alone. */
function flags(folder: string, memoryMb: number): string[] {
  return [
    '--permission',
    `--allow-fs-read=${folder}`,
    '--expose-gc',
    '--max-http-header-size=81920',
    `--max-semi-space-size=${Math.floor(memoryMb * 0.05)}`,
    `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`,
  ];
}

function environment(
  { environment: own, handler, memoryMb, name, runtime }: FunctionConfiguration,
  { region, environment: given }: Surroundings,
  { taskFolder, api }: { readonly taskFolder: string; readonly api: string },
): Record<string, string> {
  return {
    ...own,
    ...given,
    _HANDLER: handler,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_RUNTIME_API: api,
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: taskFolder,
    TZ: ':UTC',
  };
}

function assertRuntime(runtime: string): void {
  const [major] = process.versions.node.split('.');
  if (runtime === `nodejs${major}.x`) return;
  throw new Error(`the function is deployed on ${runtime}, but the tests run on Node ${major}`);
}

/** The lines of a stream, taken up to a line that is awaited. */
class Lines {
  readonly all: string[] = [];
  #unfinished = '';
  #arrived = Promise.withResolvers<void>();
  #taken = 0;

  constructor(stream: Readable) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#unfinished + text).split('\n');
      this.#unfinished = lines.pop() ?? '';
      this.all.push(...lines);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
  }

  /** Waits for a line that begins so, and takes it with all before it. */
  async until(beginning: string): Promise<{ before: string[]; last: string }> {
    for (;;) {
      const at = this.all.findIndex((line) => line.startsWith(beginning));
      if (at >= 0) {
        const before = this.all.slice(this.#taken, at);
        this.#taken = at + 1;
        return { before, last: this.all[at] ?? '' };
      }
      await this.#arrived.promise;
    }
  }
}
