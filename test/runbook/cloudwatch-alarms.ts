import { z } from 'zod';
import type { Deployment, Resource } from '../artefact/deployment.ts';

const described = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.unknown(),
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })),
  Statistic: z.enum(['Sum', 'Maximum', 'SampleCount']),
  Threshold: z.number(),
  ComparisonOperator: z.enum(['GreaterThanThreshold', 'LessThanThreshold']),
  DatapointsToAlarm: z.int(),
  EvaluationPeriods: z.int(),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore']),
});

type Described = z.output<typeof described>;
export type AlarmState = 'OK' | 'ALARM';

/** What was sent in one period: the name of a metric with all that goes with it → its values. */
export type Period = Map<string, number[]>;

export function metricName(
  namespace: string,
  metric: string,
  dimensions: readonly (readonly [string, string])[],
): string {
  const named = dimensions.map(([name, value]) => `${name}=${value}`).sort();
  return [namespace, metric, ...named].join(' ');
}

/** CloudWatch's judgement of the templates' own alarms. What is called a period here is one of each of them. */
export class CloudWatchAlarms {
  readonly #alarms = new Map<string, Described & { readonly metric: string }>();
  readonly #states = new Map<string, AlarmState>();
  readonly #periods: Period[] = [];

  static async of(deployment: Deployment): Promise<CloudWatchAlarms> {
    const alarms = new CloudWatchAlarms();
    for (const resource of deployment.resourcesOf('AWS::CloudWatch::Alarm')) {
      const alarm = described.parse(resource.properties);
      const dimensions = alarm.Dimensions.map(
        async ({ Name, Value }) => [Name, await nameOf(deployment, resource, Value)] as const,
      );
      const metric = metricName(alarm.Namespace, alarm.MetricName, await Promise.all(dimensions));
      alarms.#alarms.set(alarm.AlarmName, { ...alarm, metric });
      alarms.#states.set(alarm.AlarmName, 'OK');
    }
    return alarms;
  }

  /** Judges all alarms after one more period. */
  add(period: Period): void {
    this.#periods.push(period);
    for (const [name, alarm] of this.#alarms) {
      const state = judged(alarm, this.#periods);
      if (state !== undefined) this.#states.set(name, state);
    }
  }

  /** Names of those that are raised, without the deployment's. */
  get raised(): string[] {
    const raised = [...this.#states].filter(([, state]) => state === 'ALARM').map(([name]) => name);
    return raised.map((name) => name.replace(/^orglog\//, '')).sort();
  }
}

/** `undefined`: as it was. */
function judged(
  alarm: Described & { readonly metric: string },
  all: readonly Period[],
): AlarmState | undefined {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData, Statistic, metric } = alarm;
  const looked = all.slice(-EvaluationPeriods).map((period) => period.get(metric));
  // What lies before the first period is no news.
  if (TreatMissingData === 'breaching' && looked.length < EvaluationPeriods) return undefined;
  if (TreatMissingData === 'ignore' && looked.some((values) => values === undefined)) return undefined;
  const breaching = looked.filter((values) => {
    if (values === undefined) return TreatMissingData === 'breaching';
    const value =
      Statistic === 'SampleCount'
        ? values.length
        : Statistic === 'Sum'
          ? values.reduce((sum, one) => sum + one, 0)
          : Math.max(...values);
    return alarm.ComparisonOperator === 'GreaterThanThreshold'
      ? value > alarm.Threshold
      : value < alarm.Threshold;
  });
  return breaching.length >= DatapointsToAlarm ? 'ALARM' : 'OK';
}

const referred = z.union([
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((get) => get['Fn::GetAtt'][0]),
]);

/** A name, or that of the function or queue that is referred to. */
async function nameOf(deployment: Deployment, { stack }: Resource, value: unknown): Promise<string> {
  if (typeof value === 'string') return value;
  const id = referred.parse(value);
  const resources = deployment.resourcesOf('AWS::Lambda::Function', 'AWS::SQS::Queue');
  const found = resources.find((one) => one.stack === stack && one.id === id);
  if (found === undefined) throw new Error(`no function or queue ${id}`);
  const property = found.type === 'AWS::SQS::Queue' ? 'QueueName' : 'FunctionName';
  return String(await deployment.property(found, property));
}
