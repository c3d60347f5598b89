import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { IdentityEnvironment } from '../../functions/core/identities/identity.ts';
import type { AlarmName } from '../settings/alarm-names.ts';
import type { Settings } from '../settings/schema.ts';

/** Longest description that CloudWatch takes, in characters. */
const MAX_DESCRIPTION = 1024;

/** One alarm in words and numbers. */
export interface AlarmSpec {
  /** What it means, for somebody who has never seen it: one or two sentences. */
  readonly means: string;
  /** The one command to begin with. */
  readonly first: string;
  /** One datapoint per `period` of it. */
  readonly metric: Metric;
  readonly raisedWhen: { readonly below: number } | { readonly above: number };
  /** Datapoints that must be so, of how many. */
  readonly datapoints: readonly [number, number];
  readonly whenMissing: 'raise' | 'fine' | 'keep';
  /**
   * Whether being over is told as well. Not where it would mislead: a gap is not mended because no second one followed.
   */
  readonly tellsWhenOver: boolean;
}

export interface AlarmMakerProps {
  readonly settings: Pick<Settings, 'name' | 'alarms'>;
  readonly topic: ITopic;
  /** What the alarms are about: the organization, an environment of its identity records, or the destination. */
  readonly about:
    | { readonly organization: string; readonly environment?: IdentityEnvironment }
    | { readonly destination: string };
}

const WHEN_MISSING: Readonly<Record<AlarmSpec['whenMissing'], TreatMissingData>> = {
  raise: TreatMissingData.BREACHING,
  fine: TreatMissingData.NOT_BREACHING,
  keep: TreatMissingData.IGNORE,
};

/**
 * Makes each alarm unless the settings leave it out; then the reason stands in the template's metadata instead, so that
 * who reads the template (or `aws cloudformation get-template`) sees that it is missing on purpose.
 *
 * Plain CDK alarms: cdk-monitoring-constructs makes them too, but names them after its widgets and computes its own
 * descriptions, and an alarm here is 90 % description.
 */
export function makeAlarms(
  scope: Construct,
  props: AlarmMakerProps,
  specs: Readonly<Partial<Record<AlarmName, AlarmSpec>>>,
): void {
  const { settings, topic, about } = props;
  const id = Object.values(about).join('/');
  const action = new SnsAction(topic);
  for (const [kind, spec] of Object.entries(specs) as [AlarmName, AlarmSpec][]) {
    const alarmName = `${settings.name}/${id}/${kind}`;
    const omitted = reasonToOmit(settings.alarms, kind, about);
    if (omitted !== undefined) {
      Stack.of(scope).addMetadata(`Alarm left out: ${alarmName}`, omitted);
      continue;
    }
    const [datapointsToAlarm, evaluationPeriods] = spec.datapoints;
    const alarm = new Alarm(scope, kind, {
      alarmName,
      alarmDescription: describe(kind, spec, settings.alarms.runbookUrl),
      metric: spec.metric,
      ...comparison(spec.raisedWhen),
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData: WHEN_MISSING[spec.whenMissing],
    });
    alarm.addAlarmAction(action);
    if (spec.tellsWhenOver) alarm.addOkAction(action);
  }
}

function comparison(raisedWhen: AlarmSpec['raisedWhen']) {
  return 'below' in raisedWhen
    ? { threshold: raisedWhen.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }
    : { threshold: raisedWhen.above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD };
}

/** A command of orglog's own, as it is typed in a checkout of the project. */
export function operatorCommand({ name }: Pick<Settings, 'name'>, command: string): string {
  return `npm run -s orglog -- ${command}${name === 'orglog' ? '' : ` --stack ${name}`}`;
}

function describe(kind: AlarmName, { means, first }: AlarmSpec, runbookUrl: string): string {
  const text = `${means}\n\nFirst: ${first}\n\nThen: ${runbookUrl}#${kind}`;
  if (text.length > MAX_DESCRIPTION) {
    throw new Error(
      `the description of ${kind} has ${text.length} characters: CloudWatch takes ${MAX_DESCRIPTION}`,
    );
  }
  return text;
}

/** The reason given in `alarms.omit` for this kind, everywhere or for this one. */
function reasonToOmit(
  { omit }: Settings['alarms'],
  kind: AlarmName,
  about: AlarmMakerProps['about'],
): string | undefined {
  const here: { organization?: string; environment?: string; destination?: string } = about;
  return omit.find(
    ({ alarm, organization, environment, destination }) =>
      alarm === kind &&
      (organization === undefined || organization === here.organization) &&
      (environment === undefined || environment === here.environment) &&
      (destination === undefined || destination === here.destination),
  )?.reason;
}
