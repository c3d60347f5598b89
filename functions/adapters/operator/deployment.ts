import { OrglogError } from '../../core/errors.ts';
import type { DeployedOrganization, Deployment, OperatorQueue } from '../../core/operate/ports.ts';
import { createHttpLogSource } from '../http-log-source.ts';
import { secretsManagerCredentials } from '../secrets-manager-credentials.ts';
import { type AwsAccess, type OperatorClients, operatorClients } from './clients.ts';
import { collectFunctionSettings } from './collect-function.ts';
import { dynamoDbOperatorCursors } from './dynamodb-cursors.ts';
import { dynamoDbOperatorLedger } from './dynamodb-ledger.ts';
import { s3OperatorArchive } from './s3-archive.ts';
import { secretsManagerSecrets } from './secrets-manager.ts';
import { sqsOperatorQueue } from './sqs-queue.ts';
import { readCollectors, readFoundation, stackOutputs } from './stack-outputs.ts';

export interface AwsDeploymentOptions extends AwsAccess {
  /** The settings' `name`, which all stacks' names begin with. Default `orglog`. */
  readonly stack?: string;
}

/** Lambda answers its control calls some 15 times a second before it throttles. */
const FUNCTIONS_AT_ONCE = 8;

/**
 * A deployment in AWS, found by what its stacks say of themselves: `cloudformation:DescribeStacks` on
 * `<stack>-foundation` and each `<stack>-collectors-<n>`, then `lambda:GetFunctionConfiguration` on each
 * `<stack>-collect-<org>`, whose environment is what truly runs. Nothing is listed: that would need rights on all of
 * the account.
 *
 * @throws OrglogError `not-found` where there is no such stack, `configuration` where it was deployed by another version
 * or rights, region or credentials are missing
 */
export async function openAwsDeployment(
  { stack = 'orglog', ...access }: AwsDeploymentOptions,
  signal: AbortSignal,
): Promise<Deployment> {
  using opened = new DisposableStack();
  const clients = opened.use(operatorClients(access));
  const region = await regionOf(clients);
  await findCredentials(clients, access);
  const outputsOf = (name: string) => stackOutputs(clients.cloudFormation, { stack: name, region }, signal);
  const foundationName = `${stack}-foundation`;
  const foundation = readFoundation(foundationName, await outputsOf(foundationName));
  const collectors = await Promise.all(
    foundation.CollectorStacks.map(async (number) => {
      const name = `${stack}-collectors-${number}`;
      return readCollectors(name, await outputsOf(name));
    }),
  );
  const organizations = await inTurns(collectors.flat(), async (one): Promise<DeployedOrganization> => {
    const settings = await collectFunctionSettings(clients.lambda, one.function, signal);
    return { ...settings, everyMs: one.everyMinutes * 60_000, identities: one.identities };
  });
  const queues = queuesOf(clients, foundation.destinations);
  const secrets = secretsManagerSecrets({ client: clients.secretsManager });
  const all = opened.move();

  return {
    title: `stack ${stack} in ${region}`,
    organizations,
    destinations: foundation.destinations.map(({ id, kind, delivery }) => ({ id, kind, delivery })),
    cursors: dynamoDbOperatorCursors({ client: clients.dynamodb, table: foundation.CursorTable }),
    archive: s3OperatorArchive({ client: clients.s3, bucket: foundation.ArchiveBucket, region }),
    ledger: dynamoDbOperatorLedger({ client: clients.dynamodb, table: foundation.LedgerTable }),
    secrets,
    queue(destination) {
      const queue = queues.get(destination);
      if (queue !== undefined) return queue;
      throw new OrglogError(
        'not-found',
        `The stack ${foundationName} has no destination ${destination}: it has ${[...queues.keys()].join(', ')}`,
      );
    },
    source({ baseUrl, orgUrl, filters, secret }, credential) {
      const credentials =
        credential === undefined
          ? secretsManagerCredentials({ client: clients.secretsManager, secretId: secret })
          : { get: async () => credential };
      return createHttpLogSource({ baseUrl, orgUrl, filters, credentials });
    },
    [Symbol.asyncDispose]: async () => all.dispose(),
  };
}

async function regionOf({ cloudFormation }: OperatorClients): Promise<string> {
  try {
    return await cloudFormation.config.region();
  } catch (error) {
    throw new OrglogError(
      'configuration',
      'No AWS region is known: give --region, set AWS_REGION, or add a region to the profile',
      { cause: error },
    );
  }
}

/** The first call would fail as well, but without the profile's name. */
async function findCredentials({ cloudFormation }: OperatorClients, { profile }: AwsAccess): Promise<void> {
  try {
    await cloudFormation.config.credentials();
  } catch (error) {
    throw new OrglogError(
      'configuration',
      profile === undefined
        ? 'No AWS credentials were found: name a profile with --profile, or set AWS_ACCESS_KEY_ID and its companions'
        : `No AWS credentials were found for the profile ${profile}: log in (\`aws sso login --profile ${profile}\`), or name another with --profile`,
      { cause: error },
    );
  }
}

function queuesOf(
  { sqs, cloudWatch }: OperatorClients,
  destinations: ReturnType<typeof readFoundation>['destinations'],
): Map<string, OperatorQueue> {
  return new Map(
    destinations.map(({ id, queue, deadLetters }) => [
      id,
      sqsOperatorQueue({ client: sqs, cloudWatch, url: queue, deadLetterUrl: deadLetters }),
    ]),
  );
}

/** In the order given, a few at a time. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += FUNCTIONS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + FUNCTIONS_AT_ONCE).map(work))));
  }
  return results;
}
