import { type Provider, startProvider } from '../../../local/provider/server.ts';
import { synthesizeApp } from '../../artefact/assembly.ts';
import { ACCOUNT, type Deployment, deploy } from '../../artefact/deployment.ts';
import { operatorEnvironment } from '../../artefact/operator.ts';
import type { Services } from '../../aws/services.ts';
import { destination, organization, settingsFile } from '../../infra/settings-fixture.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import type { Ended } from '../orglog.ts';

export const PASSWORD = 'correct horse/battery+staple';
export const COLLEGE = 'https://college.edu/';
export const INSTITUTION = 'https://institution.edu/';
const PERSONNEL = 'https://hr.institution.edu';
export const SHARED = 'orglog/shared/both';
export const IDENTITIES = 'orglog/identities/institution';

/** Two organizations that share a credential, one whose identities are followed, and a queue with its consumer's role. */
export interface DeployedBed extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly provider: Provider;
  /** `orglog …` on the deployment, in this process. */
  run(args: readonly string[], surroundings?: Surroundings): Promise<Ended>;
  readonly env: Readonly<Record<string, string>>;
  /** What the consumer's role may do: all but these actions. */
  allow(options: {
    readonly except?: readonly string[];
    readonly mayNotBeSimulated?: boolean;
  }): Promise<void>;
}

export async function deployedBed(services: Services): Promise<DeployedBed> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(
    await startProvider({
      file: ':memory:',
      organizations: [
        { orgUrl: INSTITUTION, orgDomain: 'institution.edu' },
        { orgUrl: COLLEGE, orgDomain: 'college.edu' },
      ],
      credentials: [
        { username: 'collector', password: PASSWORD, orgUrls: [INSTITUTION, COLLEGE] },
        { username: 'half', password: PASSWORD, orgUrls: [INSTITUTION], identities: grant('test') },
        { username: 'follower', password: PASSWORD, orgUrls: [], identities: grant('prod') },
      ],
    }),
  );
  const settings = settingsFile({
    provider: { baseUrl: provider.url },
    organizations: [
      organization('institution', {
        orgUrl: INSTITUTION,
        credential: 'both',
        identities: { environments: ['prod'], authorities: [PERSONNEL] },
      }),
      organization('college', { orgUrl: COLLEGE, credential: 'both' }),
    ],
    destinations: [
      destination('splunk', {
        consumer: { principal: 'arn:aws:iam::111122223333:root', externalId: 'what-splunk-shows' },
      }),
      destination('elastic', { kind: 'elastic' }),
    ],
  });
  const deployment = await deploy(stack.use(await synthesizeApp(settings)), services);
  const env = await operatorEnvironment(deployment);
  const owned = stack.move();
  return {
    ...{ deployment, provider, env },
    run: (args, { env: more, ...surroundings } = {}) =>
      orglogHere(args, { ...surroundings, env: { ...env, ...more } }),
    async allow({ except = [], mayNotBeSimulated = false }) {
      const actions = ['sqs', 's3', 'kms'].flatMap((service) =>
        except.includes(service) ? [] : [`${service}:*`],
      );
      const role = {
        arn: `arn:aws:iam::${ACCOUNT}:role/orglog-consumer-splunk`,
        allowed: [{ actions, resources: ['*'] }],
        mayNotBeSimulated,
      };
      await services.describe({ roles: { 'orglog-consumer-splunk': role } });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** May read the identities of one environment. */
function grant(environment: 'test' | 'prod') {
  const group = { permissions: ['read'], attributeAuthorities: [PERSONNEL] };
  return { orgDomain: 'institution.edu', environments: { [environment]: group } };
}
