import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { IdentityEnvironment } from '../core/identities/identity.ts';
import type { SyncEvent, SyncReport } from '../core/identities/ports.ts';
import { ALARM_METRICS } from './run-metrics.ts';
import { scrub } from './scrub.ts';

export interface SyncTelemetry {
  /** Hears of each step of a sync; logs a warning for those that an operator should know of. Does not throw. */
  readonly observe: (event: SyncEvent) => void;
  /** Ends a run: its metrics, and its one log line. To be called once per run, whatever its outcome. */
  readonly finish: (report: SyncReport) => void;
}

export interface SyncTelemetryOptions {
  /** Dimensions of every metric, fields of every line. */
  readonly org: string;
  readonly environment: IdentityEnvironment;
  /** The metrics' namespace. Default `orglog`. */
  readonly namespace?: string;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/**
 * The metrics of a sync, of the two dimensions `org` and `environment`. Besides them `owed` is sent by destination, as a
 * collector does, in trouble only. Whatever no alarm reads is a field of the line (docs/adr/0004).
 */
export const SYNC_METRICS = {
  /** Since the last finished walk began; sent by each run that knows. Alarm `identities-stale`. */
  snapshotAge: 'snapshotAgeSeconds',
  /** 1 when the credential, read afresh, was refused or may not read; else nothing. Alarm `identities-refused`. */
  refused: 'identitiesRefused',
} as const;

/** Turns what a sync tells into CloudWatch metrics (EMF) and structured log lines, as telemetry.ts does for runs. */
export function createSyncTelemetry(options: SyncTelemetryOptions): SyncTelemetry {
  const { org, environment } = options;
  const logger = options.logger ?? new Logger({ serviceName: 'orglog' });
  const metrics = options.metrics ?? new Metrics({ namespace: options.namespace ?? 'orglog' });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ org, environment });

  return {
    observe(event) {
      const warning = warningOf(event);
      if (warning !== undefined) logger.warn(warning.message, { org, environment, ...warning.fields });
    },
    finish(report) {
      publish(metrics, report);
      const fields = { org, environment, ...fieldsOf(report) };
      if (report.outcome === 'failed') logger.error('sync failed', fields);
      else logger.info('sync ended', fields);
    },
  };
}

function warningOf(event: SyncEvent): { message: string; fields: Record<string, unknown> } | undefined {
  switch (event.kind) {
    case 'gap': {
      const { from, to, reason } = event.gap;
      return {
        message: 'a part of what happened cannot be told any more',
        fields: {
          gap: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), reason: scrub(reason) },
        },
      };
    }
    case 'announce-failed':
      return {
        message: 'a batch could not be queued: it stays owed',
        fields: { destination: event.destination, sequence: event.sequence, reason: scrub(event.reason) },
      };
    case 'unconfirmed':
      return {
        message: 'what looks removed could not be confirmed: kept as it was',
        fields: { unconfirmed: event.count, reason: scrub(event.reason) },
      };
    case 'authority-left-out':
      return {
        message: 'collections of an authority are left out: its list may not be read',
        fields: { authority: scrub(event.authority), reason: scrub(event.reason) },
      };
    case 'walk':
    case 'page':
    case 'snapshot':
    case 'batch':
    case 'adopted':
    case 'announced':
      return undefined;
  }
}

function publish(metrics: Metrics, report: SyncReport): void {
  for (const [destination, batches] of Object.entries(report.owed)) {
    if (batches === 0) continue;
    const single = metrics.singleMetric();
    single.clearDefaultDimensions();
    single.addDimension('destination', destination).addMetric(ALARM_METRICS.owed, 'Count', batches);
  }
  const { snapshotAgeSeconds } = report;
  const refused = isRefusal(report.error?.code);
  if (snapshotAgeSeconds !== undefined) {
    metrics.addMetric(SYNC_METRICS.snapshotAge, 'Seconds', snapshotAgeSeconds);
  }
  if (refused) metrics.addMetric(SYNC_METRICS.refused, 'Count', 1);
  // Powertools warns of a record without metrics.
  if (refused || snapshotAgeSeconds !== undefined) metrics.publishStoredMetrics();
}

/** The provider answers 401 both to a credential that it does not know and to one that may not do this. */
function isRefusal(code: string | undefined): boolean {
  return code === 'not-authorized' || code === 'credentials-refused' || code === 'forbidden';
}

/** Nothing but the fields named here: a member that somebody adds later stays out. */
function fieldsOf(report: SyncReport): Record<string, unknown> {
  return {
    outcome: report.outcome,
    ...(report.error !== undefined && {
      error: { code: report.error.code, message: scrub(report.error.message) },
    }),
    walk: report.walk,
    identities: report.identities,
    pages: report.pages,
    events: report.events,
    byAction: report.byAction,
    bytes: report.bytes,
    storedBytes: report.storedBytes,
    batches: report.batches,
    adopted: report.adopted,
    announced: report.announced,
    owed: report.owed,
    unconfirmed: report.unconfirmed,
    snapshotAgeSeconds: report.snapshotAgeSeconds,
    runMs: report.runMs,
  };
}
