const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const GROUP = /^[\da-f]{1,4}$/i;

const GROUPS = 8;
const LONGEST_ADDRESS = 45;

/**
 * Whether an index of type `ip` takes it: IPv4 in four decimal parts, or IPv6 (RFC 4291, section 2.2) without a zone.
 */
export function isAddress(text: string): boolean {
  return IPV4.test(text) || isIpv6(text);
}

function isIpv6(text: string): boolean {
  if (text.length > LONGEST_ADDRESS || !text.includes(':')) return false;
  const [head = '', tail, ...more] = text.split('::');
  if (tail === undefined) return groupsOf(head, true) === GROUPS;
  // "::" stands for at least one group of zeros, once.
  return more.length === 0 && groupsOf(head, false) + groupsOf(tail, true) < GROUPS;
}

/** How many groups of 16 bits; `Infinity` where one is none. The last two may be written as an IPv4 address. */
function groupsOf(text: string, maySpellIpv4: boolean): number {
  if (text === '') return 0;
  const groups = text.split(':');
  const last = groups.at(-1) ?? '';
  const endsInIpv4 = maySpellIpv4 && IPV4.test(last);
  if (endsInIpv4) groups.pop();
  if (!groups.every((group) => GROUP.test(group))) return Number.POSITIVE_INFINITY;
  return groups.length + (endsInIpv4 ? 2 : 0);
}
