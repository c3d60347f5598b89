import { z } from 'zod';
import type { ModifyIdentityInput } from '../../../functions/core/identities/identities-api.ts';
import type { Identity } from '../../../functions/core/identities/identity.ts';
import { factLines } from '../../table.ts';
import { IDENTITY, mail, text } from './flags.ts';
import { lookUp } from './look-up.ts';
import type { Operation } from './operation.ts';
import { identityLines, inWords } from './show.ts';

const FIELDS = ['mail', 'givenName', 'sn'] as const;

const flags = {
  mail: mail.optional(),
  givenName: text('a given name').optional(),
  sn: text('a surname').optional(),
  allowDuplicateEmail: z.boolean().optional(),
};

export const modify: Operation<typeof flags> = {
  name: 'modify',
  summary: 'change the name or the e-mail address of an identity',
  about: 'What is not given stays as it is.',
  operand: IDENTITY,
  examples: [
    'orglog identities modify 4f1c0a2e-… --sn King',
    'orglog identities modify 4f1c0a2e-… --mail ada.king@institution.edu --yes',
  ],
  changes: true,
  options: (command) =>
    void command
      .option('--mail <address>', 'new e-mail address')
      .option('--given-name <name>', 'new given name')
      .option('--sn <name>', 'new surname')
      .option('--allow-duplicate-email', 'even if another identity has that address'),
  flags: () => flags,
  faults: (raw) =>
    FIELDS.every((field) => raw[field] === undefined)
      ? ['--mail, --given-name, --sn: all missing; expected at least one of them']
      : [],
  async run(work, flags, serviceUid) {
    const { api, output, signal, address } = work;
    const input: ModifyIdentityInput = {
      ...(flags.mail !== undefined && { mail: flags.mail }),
      ...(flags.givenName !== undefined && { givenName: flags.givenName }),
      ...(flags.sn !== undefined && { sn: flags.sn }),
      ...(flags.allowDuplicateEmail && { allowDuplicateEmail: true }),
    };
    await work.confirm(async (canLook) => {
      const now = canLook ? await lookUp(work, serviceUid) : undefined;
      const changed = FIELDS.filter((field) => input[field] !== undefined);
      return {
        title: `This modifies an identity at ${address}:`,
        lines: (space) =>
          factLines(
            [
              ['serviceUid', serviceUid],
              ...(now === undefined ? [] : [['identity', inWords(now)] as const]),
              ...changed.map((field) => [field, changeOf(now, field, input[field])] as const),
              ...(input.allowDuplicateEmail ? [['duplicate mail', 'allowed'] as const] : []),
            ],
            space,
          ),
      };
    });
    const identity = await api.modify(serviceUid, input, signal);
    await output.result(identity, (space) => identityLines(identity, space));
    if (!output.json) output.note('modified');
  },
};

function changeOf(now: Identity | undefined, field: (typeof FIELDS)[number], value = ''): string {
  if (now === undefined) return value;
  return now[field] === value ? `${value} (as it is)` : `${now[field] ?? '–'} → ${value}`;
}
