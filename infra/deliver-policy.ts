import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcards } from './acknowledge.ts';
import { keyThroughServices } from './key-through-services.ts';
import type { Names } from './names.ts';

export interface DeliverPolicyProps {
  readonly names: Names;
  readonly key: IKey;
  /** The destination's id. */
  readonly destination: string;
}

/** Who is delivered to gets every organization's events and identities; nothing else in the archive is read. */
const READ_PREFIXES = ['logs/', 'identities/'] as const;

/** Where what a destination refuses is laid: functions/core/delivery/refusals.ts. */
function refusedPrefix(destination: string): string {
  return `rejected/${destination}/`;
}

/** What the function of one destination may do: its own lines, secret, queue, ledger rows and refusals, and reading. */
export function deliverPolicy(
  scope: Construct,
  { names, key, destination }: DeliverPolicyProps,
): PolicyDocument {
  const refused = refusedPrefix(destination);
  const objects = (prefix: string) => `${names.archiveBucketArn}/${prefix}*`;
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'WriteItsLog',
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [streamsArn(names, destination)],
      }),
      new PolicyStatement({
        sid: 'ReadItsCredential',
        actions: ['secretsmanager:GetSecretValue'],
        resources: [names.secretArn(names.sinkSecret(destination))],
      }),
      new PolicyStatement({
        sid: 'WorkOnItsQueue',
        actions: [
          'sqs:ChangeMessageVisibility',
          'sqs:DeleteMessage',
          'sqs:GetQueueAttributes',
          'sqs:ReceiveMessage',
        ],
        resources: [names.queueArn(names.queue(destination))],
      }),
      new PolicyStatement({
        sid: 'KeepItsLedger',
        actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        resources: [names.ledgerTableArn],
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [destination] },
          // Of no values at all, anything is true.
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
      new PolicyStatement({
        sid: 'ReadTheArchive',
        actions: ['s3:GetObject'],
        resources: READ_PREFIXES.map(objects),
      }),
      new PolicyStatement({
        sid: 'LayAsideWhatIsRefused',
        actions: ['s3:GetObject', 's3:PutObject'],
        resources: [objects(refused)],
      }),
      // Nothing lists: see collector-policy.ts.
      new PolicyStatement({
        sid: 'TellMissingFromForbidden',
        actions: ['s3:ListBucket'],
        resources: [names.archiveBucketArn],
        conditions: {
          StringLike: { 's3:prefix': [...READ_PREFIXES, refused].map((prefix) => `${prefix}*`) },
        },
      }),
      keyThroughServices(scope, key.keyArn),
    ],
  });
}

/** Says at the role that has this policy why cdk-nag finds what it finds. */
export function acknowledgeDeliverPolicy(role: Construct, { names, destination }: DeliverPolicyProps): void {
  acknowledgeWildcards(
    role,
    new Map([
      [streamsArn(names, destination), 'Lambda makes a stream for each day and container of this function.'],
      ...READ_PREFIXES.map((prefix): [string, string] => [
        `${names.archiveBucketArn}/${prefix}*`,
        'A destination receives every organization’s events and identities: its function reads each object of them.',
      ]),
      [
        `${names.archiveBucketArn}/${refusedPrefix(destination)}*`,
        'All that this destination refused, and no other.',
      ],
    ]),
  );
  acknowledge(role, {
    'NIST.800.53.R5-IAMNoInlinePolicy':
      'The policy is of this role only: it is made and removed with it, and nobody can attach it to another.',
  });
}

function streamsArn(names: Names, destination: string): string {
  return names.logStreamsArn(names.deliverLogGroup(destination), names.deliverFunction(destination));
}
