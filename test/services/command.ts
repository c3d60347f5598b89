import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A tool or a registry is out of reach: what needs it is skipped, with this message as the reason. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default 10 minutes. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end, at low priority: downloads and builds are to leave the machine to others. */
export async function command(
  program: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 600_000 }: CommandOptions = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: 64 << 20 };
  try {
    const { stdout } = await execute('nice', ['-n', '10', program, ...args], options);
    return stdout;
  } catch (error) {
    const {
      killed,
      stdout = '',
      stderr = '',
    } = error as { killed?: boolean; stdout?: string; stderr?: string };
    const [line] = `${stderr}\n${stdout}`
      .split('\n')
      .filter((text) => /error|cannot|fail|forbidden|refused|no such|not found/i.test(text));
    const why =
      killed === true ? `no end within ${timeoutMs / 1000} s` : (line ?? String(error)).slice(0, 300);
    throw new Unavailable(`${program} ${args[0]}: ${why}`, { cause: error });
  }
}

/** @throws Unavailable where the program cannot be run */
export async function requireProgram(program: string, ...versionArgs: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, [...versionArgs]);
    return stdout || stderr;
  } catch {
    throw new Unavailable(`there is no ${program} here`);
  }
}

/** The first Java of at least this version: `JAVA_HOME`'s, the path's, or one that Debian's packages put beside it. */
export async function javaOf(
  least: number,
): Promise<{ readonly java: string; readonly home: string | undefined }> {
  const folder = '/usr/lib/jvm';
  const homes = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const { JAVA_HOME } = process.env;
  for (const home of [JAVA_HOME, undefined, ...homes]) {
    const java = home === undefined ? 'java' : join(home, 'bin', 'java');
    if (home !== undefined && !existsSync(java)) continue;
    const told = await execute(java, ['-version']).catch(() => ({ stderr: '' }));
    const version = Number(/version "(\d+)/.exec(told.stderr)?.[1] ?? 0);
    if (version >= least) return { java, home };
  }
  throw new Unavailable(`there is no Java ${least} or later here`);
}
