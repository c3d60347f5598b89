import type { RunReport } from '../core/run.ts';

/** `standard`: what alarms are made of. `detailed`: every figure of a run. */
export const METRICS_LEVELS = ['standard', 'detailed'] as const;
export type MetricsLevel = (typeof METRICS_LEVELS)[number];

export interface RunMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds' | 'Bytes' | 'Milliseconds';
  readonly value: number;
}

/** The metrics that alarms read; every other one is for graphs only. */
export const ALARM_METRICS = {
  behind: 'behindSeconds',
  gap: 'gapSeconds',
  credentialsRefused: 'credentialsRefused',
  drift: 'drift',
  /** Of the one dimension `destination`, unlike all others. */
  owed: 'owed',
} as const;

/**
 * A run's metrics. One that is sent costs about $0.30 a month for each organization, by the hours in which it is sent:
 * more than all the collecting. So the standard level sends one always and the others in trouble only, and what no alarm
 * reads is a field of the log line that ends the run, where the dashboard's Logs Insights queries find it.
 *
 * | metric | standard | detailed | why |
 * |---|---|---|---|
 * | `behindSeconds` | every run that read the log | same | alarms `lag` and `not-running`: see `behindSeconds` |
 * | `gapSeconds` | when above 0 | same | alarm `gap`: nothing sent is no gap. At least 1 where anything is missing |
 * | `credentialsRefused` | 1 when refused | same | alarm `credentials-refused`: nothing sent is no refusal |
 * | `drift` | when above 0 | same | alarm `drift`: nothing sent is none |
 * | `owed`, by destination | when above 0 | same | alarm `not-queued`: a run goes on when a queue refuses, so nothing else tells |
 * | `events`, `bytes`, `pages`, `batches` | field | always | throughput: graphs only; bytes are uncompressed |
 * | `lagSeconds` | field | once known | a quiet night has the same lag as a broken log: no alarm can tell |
 * | `throttles` | field | always | retried inside the run: the run's failure is what alarms |
 * | `providerErrors4xx`, `…5xx`, `…Other` | field | those seen | same |
 * | `leaseBusy` | field `outcome` | always, 0 or 1 | a lease that stays busy alarms as `not-running` |
 * | `runMs` | field | always | AWS/Lambda has `Duration` free of charge |
 *
 * The other errors of a run (`forbidden`, `log-stuck`, `object-conflict`, `source-changed`, …) fail the invocation, and
 * AWS/Lambda counts `Errors` free of charge: alarm `failing`.
 *
 * @param missed whether a gap of this run misses anything: an object that is gone has no length in time, and a gap
 * below half a second none in whole seconds
 */
export function runMetrics(report: RunReport, level: MetricsLevel, missed: boolean): RunMetric[] {
  const behind = behindSeconds(report);
  const alarming: RunMetric[] = [
    ...(behind === undefined ? [] : [seconds(ALARM_METRICS.behind, behind)]),
    ...whenNotZero(seconds(ALARM_METRICS.gap, Math.max(report.gapSeconds, missed ? 1 : 0))),
    ...whenNotZero(count(ALARM_METRICS.drift, report.drift)),
    ...whenNotZero(count(ALARM_METRICS.credentialsRefused, refused(report) ? 1 : 0)),
  ];
  if (level === 'standard') return alarming;
  return [
    ...alarming,
    count('events', report.events),
    { name: 'bytes', unit: 'Bytes', value: report.bytes },
    count('pages', report.pages),
    count('batches', report.batches),
    ...(report.lagSeconds === undefined ? [] : [seconds('lagSeconds', report.lagSeconds)]),
    count('throttles', report.throttles),
    ...Object.entries(errorsByClass(report.providerErrors)).map(([name, times]) => count(name, times)),
    count('leaseBusy', report.outcome === 'busy' ? 1 : 0),
    { name: 'runMs', unit: 'Milliseconds', value: report.runMs },
  ];
}

/** Destination → batches that it is owed, where it is: the metric `owed`, which says the same whoever collects. */
export function owedByDestination({ owed }: RunReport): [string, number][] {
  return Object.entries(owed).filter(([, batches]) => batches > 0);
}

/**
 * How far the archive is behind the log's end: 0 where the run reached the end, however old the newest event is (a
 * quiet night is no lag), else the newest event's age. `undefined` where the run did not read the log: it failed, found
 * another at work, was paused, or came too soon.
 *
 * That makes its number of samples the heartbeat of collecting: Lambda's own metrics count a run that found the lease
 * busy, or the organization paused, as a success, and a log that is left paused loses events after 90 days.
 */
export function behindSeconds({ outcome, lagSeconds }: RunReport): number | undefined {
  if (outcome === 'caught-up') return 0;
  return outcome === 'time-up' ? lagSeconds : undefined;
}

/**
 * The provider's errors by class of status, only those seen. One name per status would be as many metrics as a provider
 * (or whatever answers in its place) cares to invent, while the question is only whether it is our fault (4xx), theirs
 * (5xx) or the way between (other: redirects, network, time-outs, malformed bodies).
 */
export function errorsByClass(providerErrors: RunReport['providerErrors']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [status, times] of Object.entries(providerErrors)) {
    const name = /^[45]\d\d$/.test(status) ? `providerErrors${status[0]}xx` : 'providerErrorsOther';
    counts[name] = (counts[name] ?? 0) + times;
  }
  return counts;
}

function refused(report: RunReport): boolean {
  return report.error?.code === 'credentials-refused';
}

function whenNotZero(metric: RunMetric): RunMetric[] {
  return metric.value === 0 ? [] : [metric];
}

function count(name: string, value: number): RunMetric {
  return { name, unit: 'Count', value };
}

function seconds(name: string, value: number): RunMetric {
  return { name, unit: 'Seconds', value };
}
