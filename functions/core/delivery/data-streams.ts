/** `<type>-<dataset>-<namespace>` (Elastic, "Data stream naming scheme"); only the namespace may hold a hyphen. */
const NAMED = /^([^-]+-[^-]+?)(?:\.events)?(-.+)$/;

/**
 * The data stream of the identity feed beside the one of the sign-in log: `logs-orglog.identities-default` beside
 * `logs-orglog.events-default`. A name that does not keep to the scheme gets `.identities` at its end.
 */
export function identityDataStream(events: string): string {
  return NAMED.test(events) ? events.replace(NAMED, '$1.identities$2') : `${events}.identities`;
}
