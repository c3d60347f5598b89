import * as z from 'zod/mini';
import { scrub } from '../adapters/scrub.ts';
import { OrglogError } from '../core/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Longest part of a variable's value that an error shows, in UTF-16 units. */
const MAX_SHOWN = 200;

/**
 * The environment as a schema of variables reads it.
 *
 * @throws OrglogError `configuration` that lists every fault at once: name, value and what is expected
 */
export function parseEnvironment<S extends z.ZodMiniType>(schema: S, env: Environment): z.output<S> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path: [name, ...inside], message }) => {
    const where = inside.length > 0 ? ` at ${inside.join('.')}` : '';
    return `${String(name)} is ${shown(env[String(name)])}${where}: ${message}`;
  });
  throw new OrglogError(
    'configuration',
    `the function's environment has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}; correct the deployment:\n  ${faults.join('\n  ')}`,
  );
}

/** No variable is meant to hold a secret, but people put credentials into URLs: such a value is not repeated. */
function shown(value: string | undefined): string {
  if (value === undefined) return 'missing';
  if (value.includes('@')) return 'not shown (it holds an @, and so perhaps a credential)';
  return JSON.stringify(scrub(value).slice(0, MAX_SHOWN));
}

/** A variable that holds text of this form. */
export function text(form: RegExp, expected: string) {
  return z.string(expected).check(z.regex(form, expected));
}

/** A variable that holds a whole number. */
export function wholeNumber(low: number, high: number, standard: number) {
  const expected = `expected a whole number from ${low} to ${high}`;
  const inRange = z.int(expected).check(z.gte(low, expected), z.lte(high, expected));
  return z.prefault(
    z.pipe(z.pipe(text(/^\d{1,15}$/, expected), z.transform(Number)), inRange),
    String(standard),
  );
}

/** A variable that holds JSON of this shape. */
export function json<S extends z.ZodMiniType>(shape: S, expected: string) {
  const parsed = z.transform((input: string, context): unknown => {
    try {
      return JSON.parse(input);
    } catch {
      context.issues.push({ code: 'custom', message: `expected JSON: ${expected}`, input });
      return z.NEVER;
    }
  });
  return z.pipe(z.pipe(z.string(`expected JSON: ${expected}`), parsed), shape);
}
