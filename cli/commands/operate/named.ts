import { OrglogError } from '../../../functions/core/errors.ts';
import { neverRan } from '../../../functions/core/operate/pause.ts';
import type {
  DeployedDestination,
  DeployedOrganization,
  Deployment,
} from '../../../functions/core/operate/ports.ts';
import { streamsOf } from '../../../functions/core/operate/status.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';
import type { Work } from './command.ts';

/** The organization of this id. @throws OrglogError `not-found` */
export function organizationNamed(
  { title, organizations }: Pick<Deployment, 'title' | 'organizations'>,
  id: string,
): DeployedOrganization {
  const found = organizations.find((organization) => organization.id === id);
  if (found !== undefined) return found;
  throw new OrglogError('not-found', `${title} has no organization ${id}: it has ${namesOf(organizations)}`);
}

/** The destinations of these ids; all where none is named. @throws OrglogError `not-found` */
export function destinationsNamed(
  { title, destinations }: Pick<Deployment, 'title' | 'destinations'>,
  ids: readonly string[] | undefined,
): readonly DeployedDestination[] {
  return (ids ?? destinations.map(({ id }) => id)).map((id) => {
    const found = destinations.find((destination) => destination.id === id);
    if (found !== undefined) return found;
    throw new OrglogError('not-found', `${title} has no destination ${id}: it has ${namesOf(destinations)}`);
  });
}

/** The cursor of an organization's log. @throws OrglogError `not-found` where it never ran */
export async function cursorOf(
  { cursors }: Pick<Deployment, 'cursors'>,
  { id: org }: Pick<DeployedOrganization, 'id'>,
  signal: AbortSignal,
): Promise<CursorRow> {
  const key = { org, stream: 'logs' };
  const row = await cursors.read(key, signal);
  if (row === undefined) throw neverRan(key);
  return row;
}

/**
 * The cursor of one of an organization's streams.
 *
 * @throws UsageError where it has no such stream
 * @throws OrglogError `not-found` where that never ran
 */
export async function streamNamed(
  { deployment, signal, fault }: Pick<Work, 'deployment' | 'signal' | 'fault'>,
  organization: DeployedOrganization,
  stream: string,
): Promise<CursorRow> {
  const { id: org } = organization;
  const streams = streamsOf(organization);
  if (!streams.includes(stream)) {
    throw fault(`--stream ${JSON.stringify(stream)}: expected ${streams.join(' or ')}: ${org} has no other`);
  }
  const row = await deployment.cursors.read({ org, stream }, signal);
  if (row === undefined) throw neverRan({ org, stream });
  return row;
}

export function namesOf(all: readonly { readonly id: string }[]): string {
  return all.length === 0 ? 'none' : all.map(({ id }) => id).join(', ');
}
