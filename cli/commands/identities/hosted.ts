import { z } from 'zod';
import { IDENTITY, mail, text } from './flags.ts';
import { linkPlan } from './link-plan.ts';
import type { Operation } from './operation.ts';
import { linkedLines } from './show.ts';

const flags = {
  email: mail,
  givenName: text('a given name').optional(),
  surname: text('a surname'),
  quiet: z.boolean().default(false),
};

export const hostedCreate: Operation<typeof flags> = {
  name: 'create',
  summary: 'create a hosted credential and link it to an identity',
  about: 'The user is invited by e-mail to set a password, unless --quiet is given.',
  operand: IDENTITY,
  examples: [
    'orglog identities hosted create 4f1c0a2e-… --email ada@institution.edu \\',
    '    --given-name Ada --surname Lovelace',
  ],
  changes: true,
  options: (command) =>
    void command
      .option('--email <address>', 'address of the credential')
      .option('--given-name <name>', 'given name')
      .option('--surname <name>', 'surname')
      .option('--quiet', 'no e-mail to the user'),
  flags: () => flags,
  async run(work, { email, givenName, surname, quiet }, serviceUid) {
    const { api, output, signal } = work;
    await work.confirm((canLook) =>
      linkPlan(work, canLook, {
        does: 'creates a hosted credential for an identity',
        serviceUid,
        facts: () => [
          ['email', email],
          ['name', [givenName, surname].filter(Boolean).join(' ')],
          ['mail to the user', quiet ? 'none' : 'an invitation to set a password'],
        ],
      }),
    );
    const input = { email, surname, quiet, ...(givenName !== undefined && { givenName }) };
    const linked = await api.createHostedCredential(serviceUid, input, signal);
    await output.result(linked, (space) => linkedLines(linked, space));
    if (!output.json) output.note('created');
  },
};
