import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions, entryPoint } from '../functions/bundle.ts';

const OUTPUT = fileURLToPath(new URL('../dist/functions', import.meta.url));

/** A function's code as Lambda takes it. */
export interface FunctionCode {
  /** A folder that holds the bundle and nothing else; its content names the asset. */
  readonly folder: string;
  /** Lambda's `Handler`. */
  readonly handler: string;
}

/** The functions that are deployed, by the names of their files in functions/handlers. */
const FUNCTIONS = ['collect', 'sync-identities', 'deliver-splunk', 'deliver-elastic'] as const;

/** Every function's code. What no resource uses is not uploaded. */
export type Bundles = Readonly<Record<(typeof FUNCTIONS)[number], FunctionCode>>;

export async function bundleFunctions(): Promise<Bundles> {
  const bundles = FUNCTIONS.map(async (name) => [name, await bundleFunction(name)] as const);
  return Object.fromEntries(await Promise.all(bundles)) as Bundles;
}

/**
 * Bundles a function of functions/handlers once, for however many organizations or destinations run it: by esbuild here, so that
 * neither docker nor a network is needed. A file is moved into its place whole, since two processes may do this at once.
 */
async function bundleFunction(name: string): Promise<FunctionCode> {
  const folder = join(OUTPUT, name);
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: [entryPoint(name)],
    outfile: join(folder, `${name}.mjs`),
    write: false,
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    const unfinished = join(OUTPUT, `.${name}-${process.pid}`);
    await writeFile(unfinished, contents);
    await rename(unfinished, path);
  }
  return { folder, handler: `${name}.handler` };
}
