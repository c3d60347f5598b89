import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/**
 * How a function becomes the one file that Lambda loads: wanted small, because a cold start reads and compiles all of it
 * (docs/adr/0001-bundle.md has what each choice saves).
 */
export const bundleOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // ES modules where a package has them: only those lose what is not used.
  mainFields: ['module', 'main'],
  // undici's own switch for being bundled into Node: leaves out its second, experimental HTTP parser.
  define: { esbuildDetection: 'true' },
  // CommonJS packages among them require Node's own modules.
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  legalComments: 'none',
} as const satisfies BuildOptions;

/** The file of a function's handler, for example `collect`. */
export function entryPoint(name: string): string {
  return fileURLToPath(new URL(`./handlers/${name}.ts`, import.meta.url));
}
