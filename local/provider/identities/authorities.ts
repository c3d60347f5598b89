import type { AuthorityType } from '../../../functions/core/identities/identity.ts';

/** The authorities that the stand-in's own records come from. Which of them are hosted or gateways depends on the URL. */
export interface Authorities {
  /** Systems of record: one that nearly everyone is in, and one of students. */
  readonly personnel: string;
  readonly students: string;
  /** Entity identifier of the hosted identity provider. */
  readonly hosted: string;
  /** Entity identifiers of the gateways' identity providers. */
  readonly gateways: readonly [string, string];
  /** An external identity provider: whose credentials are linked beforehand. */
  readonly remote: string;
}

const known = new Map<string, Authorities>();

/** The authorities of an organization, by its URL. */
export function authoritiesOf(orgUrl: string): Authorities {
  // Asked for with every record, and reading a URL is slow.
  const found = known.get(orgUrl) ?? authoritiesAt(orgUrl);
  known.set(orgUrl, found);
  return found;
}

function authoritiesAt(orgUrl: string): Authorities {
  return {
    personnel: 'personnel',
    students: 'students',
    hosted: new URL('/idp/metadata', orgUrl).href,
    gateways: [
      new URL('/gateway/social/metadata', orgUrl).href,
      new URL('/gateway/federation/metadata', orgUrl).href,
    ],
    remote: 'https://idp.partner.example/saml/metadata',
  };
}

/** All of them, as a credential's `attributeAuthorities` may name them. */
export function allAuthorities(orgUrl: string): string[] {
  const { personnel, students, hosted, gateways, remote } = authoritiesOf(orgUrl);
  return [personnel, students, hosted, ...gateways, remote];
}

/** What kind of authority this is at an organization: all that is neither hosted nor a gateway is a system of record. */
export function typeOfAuthority(orgUrl: string, authority: string): AuthorityType {
  const { hosted, gateways } = authoritiesOf(orgUrl);
  if (authority === hosted) return 'obid';
  return gateways.includes(authority) ? 'gateway' : 'sor';
}
