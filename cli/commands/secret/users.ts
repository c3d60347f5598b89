import type { AwsChecks } from '../../../functions/adapters/operator/checks.ts';
import type { IdentityAccess } from '../../../functions/core/operate/check-ports.ts';
import type { DeployedOrganization } from '../../../functions/core/operate/ports.ts';

/** One that reads with a secret's credential. */
export type SecretUser =
  | { readonly kind: 'log'; readonly organization: DeployedOrganization }
  | {
      readonly kind: 'identities';
      readonly organization: DeployedOrganization;
      readonly access: IdentityAccess;
    };

/** Lambda answers its control calls some 15 times a second before it throttles. */
const AT_ONCE = 8;

/** Everybody who reads with a credential, of every secret. */
export async function secretUsers(
  organizations: readonly DeployedOrganization[],
  checks: Pick<AwsChecks, 'identities'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly SecretUser[]>> {
  const users: [secret: string, user: SecretUser][] = organizations.map((organization) => [
    organization.secret,
    { kind: 'log', organization },
  ]);
  const walked = organizations.filter(({ identities }) => identities.length > 0);
  for (let at = 0; at < walked.length; at += AT_ONCE) {
    const some = walked.slice(at, at + AT_ONCE).map(async (organization) => {
      const accesses = await checks.identities(organization, signal);
      return accesses.map((access): [string, SecretUser] => [
        access.secret,
        { kind: 'identities', organization, access },
      ]);
    });
    users.push(...(await Promise.all(some)).flat());
  }
  const groups = Map.groupBy(users, ([secret]) => secret);
  return new Map([...groups].map(([secret, own]) => [secret, own.map(([, user]) => user)]));
}

/** `the log of institution` */
export function userInWords(user: SecretUser): string {
  const { id } = user.organization;
  return user.kind === 'log' ? `the log of ${id}` : `the identities of ${id} (${user.access.environment})`;
}
