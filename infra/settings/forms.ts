import * as z from 'zod';
import { parseBaseUrl } from '../../functions/adapters/base-url.ts';
import { asOrglogError } from '../../functions/core/errors.ts';

/** Longest URL, in characters: all of a function's environment must fit 4 KB. */
const MAX_URL = 500;

/** Text of this form. */
export function text(form: RegExp, expected: string) {
  return z.string(expected).regex(form, expected);
}

/** An object with these members and no others: a misspelt setting must not be a silent default. */
export function strict<S extends z.ZodRawShape>(what: string, members: S) {
  const names = Object.keys(members).filter((name) => name !== '$schema');
  return z.strictObject(members, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `no such setting; expected one of ${names.join(', ')}`
        : `expected ${what}, an object with ${names.join(', ')}`,
  });
}

/** An http(s) URL that is kept as it was written. */
export function absoluteUrl(expected: string) {
  return z
    .string(expected)
    .refine((value) => isWebUrl(value), expected)
    .meta({ format: 'uri' });
}

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hostname } = new URL(value);
  // new URL would forgive white space and a missing slash, the provider compares letter by letter.
  const asWritten = /^https?:\/\/\S+$/.test(value) && hostname !== '';
  return (
    asWritten && value.length <= MAX_URL && /^https?:$/.test(protocol) && username === '' && password === ''
  );
}

/** The provider's base URL, by the collector's own rule. */
export function providerUrl() {
  const expected = 'expected the provider\'s base URL, such as "https://api.provider.example"';
  return z
    .string(expected)
    .max(MAX_URL, `${expected}, at most ${MAX_URL} characters`)
    .superRefine((value, context) => {
      try {
        parseBaseUrl(value);
      } catch (error) {
        const { message } = asOrglogError(error, 'configuration');
        context.addIssue({ code: 'custom', message: `${expected}. ${message}` });
      }
    })
    .meta({ format: 'uri' });
}

/** Where events are sent to, by the deliver functions' own rule. */
export function sinkUrl() {
  const expected =
    'expected the URL of the sink: https (http to this machine only), without credentials, query or hash, such as "https://splunk.institution.edu:8088", at most 500 characters';
  return z
    .string(expected)
    .max(MAX_URL, expected)
    .refine((value) => {
      try {
        parseBaseUrl(value);
        return true;
      } catch {
        return false;
      }
    }, expected)
    .meta({ format: 'uri' });
}
