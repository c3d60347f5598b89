import { asOrglogError } from '../../../functions/core/errors.ts';
import { checkDeployed, checkOrganization, checkProviders } from '../../../functions/core/operate/check.ts';
import type { CheckPorts } from '../../../functions/core/operate/check-ports.ts';
import { type CheckLine, failed, ok } from '../../../functions/core/operate/check-verdict.ts';
import { type Backend, type BackendOrder, openBackend, sameSystem } from '../operate/backend.ts';
import { organizationNamed } from '../operate/named.ts';
import { deployedPorts, folderPorts, overHttp } from './ports.ts';

export interface DeployedOrder {
  readonly backend: BackendOrder;
  readonly org: string | undefined;
  /** Destination → the role or user that reads it. */
  readonly consumers: ReadonlyMap<string, string>;
}

/** Organizations that are checked at the same time. */
const AT_ONCE = 8;

/** A running system, and what the provider says to it. */
export async function* checkSystem(
  order: DeployedOrder,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): AsyncGenerator<CheckLine> {
  let backend: Backend;
  try {
    backend = await openBackend(order.backend, env, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    yield { subject: 'system', check: 'system', ...failed(asOrglogError(error, 'unavailable').message) };
    return;
  }
  await using opened = new AsyncDisposableStack();
  const { deployment, remark } = opened.use(backend);
  const said = [deployment.title, remark()].filter(Boolean).join(', ');
  yield { subject: 'system', check: 'system', ...ok(said) };
  const { organizations } = deployment;
  const chosen = order.org === undefined ? organizations : [organizationNamed(deployment, order.org)];
  const ports: CheckPorts = { ...(await portsOf(backend, order, opened)), ...(await overHttp()) };
  yield* checkProviders(chosen, ports, signal);
  for (let at = 0; at < chosen.length; at += AT_ONCE) {
    const some = chosen.slice(at, at + AT_ONCE);
    const found = await Promise.all(
      some.map((organization) => all(checkOrganization(organization, ports, signal))),
    );
    yield* found.flat();
  }
  yield* checkDeployed(deployment, ports, signal);
}

async function portsOf({ deployment, aws }: Backend, order: DeployedOrder, opened: AsyncDisposableStack) {
  if (aws === undefined) return folderPorts(deployment);
  const { awsChecks } = await import('../../../functions/adapters/operator/checks.ts');
  const { consumers, backend } = order;
  return deployedPorts(deployment, opened.use(awsChecks(aws)), { same: sameSystem(backend), consumers });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
