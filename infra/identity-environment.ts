import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';
import type { Names } from './names.ts';
import type { RunTimes } from './run-times.ts';
import type { IdentityOrganization } from './settings/identities.ts';
import type { Settings } from './settings/schema.ts';

export interface SyncEnvironmentProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: IdentityOrganization;
  readonly environment: IdentityEnvironment;
  readonly secretName: string;
  /** Where values are redacted: the secret with the key. */
  readonly pseudonymSecretName: string | undefined;
  readonly times: RunTimes;
}

const HOUR_MS = 3_600_000;

/** What functions/handlers/sync-identities-environment.ts reads; a test gives it to that very reader. */
export function syncEnvironment(props: SyncEnvironmentProps): Record<string, string> {
  const { names, settings, organization, pseudonymSecretName } = props;
  const { authorities, redact, everyHours, snapshots, uidField } = organization.identities;
  const queues = settings.destinations.map(({ id }): [string, string] => [
    id,
    names.queueUrl(names.queue(id)),
  ]);
  return {
    ORGLOG_ORG: organization.id,
    ORGLOG_ENVIRONMENT: props.environment,
    ORGLOG_BASE_URL: settings.provider.baseUrl,
    ORGLOG_CURSOR_TABLE: names.cursorTable,
    ORGLOG_ARCHIVE_BUCKET: names.archiveBucket,
    ORGLOG_DESTINATIONS: JSON.stringify(Object.fromEntries(queues)),
    ORGLOG_SECRET_ID: props.secretName,
    ORGLOG_EVERY_MS: String(everyHours * HOUR_MS),
    ...(authorities === undefined ? {} : { ORGLOG_AUTHORITIES: JSON.stringify(authorities) }),
    ORGLOG_REDACT: JSON.stringify(redact),
    ...(pseudonymSecretName === undefined ? {} : { ORGLOG_PSEUDONYM_SECRET_ID: pseudonymSecretName }),
    ORGLOG_SNAPSHOTS: snapshots,
    ORGLOG_UID_FIELD: uidField,
    ORGLOG_METRICS_NAMESPACE: settings.name,
    ORGLOG_LEASE_MS: String(props.times.lease.toMilliseconds()),
  };
}
