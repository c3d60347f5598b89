import type { Command } from 'commander';
import { z } from 'zod';
import { OrglogError } from '../../../functions/core/errors.ts';
import { inWords } from '../../../functions/core/operate/check-verdict.ts';
import { EXIT } from '../../exit-codes.ts';
import { EndedEarly, UsageError } from '../../failure.ts';
import { factLines, type TableSpace } from '../../table.ts';
import type { World } from '../../world.ts';
import { addOperatorCommand, group, type OperatorCommand, type Work } from '../operate/command.ts';
import { addOrg, org } from '../operate/flags.ts';
import { MARKS, marked } from '../operate/marks.ts';
import { organizationNamed } from '../operate/named.ts';
import { credentialFrom, inputFaults } from './input.ts';
import { type Trial, tryCredential } from './trial.ts';
import { type SecretUser, secretUsers, userInWords } from './users.ts';

const NEW_CREDENTIAL = 'A credential that was issued just now takes up to 15 minutes to work.';

const flags = {
  org,
  identities: z.boolean().default(false),
  username: z.string().min(1, 'expected the name that the provider issued').optional(),
  stdin: z.boolean().default(false),
  force: z.boolean().default(false),
};

type Order = z.output<z.ZodObject<typeof flags>>;

/** `orglog secret`: the providers' credentials. */
export function secretCommand(program: Command, world: World): void {
  const secret = group(program, 'secret', "store the provider's credentials");
  addOperatorCommand(secret, world, set(world));
}

function set(world: World): OperatorCommand<typeof flags> {
  return {
    name: 'set',
    summary: 'store a credential, tried at the provider before',
    about:
      'Asks for user name and password, which is not shown and appears nowhere: not in\n' +
      'the shell history, not in the list of processes. What the provider refuses is\n' +
      'not stored; one that was issued just now takes up to 15 minutes to work.',
    examples: [
      'orglog secret set --org institution',
      'orglog secret set --org institution --identities --profile operations',
      'pass show orglog | orglog secret set --org institution --stdin --yes',
    ],
    changes: true,
    options(command) {
      addOrg(command, 'whose credential');
      command
        .option('--identities', 'the one that reads its identity records')
        .option('--username <name>', 'do not ask for the user name')
        .option('--stdin', 'from a pipe: user name and password, a line each')
        .option('--force', 'store it even though it does not work');
    },
    flags,
    faults: (raw) => inputFaults(raw, world),
    run,
  };
}

async function run(work: Work, order: Order): Promise<void> {
  const { deployment, aws, output, signal, world } = work;
  const organization = organizationNamed(deployment, order.org);
  if (aws === undefined) {
    throw new OrglogError(
      'configuration',
      `a data folder keeps no credential: what reads ${organization.id} is ${organization.secret}, and nothing was stored`,
    );
  }
  const { awsChecks } = await import('../../../functions/adapters/operator/checks.ts');
  using checks = awsChecks(aws);
  const users = await secretUsers(deployment.organizations, checks, signal);
  const secret = secretOf(users, order);
  const affected = users.get(secret) ?? [];
  const standing = await deployment.secrets.describe(secret, signal);
  if (standing.kind === 'missing') {
    throw new OrglogError(
      'not-found',
      `the secret ${secret} is not there: deploy its stack first, which makes it without a value`,
    );
  }
  if (!output.json && affected.length > 1 && !order.stdin)
    output.note(`It is shared: ${affected.map(userInWords).join(', ')}`);

  const { credential, faults } = await credentialFrom({ ...order, username: order.username }, world, signal);
  if (faults.length > 0) throw new UsageError('orglog secret set', faults);
  const trials: Trial[] = [];
  for (const user of affected) trials.push(await tryCredential(user, credential, deployment, signal));
  const works = trials.every(({ verdict }) => verdict === 'ok');
  if (!works && !order.force) {
    const refused = trials.some(({ verdict }) => verdict === 'failed');
    const title = refused ? 'This credential does not work:' : 'This credential could not be tried:';
    output.announce(title, (space) => trialLines(trials, space));
    throw new EndedEarly(
      EXIT.trouble,
      `nothing was stored. ${NEW_CREDENTIAL} --force stores it all the same`,
    );
  }
  await work.confirm({
    title: `This ${standing.kind === 'empty' ? 'stores a' : 'replaces the'} credential (${deployment.title}):`,
    lines: (space) => planLines({ secret, username: credential.username, affected, trials }, space),
  });
  await deployment.secrets.store(secret, credential, signal);
  if (output.json) await output.document({ secret, username: credential.username, stored: true, trials });
  else output.note('stored: runs use it within the hour, and at once where the old one is refused');
}

function secretOf(users: ReadonlyMap<string, readonly SecretUser[]>, { org: id, identities }: Order): string {
  const kind = identities ? 'identities' : 'log';
  for (const [secret, own] of users) {
    if (own.some((user) => user.organization.id === id && user.kind === kind)) return secret;
  }
  throw new UsageError('orglog secret set', [`--identities: no identity records of ${id} are followed`]);
}

interface Plan {
  readonly secret: string;
  readonly username: string;
  readonly affected: readonly SecretUser[];
  readonly trials: readonly Trial[];
}

function planLines({ secret, username, affected, trials }: Plan, space: TableSpace): string[] {
  const permitted = [...new Set(trials.flatMap(({ permittedOrgUrls = [] }) => permittedOrgUrls))];
  return [
    ...factLines(
      [
        ['secret', secret],
        ['user name', username],
        ['affects', affected.map(userInWords)],
        ['orgUrls', permitted.length === 0 ? '–' : permitted],
      ],
      space,
    ),
    ...trialLines(trials, space),
  ];
}

function trialLines(trials: readonly Trial[], space: TableSpace): string[] {
  return trials.flatMap((trial) => {
    const mark =
      trial.verdict === 'ok' ? MARKS.ok : trial.verdict === 'failed' ? MARKS.broken : MARKS.attention;
    const { user } = trial;
    return marked(mark, `${user}: ${inWords(trial)}`, space);
  });
}
