import { asOrglogError } from '../errors.ts';
import type { Credential } from '../ports.ts';
import type { CheckedOrganization, CheckPorts, IdentityAccess } from './check-ports.ts';
import { judgeClock, judgePermissions, judgeReachable, tryLog } from './check-provider.ts';
import { type CheckLine, type CheckName, failed, ok, type Verdict } from './check-verdict.ts';
import type { Deployment } from './ports.ts';

/** Names no object and no delivery: looked up to see whether it can be. */
const NOTHING = 'orglog-check';

/** The provider, for organizations: once for each address. */
export async function* checkProviders(
  organizations: readonly CheckedOrganization[],
  { probe }: Pick<CheckPorts, 'probe'>,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  for (const baseUrl of new Set(organizations.map((organization) => organization.baseUrl))) {
    const answer = await probe(baseUrl, signal);
    if (answer === undefined) {
      yield line('provider', 'reachable', ok('is the built-in stand-in, on this machine'));
      continue;
    }
    const reachable = judgeReachable(baseUrl, answer);
    yield line('provider', 'reachable', reachable);
    if (reachable.verdict === 'ok') yield line('provider', 'clock', judgeClock(answer));
  }
}

/** One organization at the provider: its secret, its credential, its orgUrl, its identity records. */
export async function* checkOrganization(
  organization: CheckedOrganization,
  ports: CheckPorts,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  const { id, secret } = organization;
  const held = await credentialOf(organization, secret, 'log', ports, signal);
  yield line(id, 'secret', held.verdict);
  if (held.credential !== undefined) yield* checkLog(organization, held.credential, ports, signal);
  let accesses: readonly IdentityAccess[];
  try {
    accesses = await ports.identities(organization, signal);
  } catch (error) {
    yield line(id, 'identities', thrown(error, signal));
    return;
  }
  const secrets = new Map([[secret, held]]);
  for (const access of accesses) {
    const known = secrets.get(access.secret);
    const own = known ?? (await credentialOf(organization, access.secret, 'identities', ports, signal));
    secrets.set(access.secret, own);
    if (known === undefined) yield line(id, 'secret', own.verdict);
    if (own.credential === undefined) continue;
    yield line(
      id,
      'identities',
      await identitiesVerdict(organization, access, own.credential, ports, signal),
    );
  }
}

async function* checkLog(
  organization: CheckedOrganization,
  stored: Credential,
  ports: CheckPorts,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  const { id } = organization;
  try {
    await using source = ports.source(organization, stored);
    const { credential, orgUrl } = await tryLog(source, organization, signal);
    const refused = credential.verdict === 'failed' && credential.remedy === undefined;
    const remedy = ports.howToStore(organization, 'log');
    yield line(id, 'credential', refused ? { ...credential, remedy } : credential);
    yield line(id, 'orgUrl', orgUrl);
  } catch (error) {
    yield line(id, 'credential', thrown(error, signal));
  }
}

interface Held {
  readonly verdict: Verdict;
  readonly credential?: Credential;
}

async function credentialOf(
  organization: CheckedOrganization,
  secret: string,
  forWhat: 'log' | 'identities',
  { secrets, withoutSecret }: CheckPorts,
  signal: AbortSignal,
): Promise<Held> {
  try {
    const standing = await secrets.describe(secret, signal);
    if (standing.kind !== 'stored')
      return { verdict: withoutSecret(organization, secret, standing.kind, forWhat) };
    const credential = await secrets.read(secret, signal);
    const { changedAt } = standing;
    const since =
      changedAt === undefined ? '' : `, changed ${new Date(changedAt).toISOString().slice(0, 10)}`;
    return { verdict: ok(`a credential is there: ${secret}${since}`), credential };
  } catch (error) {
    return { verdict: thrown(error, signal) };
  }
}

async function identitiesVerdict(
  organization: CheckedOrganization,
  access: IdentityAccess,
  credential: Credential,
  ports: CheckPorts,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const permissions = await ports.permissions(access, credential, signal);
    return 'verdict' in permissions ? permissions : judgePermissions(permissions, access);
  } catch (error) {
    const verdict = thrown(error, signal);
    const refused = asOrglogError(error, 'unavailable').code === 'not-authorized';
    return refused ? { ...verdict, remedy: ports.howToStore(organization, 'identities') } : verdict;
  }
}

/** What is deployed: archive, tables, queues, and who reads them. */
export async function* checkDeployed(
  {
    archive,
    cursors,
    ledger,
    destinations,
    queue,
  }: Pick<Deployment, 'archive' | 'cursors' | 'ledger' | 'destinations' | 'queue'>,
  { consumer }: Pick<CheckPorts, 'consumer'>,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  yield line(
    'archive',
    'archive',
    await tried(signal, async () => {
      for await (const _page of archive.list('logs/', {}, signal)) break;
      return ok(`${archive.bucket} in ${archive.region} can be listed`);
    }),
  );
  yield line(
    'cursors',
    'cursors',
    await tried(signal, async () => {
      const rows = await cursors.list(signal);
      return ok(`the table can be read, and has ${rows.length} row${rows.length === 1 ? '' : 's'}`);
    }),
  );
  yield line(
    'ledger',
    'ledger',
    await tried(signal, async () => {
      await ledger.read({ destination: NOTHING, key: NOTHING }, signal);
      return ok('the table can be read');
    }),
  );
  for (const destination of destinations) {
    const { id, delivery } = destination;
    yield line(
      id,
      'queue',
      await tried(signal, async () => {
        await queue(id).standing(signal);
        return ok('the queue and its dead letters can be read');
      }),
    );
    if (delivery === 'pull' && consumer !== undefined)
      yield line(id, 'consumer', await tried(signal, () => consumer(destination, signal)));
  }
}

async function tried(signal: AbortSignal, attempt: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await attempt();
  } catch (error) {
    return thrown(error, signal);
  }
}

/** Messages say what to do. A wish to stop is no finding. */
function thrown(error: unknown, signal: AbortSignal): Verdict {
  if (signal.aborted) throw error;
  return failed(asOrglogError(error, 'unavailable').message);
}

function line(subject: string, check: CheckName, verdict: Verdict): CheckLine {
  return { subject, check, ...verdict };
}
