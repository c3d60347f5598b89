import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { RunEvent, RunReport } from '../core/run.ts';
import {
  ALARM_METRICS,
  behindSeconds,
  errorsByClass,
  type MetricsLevel,
  owedByDestination,
  runMetrics,
} from './run-metrics.ts';
import { scrub, scrubKeys } from './scrub.ts';

export interface Telemetry {
  /** Hears of each step of a run; logs a warning for those that an operator should know of. Does not throw. */
  readonly observe: (event: RunEvent) => void;
  /** Ends a run: its metrics, and its one log line. To be called once per run, whatever its outcome. */
  readonly finish: (report: RunReport) => void;
}

export interface TelemetryOptions {
  /** The organization: dimension of every metric, field of every line. */
  readonly org: string;
  /** How much is sent as metrics. Default `standard`: see run-metrics.ts. */
  readonly level?: MetricsLevel;
  /** The metrics' namespace: two deployments in one account must not speak for each other. Default `orglog`. */
  readonly namespace?: string;
  readonly logger?: Logger;
  /** In place of one with that namespace; its default dimensions are set here. */
  readonly metrics?: Metrics;
}

/**
 * Turns what a run tells into CloudWatch metrics (EMF) and structured log lines.
 *
 * Metrics have the one dimension `org` (`owed` has `destination`): the default dimension `service` is taken out, since an alarm must name every
 * dimension of a metric, and this one would say nothing. Which figures are metrics, and why, is in run-metrics.ts; all
 * of them are fields of the one line that ends a run. A run with nothing to send writes no metrics.
 *
 * Nothing is logged but the fields named here: a gap's token, an error's cause or a member that somebody adds later
 * stay out, and what is text is scrubbed of what looks like a token or a credential (scrub.ts).
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const logger = options.logger ?? new Logger({ serviceName: 'orglog' });
  const metrics = options.metrics ?? new Metrics({ namespace: options.namespace ?? 'orglog' });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ org: options.org });
  const driftSeen = new Set<string>();
  let missed = false;

  return {
    observe(event) {
      if (event.kind === 'drift') {
        // Sampled on each page: said once a run, or a changed provider would fill the log.
        if (driftSeen.has(event.what)) return;
        driftSeen.add(event.what);
      }
      if (event.kind === 'gap') missed ||= missesSomething(event.gap);
      const warning = warningOf(event);
      if (warning !== undefined) logger.warn(warning.message, { org: options.org, ...warning.fields });
    },
    finish(report) {
      driftSeen.clear();
      publish(metrics, report, options.level ?? 'standard', missed);
      missed = false;
      const fields = fieldsOf(options.org, report);
      if (report.outcome === 'failed') logger.error('run failed', fields);
      else logger.info('run ended', fields);
    },
  };
}

type ObservedGap = Extract<RunEvent, { kind: 'gap' }>['gap'];

/** Not where an overlap proved the opposite: such a gap ends where it starts. */
function missesSomething({ from, to, reason }: ObservedGap): boolean {
  return to > from || reason === 'object-missing';
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

function publish(metrics: Metrics, report: RunReport, level: MetricsLevel, missed: boolean): void {
  for (const [destination, batches] of owedByDestination(report)) {
    const single = metrics.singleMetric();
    single.clearDefaultDimensions();
    single.addDimension('destination', destination).addMetric(ALARM_METRICS.owed, 'Count', batches);
  }
  const sent = runMetrics(report, level, missed);
  // Powertools warns of a record without metrics, and a paused organization would warn every five minutes.
  if (sent.length === 0) return;
  for (const { name, unit, value } of sent) metrics.addMetric(name, unit, value);
  metrics.publishStoredMetrics();
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
    ...errorsByClass(report.providerErrors),
    behindSeconds: behindSeconds(report),
    lagSeconds: report.lagSeconds,
    sequence: report.sequence,
    runMs: report.runMs,
  };
}
