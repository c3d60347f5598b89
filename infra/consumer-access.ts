import {
  AccountPrincipal,
  ArnPrincipal,
  Effect,
  ManagedPolicy,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledgeWildcards } from './acknowledge.ts';
import type { DestinationQueue } from './destination-queue.ts';

export interface ConsumerAccessProps {
  /** The settings' `name`. */
  readonly name: string;
  readonly source: DestinationQueue;
  readonly archive: Bucket;
  readonly key: IKey;
}

/**
 * What Splunk's add-on or Elastic Agent needs to read its queue and the archive, and no more: a policy to attach to a
 * role or user of one's own and, where the settings name who takes it, a role. The outputs are to be pasted there.
 *
 * Left out on purpose: `sqs:ListQueues` and `s3:ListAllMyBuckets`, which only fill the drop-down lists of Splunk's
 * forms, and would show every queue and bucket of the account.
 */
export class ConsumerAccess extends Construct {
  readonly policy: ManagedPolicy;
  readonly role: Role | undefined;

  constructor(scope: Construct, id: string, { name, source, archive, key }: ConsumerAccessProps) {
    super(scope, id);
    const { destination, queue } = source;
    const objects = ['logs/*', 'identities/*'].map((prefix) => archive.arnForObjects(prefix));
    this.policy = new ManagedPolicy(this, 'Policy', {
      managedPolicyName: `${name}-read-${destination.id}`,
      description: `orglog: read the queue of ${destination.id} and the archive`,
      statements: [
        allow([queue.queueArn], QUEUE_ACTIONS),
        allow(objects, ['s3:GetObject']),
        // With it, an object that is gone is a 404 that a consumer passes over; without, a 403 that it stops at.
        allow([archive.bucketArn], ['s3:GetBucketLocation', 's3:ListBucket']),
        allow([key.keyArn], ['kms:Decrypt']),
      ],
    });
    acknowledgeWildcards(this, new Map(objects.map((resource) => [resource, EVERY_OBJECT])));
    this.role = this.#roleFor(name, source);
    this.#print(source, archive);
  }

  #roleFor(name: string, { destination: { id, consumer } }: DestinationQueue): Role | undefined {
    if (consumer === undefined) return undefined;
    const { principal, externalId } = consumer;
    return new Role(this, 'Role', {
      roleName: `${name}-consumer-${id}`,
      description: `orglog: taken by the consumer of ${id}`,
      assumedBy: principal.startsWith('arn:') ? new ArnPrincipal(principal) : new AccountPrincipal(principal),
      externalIds: [externalId],
      managedPolicies: [this.policy],
      maxSessionDuration: Duration.hours(1),
    });
  }

  #print({ destination: { id }, queue }: DestinationQueue, archive: Bucket): void {
    const print = (output: string, description: string, value: string) =>
      new CfnOutput(this, output, { description: `${id}: ${description}`, value });
    print('QueueUrl', "the queue's URL", queue.queueUrl);
    print('Region', 'the region of queue and bucket', Stack.of(this).region);
    print('Bucket', "the archive's bucket", archive.bucketName);
    print('PolicyArn', 'the policy to attach to a role or user that reads', this.policy.managedPolicyArn);
    if (this.role !== undefined)
      print('RoleArn', 'the role to take, with the external id', this.role.roleArn);
  }
}

const QUEUE_ACTIONS = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];

const EVERY_OBJECT =
  'A destination receives every organization’s events: it may read each object under the stream’s prefix.';

function allow(resources: string[], actions: string[]): PolicyStatement {
  return new PolicyStatement({ effect: Effect.ALLOW, actions, resources });
}
