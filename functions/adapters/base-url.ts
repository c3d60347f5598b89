import { OrglogError } from '../core/errors.ts';

/** 127.0.0.0/8, as `new URL` writes it whatever way it was spelled. */
const LOOPBACK_IPV4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || LOOPBACK_IPV4.test(hostname);
}

/**
 * The provider's base URL, checked: https, or http to this machine; nothing but an origin and an optional path prefix.
 * The credential goes wherever this points, so it is parsed and its parts are compared, never searched for a substring.
 *
 * @returns the parsed URL, its path without trailing slashes (`''` at the root shows as `/` in a URL)
 * @throws OrglogError `configuration`; the message never repeats credentials, query or hash of the URL
 */
export function parseBaseUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw refused('it is not a URL', 'write it whole, for example https://api.institution.edu');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw refused('it holds credentials', 'take them out: they come from the credential source');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(`its scheme is ${url.protocol}`, 'use https://');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refused(
      `${url.origin} is not encrypted`,
      'use https:// (http:// is for localhost, 127.0.0.0/8 and [::1] only)',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw refused(
      `${url.origin}${url.pathname} is followed by a query or a hash`,
      'take it out: only an origin and an optional path prefix are allowed',
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function refused(why: string, remedy: string): OrglogError {
  return new OrglogError('configuration', `The provider's base URL is refused: ${why}. Please ${remedy}.`);
}
