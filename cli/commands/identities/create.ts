import { z } from 'zod';
import type { CreateIdentityInput } from '../../../functions/core/identities/identities-api.ts';
import type { IdentityEnvironment } from '../../../functions/core/identities/identity.ts';
import type { Plan } from '../../confirm.ts';
import { optionName, repeatable } from '../../flags.ts';
import { jsonFile } from '../../json-input.ts';
import { factLines } from '../../table.ts';
import type { World } from '../../world.ts';
import { addEnvironment, environment, links, mail, text } from './flags.ts';
import { createDocument, createInput } from './input.ts';
import type { Operation } from './operation.ts';
import { attributeFacts, identityLines } from './show.ts';

const NEEDED = ['mail', 'givenName', 'sn'] as const;

const flags = (world: World) => ({
  environment,
  mail: mail.optional(),
  givenName: text('a given name').optional(),
  sn: text('a surname').optional(),
  customerUidGen: text('a key that the provider supplied').optional(),
  hosted: z.boolean().optional(),
  quiet: z.boolean().optional(),
  allowDuplicateEmail: z.boolean().optional(),
  collection: links(true).optional(),
  credential: links(false).optional(),
  input: jsonFile(createDocument, world).optional(),
});

export const create: Operation<ReturnType<typeof flags>> = {
  name: 'create',
  summary: 'create an identity, with collections and credentials if wanted',
  about:
    'A document for --input has the members mail, givenName and sn, and if wanted\n' +
    'customerUidGen, obid, quiet, allowDuplicateEmail, attributeCollections\n' +
    '(attributeCollectionAuthority, uid, attributes) and remoteCredentials\n' +
    '(remoteCredentialAuthority, uid).',
  examples: [
    'orglog identities create --mail ada@institution.edu \\',
    '    --given-name Ada --sn Lovelace --hosted',
    'orglog identities create --mail ada@institution.edu \\',
    '    --given-name Ada --sn Lovelace \\',
    '    --collection authority=https://hr.institution.edu,uid=4711,dept=History',
    'orglog identities create --environment test --yes --input ada.json',
  ],
  changes: true,
  options(command) {
    addEnvironment(command);
    command
      .option('--mail <address>', 'e-mail address')
      .option('--given-name <name>', 'given name')
      .option('--sn <name>', 'surname')
      .option('--hosted', 'with a hosted credential: the user is invited by e-mail')
      .option('--collection <link>', 'authority=…,uid=…[,key=value…]; repeatable', repeatable)
      .option('--credential <link>', 'authority=…,uid=… elsewhere; repeatable', repeatable)
      .option('--customer-uid-gen <key>', 'have a customer-defined identifier made')
      .option('--quiet', 'no e-mail to the user')
      .option('--allow-duplicate-email', 'even if another identity has that address')
      .option('--input <file>', 'all of the above as JSON; - is stdin');
  },
  flags,
  faults(raw) {
    if (raw.input === undefined) {
      return NEEDED.filter((name) => raw[name] === undefined).map(
        (name) => `${optionName(name)}: missing; expected, or a document with --input`,
      );
    }
    const own = new Set([
      'input',
      'environment',
      'yes',
      'json',
      'baseUrl',
      'uidField',
      'secret',
      'profile',
      'region',
    ]);
    const others = Object.keys(raw).filter((name) => !own.has(name));
    return others.map((name) => `${optionName(name)}: expected in the document of --input`);
  },
  async run(work, { environment, input: document, ...given }) {
    const { api, output, signal, address } = work;
    const input = document ?? createInput(given);
    await work.confirm(() => planOf(input, environment, address));
    const identity = await api.create(environment, input, signal);
    await output.result(identity, (space) => identityLines(identity, space));
    if (!output.json) output.note(`created in ${environment}`);
  },
};

function planOf(input: CreateIdentityInput, environment: IdentityEnvironment, address: string): Plan {
  const { attributeCollections = [], remoteCredentials = [] } = input;
  return {
    title: `This creates an identity in ${environment} at ${address}:`,
    lines: (space) =>
      factLines(
        [
          ['givenName', input.givenName],
          ['sn', input.sn],
          ['mail', input.mail],
          ...(input.customerUidGen === undefined ? [] : [['customer UID', input.customerUidGen] as const]),
          ...(input.obid ? [['hosted credential', 'yes'] as const] : []),
          ...(input.obid || input.quiet
            ? [['mail to the user', input.quiet ? 'none' : 'an invitation to set a password'] as const]
            : []),
          ...(input.allowDuplicateEmail ? [['duplicate mail', 'allowed'] as const] : []),
          ...attributeCollections.flatMap(({ authority, uid, attributes }) => [
            ['collection', `${uid} of ${authority}`] as const,
            ...attributeFacts(attributes, '  '),
          ]),
          ...remoteCredentials.map(
            ({ authority, uid }) => ['remote credential', `${uid} of ${authority}`] as const,
          ),
        ],
        space,
      ),
  };
}
