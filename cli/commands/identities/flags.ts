import type { Command } from 'commander';
import { z } from 'zod';
import type { CredentialInput } from '../../../functions/core/identities/identities-api.ts';
import { repeatable } from '../../flags.ts';

/** The one operand of most operations. */
export const IDENTITY = ['serviceUid', "an identity's identifier"] as const;

/** Which of the two sets of records. */
export const environment = z.enum(['test', 'prod'], 'expected test or prod').default('prod');

export function addEnvironment(command: Command): void {
  command.option('--environment <name>', 'test or prod (default: prod)');
}

/** Any text but none at all. */
export function text(what: string) {
  return z.string(`expected ${what}`).min(1, `expected ${what}`);
}

export const mail = z
  .string('expected an e-mail address')
  .regex(/^[^\s@]+@[^\s@]+$/, 'expected an e-mail address');

/** Which collection, or which remote credential. */
export const linkFlags = {
  authority: text('the identifier of its authority'),
  uid: text('its identifier within the authority'),
};

export function addLinkOptions(command: Command): void {
  command
    .option('--authority <id>', 'its authority')
    .option('--uid <id>', 'its identifier within the authority');
}

/** `key=value`, repeated for more keys and for more values of a key. */
export const attributes = z.array(z.string()).transform((pairs, context) => {
  const found: [key: string, value: string][] = [];
  for (const pair of pairs) {
    const [key = '', value] = pair.split(/=(.*)/s, 2);
    if (key === '' || value === undefined) {
      const message = 'expected key=value';
      context.addIssue({ code: 'custom', message, params: { shown: pair } });
    } else found.push([key, value]);
  }
  return grouped(found);
});

export function addAttributeOptions(command: Command): void {
  command
    .option('--attribute <key=value>', 'repeatable, also for more values of a key', repeatable)
    .option('--attributes <file>', 'all of them as JSON, {"key": ["value"]}; - is stdin');
}

const LINK_FORM = /^authority=([^,]+),uid=([^,]+)((?:,[^,=]+=[^,]*)*)$/;

/** `authority=…,uid=…`, then attributes where there may be some: `,key=value`. */
export function links(withAttributes: boolean) {
  const expected = `expected authority=…,uid=…${withAttributes ? ',key=value… (a value that holds a comma: --input)' : ''}`;
  return z.array(z.string()).transform((values, context) =>
    values.map((value): CredentialInput & { attributes?: Record<string, string[]> } => {
      const [, authority = '', uid = '', rest = ''] = LINK_FORM.exec(value) ?? [];
      if (authority === '' || (rest !== '' && !withAttributes)) {
        context.addIssue({ code: 'custom', message: expected, params: { shown: value } });
      }
      if (rest === '') return { authority, uid };
      const pairs = rest
        .slice(1)
        .split(',')
        .map((pair) => pair.split(/=(.*)/s, 2) as [string, string]);
      return { authority, uid, attributes: grouped(pairs) };
    }),
  );
}

function grouped(pairs: readonly (readonly [key: string, value: string])[]): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([key]) => key);
  // A key may be called __proto__, and that is a key.
  return Object.fromEntries([...groups].map(([key, own]) => [key, own.map(([, value]) => value)]));
}
