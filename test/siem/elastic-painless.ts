type Ctx = Record<string, unknown>;

/** What our Painless spells otherwise than JavaScript; the rest of it means the same in both. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/^(?:def|boolean) (\w+)\(([^)]*)\) \{/gm, 'function $1($2) {'],
  [/(?<=[(,] ?)(?:def|int|String) (?=\w+[,)])/g, ''],
  [/\bdef (\w+) =/g, 'let $1 ='],
  [/for \(def (\w+) : (\w+)\.keySet\(\)\)/g, 'for (const $1 of Object.keys($2))'],
  [/for \(def (\w+) : ([\w.]+)\)/g, 'for (const $1 of $2)'],
  [/([\w.?]+) instanceof (String|Map|List|Integer)/g, "isA($1, '$2')"],
  [/([\w.]+)\.isEmpty\(\)/g, '($1.length === 0)'],
  [/\.length\(\)/g, '.length'],
  [/new HashMap\(\)/g, '{}'],
  [/new ArrayList\(([\w.]+)\)/g, '[...$1]'],
  [/new ArrayList\(\)/g, '[]'],
  [/\.add\(/g, '.push('],
  [/\.contains\(/g, '.includes('],
];

/** What a JSON parser of Java's gives as an Integer, but for the lowest one. */
const HIGHEST_INTEGER = 2 ** 31 - 1;

type Compiled = (ctx: Ctx, params: Ctx, isA: typeof isOfType) => unknown;

const compiled = new Map<string, Compiled>();

/** Evaluate a condition. */
export function testPainless(condition: string, ctx: Ctx): boolean {
  const value = compile(`return ${condition};`)(ctx, {}, isOfType);
  if (typeof value !== 'boolean') throw new Error(`a condition must be boolean: ${condition}`);
  return value;
}

/** Run a script, which works on `ctx`. */
export function runPainless(source: string, ctx: Ctx, params: Ctx): void {
  compile(source)(ctx, params, isOfType);
}

function compile(source: string): Compiled {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const script = REWRITES.reduce((text, [from, to]) => text.replaceAll(from, to), source);
  const left = /\bdef\b|\binstanceof\b|keySet|HashMap|ArrayList/.exec(script);
  if (left !== null) throw new Error(`${left[0]} is not modelled: ${script}`);
  // The scripts are our own, made by siem/generate.
  const run = new Function('ctx', 'params', 'isA', `'use strict';\n${script}`) as Compiled;
  compiled.set(source, run);
  return run;
}

function isOfType(value: unknown, type: 'String' | 'Map' | 'List' | 'Integer'): boolean {
  if (type === 'Integer') return Number.isInteger(value) && Math.abs(Number(value)) <= HIGHEST_INTEGER;
  if (type === 'String') return typeof value === 'string';
  if (type === 'List') return Array.isArray(value);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
