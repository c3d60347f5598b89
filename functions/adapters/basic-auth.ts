import { OrglogError } from '../core/errors.ts';
import type { Credential } from '../core/ports.ts';

/** RFC 7617 §2: neither part may contain control characters. */
const CONTROL = /\p{Cc}/u;

/**
 * The value of an `Authorization` header: HTTP Basic, the pair in UTF-8 (RFC 7617 §2.1).
 *
 * @throws OrglogError `configuration` for a pair that Basic cannot carry: a colon in the user name would move the
 *   border between the two, a line break usually means that one was pasted into the secret. The value is not shown.
 */
export function basicAuthorization(credential: Credential): string {
  if (credential.username.includes(':')) {
    throw new OrglogError(
      'configuration',
      'The user name of the credential contains a colon, which HTTP Basic cannot carry (RFC 7617 §2): correct the secret.',
    );
  }
  for (const [part, value] of [
    ['user name', credential.username],
    ['password', credential.password],
  ] as const) {
    if (CONTROL.test(value)) {
      throw new OrglogError(
        'configuration',
        `The ${part} of the credential contains a control character (a line break at its end?), which HTTP Basic cannot carry (RFC 7617 §2): correct the secret.`,
      );
    }
  }
  return `Basic ${Buffer.from(`${credential.username}:${credential.password}`, 'utf8').toString('base64')}`;
}
