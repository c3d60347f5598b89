import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { RunEvent, RunReport } from '../core/run.ts';
import { scrub, scrubKeys } from './scrub.ts';

export const METRICS_NAMESPACE = 'orglog';

export interface Telemetry {
  /** Hears of each step of a run; logs a warning for those that an operator should know of. Does not throw. */
  readonly observe: (event: RunEvent) => void;
  /** Ends a run: its metrics, and its one log line. To be called once per run, whatever its outcome. */
  readonly finish: (report: RunReport) => void;
}

export interface TelemetryOptions {
  /** The organization: dimension of every metric, field of every line. */
  readonly org: string;
  readonly logger?: Logger;
  /** To be made with namespace `METRICS_NAMESPACE`; its default dimensions are set here. */
  readonly metrics?: Metrics;
}

/**
 * Turns what a run tells into CloudWatch metrics (EMF) and structured log lines.
 *
 * Metrics have the one dimension `org`: the default dimension `service` is taken out, since an alarm must name every
 * dimension of a metric, and this one would say nothing. Each metric costs money per organization and month, so only
 * what an alarm or a graph needs is one; the rest are fields of the line that ends the run:
 *
 * | metric | unit | |
 * |---|---|---|
 * | `events`, `pages`, `batches` | Count | |
 * | `bytes` | Bytes | uncompressed |
 * | `lagSeconds` | Seconds | only once a newest event is known |
 * | `gapSeconds` | Seconds | |
 * | `drift`, `throttles`, `leaseBusy` | Count | `leaseBusy`: 1 for a run that found another at work |
 * | `providerErrors4xx`, `providerErrors5xx`, `providerErrorsOther` | Count | only those seen |
 * | `runMs` | Milliseconds | |
 *
 * Provider errors are counted by class of status: one name per status would be as many metrics as a provider (or
 * whatever answers in its place) cares to invent, while an alarm asks only whether it is our fault (4xx), theirs (5xx)
 * or the way between (other: redirects, network, time-outs, malformed bodies). The statuses themselves are in the log
 * line.
 *
 * Nothing is logged but the fields named here: a gap's token, an error's cause or a member that somebody adds later
 * stay out, and what is text is scrubbed of what looks like a token or a credential (scrub.ts).
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const logger = options.logger ?? new Logger({ serviceName: 'orglog' });
  const metrics = options.metrics ?? new Metrics({ namespace: METRICS_NAMESPACE });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ org: options.org });
  const driftSeen = new Set<string>();

  return {
    observe(event) {
      if (event.kind === 'drift') {
        // Sampled on each page: said once a run, or a changed provider would fill the log.
        if (driftSeen.has(event.what)) return;
        driftSeen.add(event.what);
      }
      const warning = warningOf(event);
      if (warning !== undefined) logger.warn(warning.message, { org: options.org, ...warning.fields });
    },
    finish(report) {
      driftSeen.clear();
      publish(metrics, report);
      const fields = fieldsOf(options.org, report);
      if (report.outcome === 'failed') logger.error('run failed', fields);
      else logger.info('run ended', fields);
    },
  };
}

function warningOf(event: RunEvent): { message: string; fields: Record<string, unknown> } | undefined {
  switch (event.kind) {
    case 'gap':
      return {
        message: 'a stretch of the log could not be read',
        fields: {
          gap: {
            from: new Date(event.gap.from).toISOString(),
            to: new Date(event.gap.to).toISOString(),
            reason: event.gap.reason,
          },
        },
      };
    case 'announce-failed':
      return {
        message: 'a batch could not be queued: it stays owed',
        fields: { destination: event.destination, sequence: event.sequence, reason: scrub(event.reason) },
      };
    case 'drift':
      return {
        message: 'an event is not as documented: passed on as it is',
        fields: { what: scrub(event.what) },
      };
    case 'retry':
      return {
        message: 'the provider is asked again',
        fields: { reason: scrub(event.reason), attempt: event.attempt, delayMs: event.delayMs },
      };
    case 'smaller-page':
      return {
        message: 'the provider is asked for smaller pages',
        fields: { reason: scrub(event.reason), limit: event.limit },
      };
    case 'page':
    case 'batch':
    case 'adopted':
    case 'announced':
      return undefined;
  }
}

function publish(metrics: Metrics, report: RunReport): void {
  metrics.addMetric('events', MetricUnit.Count, report.events);
  metrics.addMetric('bytes', MetricUnit.Bytes, report.bytes);
  metrics.addMetric('pages', MetricUnit.Count, report.pages);
  metrics.addMetric('batches', MetricUnit.Count, report.batches);
  if (report.lagSeconds !== undefined) metrics.addMetric('lagSeconds', MetricUnit.Seconds, report.lagSeconds);
  metrics.addMetric('gapSeconds', MetricUnit.Seconds, report.gapSeconds);
  metrics.addMetric('drift', MetricUnit.Count, report.drift);
  metrics.addMetric('throttles', MetricUnit.Count, report.throttles);
  for (const [name, count] of errorsByClass(report.providerErrors)) {
    metrics.addMetric(name, MetricUnit.Count, count);
  }
  metrics.addMetric('leaseBusy', MetricUnit.Count, report.outcome === 'busy' ? 1 : 0);
  metrics.addMetric('runMs', MetricUnit.Milliseconds, report.runMs);
  metrics.publishStoredMetrics();
}

function errorsByClass(providerErrors: Readonly<Record<string, number>>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [status, count] of Object.entries(providerErrors)) {
    const name = /^[45]\d\d$/.test(status) ? `providerErrors${status[0]}xx` : 'providerErrorsOther';
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

function fieldsOf(org: string, report: RunReport): Record<string, unknown> {
  return {
    org,
    outcome: report.outcome,
    ...(report.error !== undefined && {
      error: { code: report.error.code, message: scrub(report.error.message) },
    }),
    events: report.events,
    bytes: report.bytes,
    storedBytes: report.storedBytes,
    pages: report.pages,
    batches: report.batches,
    adopted: report.adopted,
    repeats: report.repeats,
    announced: report.announced,
    owed: report.owed,
    gaps: report.gaps,
    gapSeconds: report.gapSeconds,
    drift: report.drift,
    throttles: report.throttles,
    providerErrors: scrubKeys(report.providerErrors),
    lagSeconds: report.lagSeconds,
    sequence: report.sequence,
    runMs: report.runMs,
  };
}
