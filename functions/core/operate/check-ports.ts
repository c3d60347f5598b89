import type { IdentityEnvironment, IdentityPermissions } from '../identities/identity.ts';
import type { Credential, LogSource } from '../ports.ts';
import type { ProviderProbe } from './check-provider.ts';
import type { Verdict } from './check-verdict.ts';
import type { DeployedDestination, DeployedOrganization, OperatorSecrets } from './ports.ts';

/** How the identity records of one environment are read: as deployed, or as settings say. */
export interface IdentityAccess {
  readonly environment: IdentityEnvironment;
  readonly baseUrl: string;
  /** What the provider calls an identity's identifier. */
  readonly uidField: string;
  /** Whose collections are wanted. Absent: those that the credential may read. */
  readonly authorities?: readonly string[];
  /** Name of the secret with the credential. */
  readonly secret: string;
}

/** What of an organization is checked. */
export type CheckedOrganization = Pick<
  DeployedOrganization,
  'id' | 'baseUrl' | 'orgUrl' | 'filters' | 'secret'
>;

/** What checking takes, whether anything is deployed or not. */
export interface CheckPorts {
  readonly secrets: Pick<OperatorSecrets, 'describe' | 'read'>;
  source(organization: CheckedOrganization, credential: Credential): LogSource & AsyncDisposable;
  /** Absent: there is no address to ask (the built-in stand-in). */
  probe(baseUrl: string, signal: AbortSignal): Promise<ProviderProbe> | undefined;
  identities(organization: CheckedOrganization, signal: AbortSignal): Promise<readonly IdentityAccess[]>;
  /** What a credential may do with identity records; or why that cannot be asked. */
  permissions(
    access: IdentityAccess,
    credential: Credential,
    signal: AbortSignal,
  ): Promise<IdentityPermissions | Verdict>;
  /** A secret that is not there or empty: what that means, and how to fill it. */
  withoutSecret(
    organization: CheckedOrganization,
    secret: string,
    kind: 'missing' | 'empty',
    forWhat: 'log' | 'identities',
  ): Verdict;
  /** How to put another credential in its place. */
  howToStore(organization: CheckedOrganization, forWhat: 'log' | 'identities'): string;
  /** Whether the one that reads a destination's queue may do so. Absent: there is no such thing here. */
  consumer?(destination: DeployedDestination, signal: AbortSignal): Promise<Verdict>;
}
