/** Alarms of each organization: what `alarms.omit` may leave out, there and in docs/runbook.md under the same names. */
export const ORGANIZATION_ALARMS = [
  'not-running',
  'failing',
  'lag',
  'gap',
  'credentials-refused',
  'drift',
] as const;

/** Alarms of each destination. */
export const DESTINATION_ALARMS = ['queue-age', 'dead-letters', 'not-queued'] as const;

/** Alarms of each destination that orglog pushes to, besides. */
export const PUSH_ALARMS = [
  'delivery-rejected',
  'delivery-halted',
  'delivery-delayed',
  'delivery-failing',
] as const;

/** Alarms of each environment of an organization's identity records. */
export const IDENTITY_ALARMS = [
  'identities-stale',
  'identities-refused',
  'identities-failing',
  'identities-not-running',
] as const;

export const ALARMS = [
  ...ORGANIZATION_ALARMS,
  ...DESTINATION_ALARMS,
  ...PUSH_ALARMS,
  ...IDENTITY_ALARMS,
] as const;
export type AlarmName = (typeof ALARMS)[number];
