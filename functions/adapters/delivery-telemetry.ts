import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type {
  DeliveryEvent,
  DeliveryFailure,
  DeliveryReport,
  FailureKind,
} from '../core/delivery/delivery.ts';
import { scrub } from './scrub.ts';

export interface DeliveryTelemetry {
  /** Hears of each step of a delivery; logs a warning for a refused event. Does not throw. */
  readonly observe: (event: DeliveryEvent) => void;
  /** Ends an invocation: its metrics, and its one log line. */
  readonly finish: (report: DeliveryReport) => void;
}

export interface DeliveryTelemetryOptions {
  /** The destination: dimension of every metric, field of every line. */
  readonly destination: string;
  /** The metrics' namespace. Default `orglog`. */
  readonly namespace?: string;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** The metrics of push delivery, each of the one dimension `destination`, each sent only when it is not 0. */
export const DELIVERY_METRICS = {
  /** Events that the sink accepted. */
  delivered: 'delivered',
  /** Events that the sink refused for good; they lie under `rejected/` in the archive. Alarm `delivery-rejected`. */
  rejected: 'rejected',
  /** Messages put back because of passing trouble. */
  retried: 'retried',
  /** Messages put back because an operator is needed: settings, credentials, or a hundred refusals running. */
  configuration: 'configuration',
  /** Messages that announce no object of ours; they end as dead letters. */
  unreadable: 'unreadable',
} as const;

/** Messages put back for these reasons count as this metric; the others mend themselves within minutes. */
const METRIC_OF: Readonly<Partial<Record<FailureKind, string>>> = {
  retry: DELIVERY_METRICS.retried,
  configuration: DELIVERY_METRICS.configuration,
  refusals: DELIVERY_METRICS.configuration,
  unreadable: DELIVERY_METRICS.unreadable,
};

/** Failures that a line shows; a batch from SQS may hold thousands of messages. */
const MAX_SHOWN = 20;

/** Turns what a delivery tells into CloudWatch metrics (EMF) and structured log lines, as telemetry.ts does for runs. */
export function createDeliveryTelemetry(options: DeliveryTelemetryOptions): DeliveryTelemetry {
  const { destination } = options;
  const logger = options.logger ?? new Logger({ serviceName: 'orglog' });
  const metrics = options.metrics ?? new Metrics({ namespace: options.namespace ?? 'orglog' });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ destination });

  return {
    observe(event) {
      const { kind, key, reason } = event;
      if (kind === 'rejected') {
        const fields = { destination, key, line: event.line, reason: scrub(reason) };
        logger.warn('an event was refused: it lies under rejected/ in the archive', fields);
      } else {
        const { attempt, delayMs } = event;
        logger.warn('a request is sent again', { destination, key, attempt, delayMs, reason: scrub(reason) });
      }
    },
    finish(report) {
      publish(metrics, report);
      const { failures, ...counts } = report;
      const fields = {
        destination,
        ...counts,
        failed: failures.length,
        failures: failures.slice(0, MAX_SHOWN).map(shown),
      };
      const needsOperator = failures.some(
        ({ kind }) => kind === 'configuration' || kind === 'refusals' || kind === 'unreadable',
      );
      if (needsOperator) logger.error('delivery ended', fields);
      else logger.info('delivery ended', fields);
    },
  };
}

function shown({ kind, reason, key }: DeliveryFailure) {
  return { kind, reason: scrub(reason), ...(key !== undefined && { key }) };
}

function publish(metrics: Metrics, { delivered, rejected, failures }: DeliveryReport): void {
  const counts = new Map<string, number>([
    [DELIVERY_METRICS.delivered, delivered],
    [DELIVERY_METRICS.rejected, rejected],
  ]);
  for (const { kind } of failures) {
    const name = METRIC_OF[kind];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sent = [...counts].filter(([, count]) => count > 0);
  if (sent.length === 0) return;
  for (const [name, count] of sent) metrics.addMetric(name, 'Count', count);
  metrics.publishStoredMetrics();
}
