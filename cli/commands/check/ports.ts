import type { AwsChecks } from '../../../functions/adapters/operator/checks.ts';
import type {
  CheckedOrganization,
  CheckPorts,
  IdentityAccess,
} from '../../../functions/core/operate/check-ports.ts';
import { failed, ok, unknown, type Verdict } from '../../../functions/core/operate/check-verdict.ts';
import type { DeployedOrganization, Deployment } from '../../../functions/core/operate/ports.ts';
import type { Credential } from '../../../functions/core/ports.ts';

/** What a data folder calls the provider that `orglog local` brings along (local/stand-in.ts). */
const STAND_IN = 'stand-in';
const VARIABLES = 'ORGLOG_USERNAME and ORGLOG_PASSWORD';
const FIFTEEN_MINUTES = 'one that was issued just now takes up to 15 minutes to work';

/** Asking the provider, over HTTP. */
export async function overHttp(): Promise<Pick<CheckPorts, 'probe' | 'permissions'>> {
  const [{ probeProvider }, { createIdentitiesClient }] = await Promise.all([
    import('../../../functions/adapters/operator/provider-probe.ts'),
    import('../../../functions/adapters/identities/client.ts'),
  ]);
  return {
    probe: (baseUrl, signal) => (baseUrl === STAND_IN ? undefined : probeProvider(baseUrl, {}, signal)),
    async permissions({ baseUrl, uidField, environment }, credential, signal) {
      if (baseUrl === STAND_IN) return ok(`identities of ${environment} are the stand-in's own`);
      const credentials = { get: async () => credential };
      await using api = createIdentitiesClient({ baseUrl, uidField, credentials });
      return await api.permissions(signal);
    },
  };
}

/** A deployment in AWS. @param consumers destination → who reads it, where that is no role of the stack */
export function deployedPorts(
  { organizations, secrets, source }: Deployment,
  checks: AwsChecks,
  { same, consumers }: { readonly same: string; readonly consumers: ReadonlyMap<string, string> },
): Omit<CheckPorts, 'probe' | 'permissions'> {
  const store = ({ id }: CheckedOrganization, forWhat: 'log' | 'identities') =>
    `\`orglog secret set --org ${id}${forWhat === 'identities' ? ' --identities' : ''}${same}\``;
  return {
    secrets,
    source: (organization, credential) => source(named(organizations, organization), credential),
    identities: (organization, signal) => checks.identities(named(organizations, organization), signal),
    withoutSecret: (organization, secret, kind, forWhat): Verdict =>
      kind === 'empty'
        ? failed(`the secret ${secret} holds no credential`, `store one with ${store(organization, forWhat)}`)
        : failed(`the secret ${secret} is not there`, 'deploy its stack, which makes it without a value'),
    howToStore: (organization, forWhat) =>
      `store a valid one with ${store(organization, forWhat)}; ${FIFTEEN_MINUTES}`,
    consumer: (destination, signal) => checks.consumer(destination, consumers.get(destination.id), signal),
  };
}

/** A data folder. */
export function folderPorts({
  organizations,
  secrets,
  source,
}: Deployment): Omit<CheckPorts, 'probe' | 'permissions'> {
  return {
    secrets,
    source: (organization, credential) => source(named(organizations, organization), credential),
    async identities(organization): Promise<readonly IdentityAccess[]> {
      const { identities, baseUrl, secret } = named(organizations, organization);
      return identities.map((environment) => ({ environment, baseUrl, secret, uidField: 'serviceUid' }));
    },
    withoutSecret: () => failed('there is no credential', `set ${VARIABLES}, as for \`orglog local\``),
    howToStore: () => `correct ${VARIABLES}; ${FIFTEEN_MINUTES}`,
  };
}

/** Settings that are not deployed yet: one credential at most, that of the environment. */
export async function settingsPorts(
  identities: (id: string) => readonly IdentityAccess[],
  env: Readonly<Record<string, string | undefined>>,
  { secret, isOne }: { readonly secret: string; readonly isOne: boolean },
): Promise<Omit<CheckPorts, 'probe' | 'permissions'>> {
  const [{ environmentSecrets }, { createHttpLogSource }] = await Promise.all([
    import('../../../local/environment-secrets.ts'),
    import('../../../functions/adapters/http-log-source.ts'),
  ]);
  const inEnvironment = environmentSecrets(env);
  const instead = isOne
    ? `set ${VARIABLES} to try one before deploying`
    : `name one organization with --org, and set ${VARIABLES} to try its credential before deploying`;
  return {
    secrets: {
      describe: async (name, signal) =>
        isOne && name === secret ? await inEnvironment.describe(name, signal) : { kind: 'missing' },
      read: inEnvironment.read,
    },
    source: ({ baseUrl, orgUrl, filters }, credential: Credential) =>
      createHttpLogSource({ baseUrl, orgUrl, filters, credentials: { get: async () => credential } }),
    identities: async ({ id }) => identities(id),
    withoutSecret: (_organization, _secret, _kind, forWhat) =>
      forWhat === 'log'
        ? unknown('credential and orgUrl were not tried', instead)
        : unknown(
            'the credential of the identity records was not tried',
            "it is another than the log's: check once it is deployed",
          ),
    howToStore: () => `correct ${VARIABLES}; ${FIFTEEN_MINUTES}`,
  };
}

function named(
  organizations: readonly DeployedOrganization[],
  { id }: Pick<CheckedOrganization, 'id'>,
): DeployedOrganization {
  const found = organizations.find((organization) => organization.id === id);
  if (found === undefined) throw new Error(`${id} is not deployed`);
  return found;
}
