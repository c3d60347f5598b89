import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

export interface SchedulerRoleProps {
  /** ARNs of the functions that it may invoke. */
  readonly functions: readonly string[];
  /** What they are called in the role's description, for example `collect`. */
  readonly kind: string;
}

/** What EventBridge Scheduler takes to invoke a stack's functions: those and no other, for this account's schedules. */
export class SchedulerRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { functions, kind }: SchedulerRoleProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const group = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule-group',
      resourceName: 'default',
    });
    this.role = new Role(this, 'Role', {
      description: `orglog: schedules invoke the ${kind} functions`,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account, 'aws:SourceArn': group } },
      }),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...functions] }),
          ],
        }),
      },
    });
    acknowledge(this.role, {
      'NIST.800.53.R5-IAMNoInlinePolicy':
        'The policy is of this role only: it is made and removed with it, and nobody can attach it to another.',
    });
  }
}
