import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcards } from './acknowledge.ts';
import { keyThroughServices } from './key-through-services.ts';
import type { Names } from './names.ts';

export interface RunPolicyProps {
  readonly names: Names;
  readonly org: string;
  readonly functionName: string;
  readonly logGroupName: string;
  /** Names of the secrets that it reads. */
  readonly secretNames: readonly string[];
  /** What all keys begin with that it puts and reads in the archive, with a slash at the end. */
  readonly prefixes: readonly string[];
  /** Ids of all destinations. */
  readonly destinations: readonly string[];
}

/**
 * What a scheduled function of one organization may do: its own lines, secrets, prefixes and rows, and sending to the
 * destinations. IAM tells the rows of a table apart by their partition key only: an organization's rows are one function's
 * as much as another's of the same organization.
 */
export function runPolicy(scope: Construct, props: RunPolicyProps): PolicyDocument {
  const { names, org } = props;
  const statements = [
    new PolicyStatement({
      sid: 'WriteItsLog',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [names.logStreamsArn(props.logGroupName, props.functionName)],
    }),
    new PolicyStatement({
      sid: 'ReadItsCredential',
      actions: ['secretsmanager:GetSecretValue'],
      resources: props.secretNames.map((secret) => names.secretArn(secret)),
    }),
    new PolicyStatement({
      sid: 'KeepItsPlace',
      actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      resources: [names.cursorTableArn],
      conditions: {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [org] },
        // Of no values at all, anything is true.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
    new PolicyStatement({
      sid: 'ArchiveUnderItsPrefix',
      actions: ['s3:GetObject', 's3:PutObject'],
      resources: objectArns(props),
    }),
    // Nothing lists. But S3 answers 404 for an object that is not there only to who may list it, taking the object's
    // key for the prefix; to others 403, which could be anything.
    new PolicyStatement({
      sid: 'TellMissingFromForbidden',
      actions: ['s3:ListBucket'],
      resources: [names.archiveBucketArn],
      conditions: { StringLike: { 's3:prefix': props.prefixes.map((prefix) => `${prefix}*`) } },
    }),
    // The key is named by its alias, since its ARN is known to the foundation stack only.
    keyThroughServices(scope, names.anyKeyArn, {
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': names.keyAlias },
    }),
  ];
  if (props.destinations.length > 0) {
    statements.push(
      new PolicyStatement({
        sid: 'Announce',
        actions: ['sqs:SendMessage'],
        resources: props.destinations.map((id) => names.queueArn(names.queue(id))),
      }),
    );
  }
  return new PolicyDocument({ statements });
}

function objectArns({ names, prefixes }: RunPolicyProps): string[] {
  return prefixes.map((prefix) => `${names.archiveBucketArn}/${prefix}*`);
}

/** Says at the role that has this policy why cdk-nag finds what it finds. */
export function acknowledgeRunPolicy(role: Construct, props: RunPolicyProps): void {
  const { names, logGroupName, functionName } = props;
  acknowledgeWildcards(
    role,
    new Map([
      [
        names.logStreamsArn(logGroupName, functionName),
        'Lambda makes a stream for each day and container of this function.',
      ],
      ...objectArns(props).map((arn): [string, string] => [
        arn,
        'All objects of this kind of this organization, and of no other.',
      ]),
      [names.anyKeyArn, 'The condition on kms:ResourceAliases names the key, whose ARN another stack knows.'],
    ]),
  );
  acknowledge(role, {
    'NIST.800.53.R5-IAMNoInlinePolicy':
      'The policy is of this role only: it is made and removed with it, and nobody can attach it to another.',
  });
}
