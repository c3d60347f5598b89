import { Refusal } from './answer.ts';
import type { IdentityGrant } from './identities/permissions.ts';

/** A user of the interface. */
export interface ProviderCredential {
  readonly username: string;
  readonly password: string;
  /** The organizations whose log it may read. */
  readonly orgUrls: readonly string[];
  /** What it may do with identities; without it, nothing. */
  readonly identities?: IdentityGrant;
}

/** The credential that an Authorization header carries (HTTP Basic, RFC 7617). Throws the 401 when there is none. */
export function authenticate(
  authorization: string | undefined,
  credentials: readonly ProviderCredential[],
): ProviderCredential {
  const encoded = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  // The first colon divides: a password may hold more of them, a username none.
  const colon = text.indexOf(':');
  const username = text.slice(0, colon);
  const password = text.slice(colon + 1);
  const known =
    colon >= 0 && credentials.find((each) => each.username === username && each.password === password);
  if (!known) {
    throw new Refusal(401, 'Invalid credentials', { 'www-authenticate': 'Basic realm="provider"' });
  }
  return known;
}
