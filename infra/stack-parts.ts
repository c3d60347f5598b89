import type { IRole } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { ArnFormat, RemovalPolicy, type Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';
import { SchedulerRole } from './scheduler-role.ts';
import type { Settings } from './settings/schema.ts';

export interface StackPartsProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly logGroupName: string;
  /** Names of all scheduled functions of the stack. */
  readonly functionNames: readonly string[];
  /** What they are called, for example `collect`. */
  readonly kind: string;
}

/** What the scheduled functions of one stack share. */
export interface StackParts {
  /** One for all: a group of its own per function is one resource more and one query more. */
  readonly logGroup: LogGroup;
  readonly logGroupName: string;
  /** What EventBridge Scheduler takes to invoke the functions. */
  readonly schedulerRole: IRole;
  readonly alarmTopic: ITopic;
}

/** Adds them to a stack. */
export function addStackParts(stack: Stack, props: StackPartsProps): StackParts {
  const { names, settings, logGroupName, functionNames, kind } = props;
  const logGroup = new LogGroup(stack, 'Log', {
    logGroupName,
    retention: settings.retention.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(logGroup, {
    'NIST.800.53.R5-CloudWatchLogGroupEncrypted':
      'CloudWatch encrypts every group; the lines hold counts, ids and times, never an event, a record, a token or a credential.',
  });
  const functions = functionNames.map((resourceName) =>
    stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const scheduler = new SchedulerRole(stack, 'Scheduler', { functions, kind });
  return {
    logGroup,
    logGroupName,
    schedulerRole: scheduler.role.withoutPolicyUpdates(),
    alarmTopic: Topic.fromTopicArn(stack, 'AlarmTopic', names.alarmTopicArn),
  };
}
