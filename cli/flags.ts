import { z } from 'zod';
import { parseBaseUrl } from '../functions/adapters/base-url.ts';
import { OrglogError } from '../functions/core/errors.ts';

/** A whole number, given as text. */
export function whole(low: number, high: number) {
  const expected = `expected a whole number from ${low} to ${high}`;
  return z
    .string(expected)
    .refine((text) => /^\d{1,12}$/.test(text) && Number(text) >= low && Number(text) <= high, expected)
    .transform(Number);
}

/** The provider's base URL, without a slash at its end. */
export const baseUrl = z.string().transform((text, context) => {
  try {
    return parseBaseUrl(text).href.replace(/\/$/, '');
  } catch (error) {
    if (!(error instanceof OrglogError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Whether a checked base URL leads to this machine: the one place where http is allowed. */
export function isLoopback(checked: string): boolean {
  try {
    parseBaseUrl(`http://${new URL(checked).host}`);
    return true;
  } catch {
    return false;
  }
}

/** The filters of logs-v1.md, each given as `name=value`, each at most once. */
export const filters = z.array(z.string()).transform((pairs, context) => {
  const found: Record<string, string> = {};
  for (const pair of pairs) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    const fault = !FILTER_NAMES.includes(name)
      ? `expected one of ${FILTER_NAMES.join(', ')}, then = and its value, for example service=bridge`
      : value === ''
        ? `expected a value after ${name}=`
        : name in found
          ? `expected ${name} only once`
          : undefined;
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, params: { shown: pair } });
    found[name] = value;
  }
  return found;
});

const FILTER_NAMES = ['service', 'logType', 'logSubtype', 'tenant'];

/** The faults of flags as a person typed them: name, value, what is expected. */
export function flagFaults(
  error: z.ZodError | undefined,
  values: Readonly<Record<string, unknown>>,
  hidden: ReadonlySet<string> = new Set(),
): string[] {
  return (error?.issues ?? []).map((issue) => {
    const [property, at] = issue.path.map(String);
    const given = values[property ?? ''];
    const value = Array.isArray(given) && at !== undefined ? given[Number(at)] : given;
    const shown = issue.code === 'custom' ? (issue.params?.shown ?? value) : value;
    const name = optionName(property ?? '');
    if (shown === undefined) return `${name}: missing; ${issue.message}`;
    const text = hidden.has(property ?? '') ? '(not shown)' : JSON.stringify(withoutUserInfo(String(shown)));
    return `${name} ${text}: ${issue.message}`;
  });
}

/** `--given-name` for `givenName` */
export function optionName(property: string): string {
  return `--${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A URL may hold a credential before its host. */
function withoutUserInfo(text: string): string {
  return text.replace(/[^/\s]*@/g, '…@');
}

/** For options that may be given several times. */
export function repeatable(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/**
 * Whatever the command line holds beyond what the command knows. What follows an unknown option may be its value, and
 * that a secret: it is not repeated.
 */
export function leftovers(operands: readonly string[]): string[] {
  return operands.flatMap((text, at) => {
    if (text.startsWith('-')) return [`${text.split('=', 1)[0] ?? text}: there is no such option`];
    const before = operands[at - 1];
    if (before?.startsWith('-') && !before.includes('=')) return [];
    return [`${JSON.stringify(withoutUserInfo(text))}: expected no argument here`];
  });
}
