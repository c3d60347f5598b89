import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FunctionCode } from './bundle-function.ts';
import { acknowledgeRunPolicy, type RunPolicyProps, runPolicy } from './run-policy.ts';
import type { RunTimes } from './run-times.ts';
import { stableNumber } from './settings/identifiers.ts';
import type { StackParts } from './stack-parts.ts';

export interface ScheduledFunctionProps {
  /** What it does, for who reads the console: of the role, the function and the schedule. */
  readonly description: string;
  readonly code: FunctionCode;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly times: RunTimes;
  /** Names it apart from all others: its minute within the period follows from that. */
  readonly id: string;
  readonly policy: RunPolicyProps;
  readonly parts: StackParts;
}

/**
 * A function with its role and its schedule.
 *
 * A run that fails is not repeated, neither by the schedule nor by the asynchronous invocation: the next run is the
 * retry, and one that comes sooner would only hammer a provider in trouble. Nor is concurrency reserved: the lease keeps
 * two runs apart already, and a reservation for each of a thousand functions would take the account's whole pool.
 */
export function addScheduledFunction(scope: Construct, props: ScheduledFunctionProps): LambdaFunction {
  const { policy, times, code, description, parts } = props;
  const [first = '', ...rest] = description;
  const role = new Role(scope, 'Role', {
    description: `orglog: ${first.toLowerCase()}${rest.join('')}`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { run: runPolicy(scope, policy) },
  });
  acknowledgeRunPolicy(role, policy);
  const every = times.period.toMinutes();
  const scheduled = new LambdaFunction(scope, 'Function', {
    functionName: policy.functionName,
    description: `${description} every ${every} minutes`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: props.memoryMb,
    timeout: times.timeout,
    code: Code.fromAsset(code.folder),
    handler: code.handler,
    environment: { ...props.environment },
    role,
    logGroup: parts.logGroup,
    retryAttempts: 0,
    maxEventAge: times.maxEventAge,
  });
  // Cron rather than rate: a rate starts whenever its schedule was made, and functions that are deployed together would
  // fire together for ever. The minute within the period is the id's own; within its minute the service spreads
  // schedules by itself, and offers nothing to choose.
  new Schedule(scope, 'Schedule', {
    description,
    schedule: ScheduleExpression.cron({ minute: `${stableNumber(props.id, every)}/${every}` }),
    timeWindow: TimeWindow.off(),
    target: new LambdaInvoke(scheduled, {
      role: parts.schedulerRole,
      retryAttempts: 0,
      maxEventAge: times.maxEventAge,
    }),
  });
  acknowledge(scheduled, {
    'NIST.800.53.R5-LambdaConcurrency':
      'The lease keeps two runs apart; a reservation for each of a thousand functions would take the account’s pool.',
    'NIST.800.53.R5-LambdaDLQ':
      'An invocation carries nothing: the next run does what a lost one would have done, and an alarm tells of it.',
    'NIST.800.53.R5-LambdaInsideVPC':
      'It calls the provider and AWS over TLS and is called by nobody: a network of its own would add an exit to pay for.',
  });
  return scheduled;
}
