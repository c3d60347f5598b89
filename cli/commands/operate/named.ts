import { OrglogError } from '../../../functions/core/errors.ts';
import { neverRan } from '../../../functions/core/operate/pause.ts';
import type {
  DeployedDestination,
  DeployedOrganization,
  Deployment,
} from '../../../functions/core/operate/ports.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';

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

export function namesOf(all: readonly { readonly id: string }[]): string {
  return all.length === 0 ? 'none' : all.map(({ id }) => id).join(', ');
}
