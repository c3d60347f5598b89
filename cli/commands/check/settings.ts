import { asOrglogError, OrglogError } from '../../../functions/core/errors.ts';
import { checkOrganization, checkProviders } from '../../../functions/core/operate/check.ts';
import type { CheckedOrganization, IdentityAccess } from '../../../functions/core/operate/check-ports.ts';
import { type CheckLine, failed, ok } from '../../../functions/core/operate/check-verdict.ts';
import { some } from '../../format.ts';
import { overHttp, settingsPorts } from './ports.ts';

/** What the credential in the environment is called. */
const OWN = 'ORGLOG_USERNAME and ORGLOG_PASSWORD';

/** Settings before they are deployed: what they say, and what the provider says to them. */
export async function* checkSettings(
  { file, org }: { readonly file: string; readonly org: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  const { loadSettings } = await import('../../../infra/settings/load.ts');
  let settings: ReturnType<typeof loadSettings>['settings'];
  try {
    ({ settings } = loadSettings('.', file));
  } catch (error) {
    yield* faultsOf(error);
    return;
  }
  const { provider, organizations, destinations } = settings;
  const what = `${some(organizations.length, 'organization')}, ${some(destinations.length, 'destination')}`;
  yield { subject: 'settings', check: 'settings', ...ok(`${file} is valid: ${what}`) };

  const chosen = organizations.filter(({ id }) => org === undefined || id === org);
  if (chosen.length === 0) {
    const ids = organizations.map(({ id }) => id).join(', ');
    throw new OrglogError('not-found', `${file} has no organization ${org}: it has ${ids}`);
  }
  const credentials = new Set(chosen.map(({ id, credential }) => credential ?? `/${id}`));
  const accessesOf = (id: string): readonly IdentityAccess[] => {
    const found = chosen.find((organization) => organization.id === id);
    const { identities, credential } = found ?? {};
    const shared = credential !== undefined && identities?.credential === credential;
    return (identities?.environments ?? []).map((environment) => ({
      environment,
      baseUrl: provider.baseUrl,
      uidField: identities?.uidField ?? 'serviceUid',
      secret: shared ? OWN : 'another',
      ...(identities?.authorities !== undefined && { authorities: identities.authorities }),
    }));
  };
  const checked = chosen.map(
    ({ id, orgUrl, filters }): CheckedOrganization => ({
      ...{ id, orgUrl, baseUrl: provider.baseUrl, secret: OWN },
      filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
    }),
  );
  const ports = {
    ...(await settingsPorts(accessesOf, env, { secret: OWN, isOne: credentials.size === 1 })),
    ...(await overHttp()),
  };
  yield* checkProviders(checked, ports, signal);
  for (const organization of checked) yield* checkOrganization(organization, ports, signal);
}

/** Every fault of the file is a line of its own. */
function* faultsOf(error: unknown): Generator<CheckLine> {
  const [head = '', ...faults] = asOrglogError(error, 'configuration').message.split('\n');
  for (const text of faults.length === 0 ? [head] : faults)
    yield { subject: 'settings', check: 'settings', ...failed(text.trim()) };
}
