import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FunctionCode } from './bundle-function.ts';
import { collectorEnvironment } from './collector-environment.ts';
import { acknowledgePolicy, collectorPolicy } from './collector-policy.ts';
import { CredentialSecret, providersCredential } from './credential-secret.ts';
import { OrganizationAlarms } from './monitoring/organization-alarms.ts';
import type { Names } from './names.ts';
import { type RunTimes, runTimes } from './run-times.ts';
import { stableNumber } from './settings/identifiers.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';

export interface OrgCollectorProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: OrganizationSettings;
  readonly code: FunctionCode;
  /** The stack's: shared, since a group of its own per organization is one resource more and one query more. */
  readonly logGroup: ILogGroup;
  readonly logGroupName: string;
  /** What EventBridge Scheduler takes to invoke the stack's functions. */
  readonly schedulerRole: IRole;
  readonly alarmTopic: ITopic;
}

/**
 * Room for a batch of 8 MiB and for pages read ahead, of which one may be 64 MiB. A function's share of a processor
 * grows with its memory, so less of it would also catch up more slowly.
 */
const MEMORY_MB = 512;

/**
 * Everything that collects one organization's log: function, role, schedule and, unless it shares one, its secret.
 *
 * A run that fails is not repeated, neither by the schedule nor by the asynchronous invocation: the next run is the
 * retry, and one that comes sooner would only hammer a provider in trouble. Nor is concurrency reserved: the lease keeps
 * two runs apart already, and a reservation for each of a thousand functions would take the account's whole pool.
 */
export class OrgCollector extends Construct {
  readonly org: string;
  readonly function: LambdaFunction;
  readonly times: RunTimes;
  /** How often it runs. */
  readonly period: Duration;

  constructor(scope: Construct, id: string, props: OrgCollectorProps) {
    super(scope, id);
    const { names, settings, organization, code, logGroup, logGroupName } = props;
    this.org = organization.id;
    this.times = runTimes(organization.everyMinutes);
    this.period = this.times.period;
    const functionName = names.collectFunction(this.org);
    const secretName = this.#secret(names, organization);

    const policy = {
      names,
      org: this.org,
      functionName,
      logGroupName,
      secretName,
      destinations: settings.destinations.map((destination) => destination.id),
    };
    const role = new Role(this, 'Role', {
      description: `orglog: collects the log of ${this.org}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { collect: collectorPolicy(this, policy) },
    });
    acknowledgePolicy(role, policy);
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: `Collects the log of ${this.org} every ${organization.everyMinutes} minutes`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: this.times.timeout,
      code: Code.fromAsset(code.folder),
      handler: code.handler,
      environment: collectorEnvironment({
        names,
        settings,
        organization,
        secretName,
        times: this.times,
      }),
      role,
      logGroup,
      retryAttempts: 0,
      maxEventAge: this.times.maxEventAge,
    });
    this.#schedule(organization, props.schedulerRole);
    new OrganizationAlarms(this, 'Alarms', {
      settings,
      topic: props.alarmTopic,
      org: this.org,
      functionName,
      period: this.period,
      logGroupName,
      secretName,
    });
    acknowledgeChoices(this);
  }

  /** The name of the secret with its credential. */
  #secret(names: Names, { credential }: OrganizationSettings): string {
    if (credential !== undefined) return names.credentialSecret({ shared: credential });
    const secretName = names.credentialSecret({ org: this.org });
    const purpose = providersCredential(this.org);
    new CredentialSecret(this, 'Credential', { names, secretName, purpose });
    return secretName;
  }

  /**
   * Cron rather than rate: a rate starts whenever its schedule was made, and organizations that are deployed together
   * would fire together for ever. The minute within the period is the id's own; within its minute the service spreads
   * schedules by itself, and offers nothing to choose.
   */
  #schedule({ id, everyMinutes }: OrganizationSettings, schedulerRole: IRole): void {
    new Schedule(this, 'Schedule', {
      description: `Collects the log of ${id}`,
      schedule: ScheduleExpression.cron({ minute: `${stableNumber(id, everyMinutes)}/${everyMinutes}` }),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(this.function, {
        role: schedulerRole,
        retryAttempts: 0,
        maxEventAge: this.times.maxEventAge,
      }),
    });
  }
}

function acknowledgeChoices(collector: OrgCollector): void {
  acknowledge(collector.function, {
    'NIST.800.53.R5-LambdaConcurrency':
      'The lease keeps two runs apart; a reservation for each of a thousand functions would take the account’s pool.',
    'NIST.800.53.R5-LambdaDLQ':
      'An invocation carries nothing: the next run does what a lost one would have done, and an alarm tells of it.',
    'NIST.800.53.R5-LambdaInsideVPC':
      'It calls the provider and AWS over TLS and is called by nobody: a network of its own would add an exit to pay for.',
  });
}
