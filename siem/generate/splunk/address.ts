const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = `(?:${OCTET}[.]){3}${OCTET}`;
const GROUP = '[0-9A-Fa-f]{1,4}';
const GROUPS = `(?:${GROUP}(?::${GROUP})*)?`;

/** Refuses what begins with so many groups (an IPv4 address at the end begins like one). */
function noMoreThan(groups: number): string {
  return `(?!(?::*[0-9A-Fa-f]+(?![0-9A-Fa-f])){${groups + 1}})`;
}

/**
 * A regular expression for what functions/core/ecs/address.ts takes for an address: for PCRE and JavaScript alike, and
 * without a backslash, which settings files, eval and PCRE each read in their own way.
 */
export const ADDRESS = `^(?:${[
  IPV4,
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){6}${IPV4}`,
  `${noMoreThan(7)}${GROUPS}::${GROUPS}`,
  `${noMoreThan(6)}${GROUPS}::(?:${GROUP}:)*${IPV4}`,
].join('|')})$`;
