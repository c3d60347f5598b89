import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { ArnFormat, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FunctionCode } from './bundle-function.ts';
import { Names } from './names.ts';
import { OrgCollector } from './org-collector.ts';
import { SchedulerRole } from './scheduler-role.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';

export interface CollectorStackProps extends StackProps {
  readonly settings: Settings;
  /** The settings' `stack`. */
  readonly number: number;
  /** Those that live in it. */
  readonly organizations: readonly OrganizationSettings[];
  readonly code: FunctionCode;
}

/** The collectors of up to 40 organizations. It knows the foundation by its names only. */
export class CollectorStack extends Stack {
  readonly collectors: readonly OrgCollector[];
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: CollectorStackProps) {
    super(scope, id, props);
    const { settings, number, organizations, code } = props;
    const names = new Names(this, settings.name);
    const logGroupName = names.collectorLogGroup(number);
    this.logGroup = new LogGroup(this, 'Log', {
      logGroupName,
      retention: settings.retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.logGroup, {
      'NIST.800.53.R5-CloudWatchLogGroupEncrypted':
        'CloudWatch encrypts every group; the lines hold counts, ids and times, never an event, a token or a credential.',
    });
    const functions = organizations.map((organization) =>
      this.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: names.collectFunction(organization.id),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    );
    const scheduler = new SchedulerRole(this, 'Scheduler', { functions });
    const alarmTopic = Topic.fromTopicArn(this, 'AlarmTopic', names.alarmTopicArn);
    const schedulerRole = scheduler.role.withoutPolicyUpdates();
    this.collectors = organizations.map(
      (organization) =>
        new OrgCollector(this, `Org-${organization.id}`, {
          names,
          settings,
          organization,
          code,
          logGroup: this.logGroup,
          logGroupName,
          schedulerRole,
          alarmTopic,
        }),
    );
  }
}
