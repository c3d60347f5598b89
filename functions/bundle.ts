import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

/**
 * Modules of undici that reading a log never enters: HTTP/2 (the pool has it switched off), the body kinds of fetch
 * (only GETs are sent), and the HTTP parser for machines without WASM SIMD (Lambda has none such).
 */
const NEVER_ENTERED =
  /[\\/]undici[\\/]lib[\\/](dispatcher[\\/]client-h2|web[\\/]fetch[\\/](body|formdata)|web[\\/]webidl[\\/]index|llhttp[\\/]llhttp-wasm)\.js$/;

const withoutUnusedUndici: Plugin = {
  name: 'without-unused-undici',
  setup(build) {
    build.onLoad({ filter: NEVER_ENTERED }, ({ path }) => {
      const name = path.split(/[\\/]/).slice(-2).join('/');
      const fail = `throw new Error("undici's ${name} is left out of the bundle: see functions/bundle.ts")`;
      // Required when undici starts, called only on an HTTP/2 connection; the others are required when needed.
      return { contents: name.endsWith('client-h2.js') ? `module.exports = () => { ${fail} }` : fail };
    });
  },
};

/**
 * How a function becomes the one file that Lambda loads: wanted small, because a cold start reads and compiles all of it
 * (docs/adr/0003-bundle.md has what each choice saves).
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
  plugins: [withoutUnusedUndici],
  // CommonJS packages among them require Node's own modules.
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  legalComments: 'none',
} satisfies BuildOptions;

/** The file of a function's handler, for example `collect`. */
export function entryPoint(name: string): string {
  return fileURLToPath(new URL(`./handlers/${name}.ts`, import.meta.url));
}
