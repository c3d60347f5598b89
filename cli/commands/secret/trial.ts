import { asOrglogError } from '../../../functions/core/errors.ts';
import { judgePermissions, tryLog } from '../../../functions/core/operate/check-provider.ts';
import { failed, type Verdict } from '../../../functions/core/operate/check-verdict.ts';
import type { Deployment } from '../../../functions/core/operate/ports.ts';
import type { Credential } from '../../../functions/core/ports.ts';
import { type SecretUser, userInWords } from './users.ts';

/** What a credential is good for, for one that is to read with it. */
export interface Trial extends Verdict {
  readonly user: string;
  /** What the provider says it may read. */
  readonly permittedOrgUrls?: readonly string[];
}

/** Tries a credential at the provider, as its user would use it. Rejects only when the signal fires. */
export async function tryCredential(
  user: SecretUser,
  credential: Credential,
  { source }: Pick<Deployment, 'source'>,
  signal: AbortSignal,
): Promise<Trial> {
  try {
    if (user.kind === 'identities') {
      return { user: userInWords(user), ...(await tryIdentities(user, credential, signal)) };
    }
    await using log = source(user.organization, credential);
    const { credential: accepted, orgUrl, permitted } = await tryLog(log, user.organization, signal);
    const verdict = accepted.verdict === 'ok' ? orgUrl : accepted;
    return { user: userInWords(user), ...verdict, ...(permitted && { permittedOrgUrls: permitted }) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { user: userInWords(user), ...failed(asOrglogError(error, 'unavailable').message) };
  }
}

async function tryIdentities(
  { access }: Extract<SecretUser, { kind: 'identities' }>,
  credential: Credential,
  signal: AbortSignal,
): Promise<Verdict> {
  const { createIdentitiesClient } = await import('../../../functions/adapters/identities/client.ts');
  const { baseUrl, uidField } = access;
  const credentials = { get: async () => credential };
  await using api = createIdentitiesClient({ baseUrl, uidField, credentials });
  return judgePermissions(await api.permissions(signal), access);
}
