import type { Names } from './names.ts';
import type { RunTimes } from './run-times.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';

export interface CollectorEnvironmentProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: OrganizationSettings;
  readonly secretName: string;
  readonly times: RunTimes;
}

/** What functions/handlers/collect-environment.ts reads; a test gives it to that very reader. */
export function collectorEnvironment(props: CollectorEnvironmentProps): Record<string, string> {
  const { names, settings, organization, secretName, times } = props;
  const queues = settings.destinations.map(({ id }): [string, string] => [
    id,
    names.queueUrl(names.queue(id)),
  ]);
  return {
    ORGLOG_ORG: organization.id,
    ORGLOG_BASE_URL: settings.provider.baseUrl,
    ORGLOG_ORG_URL: organization.orgUrl,
    ORGLOG_FILTERS: JSON.stringify(organization.filters),
    ORGLOG_LIMIT: String(organization.limit),
    ORGLOG_CURSOR_TABLE: names.cursorTable,
    ORGLOG_ARCHIVE_BUCKET: names.archiveBucket,
    ORGLOG_DESTINATIONS: JSON.stringify(Object.fromEntries(queues)),
    ORGLOG_SECRET_ID: secretName,
    ORGLOG_ON_STALE_TOKEN: organization.onStaleToken,
    ORGLOG_MIN_INTERVAL_MS: String(times.minInterval.toMilliseconds()),
    ORGLOG_METRICS: settings.monitoring,
    ORGLOG_METRICS_NAMESPACE: settings.name,
    ORGLOG_LEASE_MS: String(times.lease.toMilliseconds()),
  };
}
