import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Who may import whom (ARCHITECTURE.md, "Layers"): a folder's files may import from these folders, itself included. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'functions/core': ['functions/core'],
  'functions/adapters': ['functions/core', 'functions/adapters'],
  'functions/handlers': ['functions/core', 'functions/adapters', 'functions/handlers'],
  'local/provider': ['functions/core', 'local/provider'],
  local: ['functions/core', 'functions/adapters', 'local', 'local/provider'],
  // Settings are checked before anything is deployed: they know nothing of the CDK.
  cli: ['functions/core', 'functions/adapters', 'local', 'infra/settings', 'cli'],
  siem: ['functions/core', 'local/provider', 'siem'],
  'infra/settings': ['functions/core', 'functions/adapters', 'infra/settings'],
  infra: ['functions', 'functions/core', 'functions/adapters', 'infra/settings', 'infra'],
};

/** What pure code may use of the runtime and of packages: it computes, and touches nothing. */
const CORE_MAY_USE = [
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:stream',
  'node:zlib',
  'zod',
  'zod/mini',
];

/** Nothing in core may read a clock, chance, the environment or the network by itself. */
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\bsetInterval\(|\bawait fetch\(|\bconsole\.|\brandomUUID\b|\brandomBytes\b/;

interface Import {
  readonly file: string;
  readonly layer: string;
  readonly target: string;
}

async function sources(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('{functions,local,cli,infra,siem}/**/*.ts')) files.push(file);
  return files.sort();
}

function layerOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .sort((a, b) => b.length - a.length)
    .find((layer) => file.startsWith(`${layer}/`));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const layer = layerOf(file) ?? '';
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([\w@./:-]+)'/g)].map(([, name = '']) => ({
    file,
    layer,
    target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  }));
}

describe('the layers', async () => {
  const files = await sources();
  const imports = files.flatMap(importsOf);

  it('are seen by this test', () => {
    expect(files).toContain('functions/core/collect.ts');
    expect(imports.filter(({ layer }) => layer === 'functions/core').length).toBeGreaterThan(20);
  });

  it('import one way only', () => {
    const wrong = imports.filter(({ layer, target }) => {
      if (!/^(functions|local|cli|infra|siem|test|bench)\//.test(target)) return false;
      const allowed = MAY_IMPORT[layer];
      return allowed !== undefined && !allowed.includes(layerOf(target) ?? dirname(target));
    });
    expect(wrong).toStrictEqual([]);
  });

  it('keep the core pure', () => {
    const core = imports.filter(({ layer }) => layer === 'functions/core');
    const outside = core.filter(
      ({ target }) => !target.startsWith('functions/') && !CORE_MAY_USE.includes(target),
    );
    expect(outside).toStrictEqual([]);
    const impure = files
      .filter((file) => file.startsWith('functions/core/'))
      .filter((file) => IMPURE.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')));
    expect(impure).toStrictEqual([]);
  });
});
