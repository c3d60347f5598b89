import { GetRoleCommand, type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetBucketEncryptionCommand, type S3Client } from '@aws-sdk/client-s3';
import { failed, ok, unknown, type Verdict } from '../../core/operate/check-verdict.ts';
import { type AwsCall, callAws, isAwsError } from '../aws-errors.ts';

export interface ConsumerRoleOptions {
  readonly iam: IAMClient;
  readonly s3: S3Client;
  /** The role that infra/consumer-access.ts makes, where the settings say who takes it. */
  readonly roleName: string;
  /** A role or user of one's own in its place. */
  readonly principal?: string;
  readonly queueUrl: string;
  readonly bucket: string;
  readonly region: string;
}

/** As infra/consumer-access.ts allows them. */
const QUEUE_ACTIONS = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];
const BUCKET_ACTIONS = ['s3:GetBucketLocation', 's3:ListBucket'];

/**
 * Whether the one that reads a destination's queue may do all it must, by IAM's own simulation of its policies. Needs
 * `iam:SimulatePrincipalPolicy` and `iam:GetRole` on it, and `s3:GetEncryptionConfiguration` to know the key; what is
 * not permitted is told as not checked. Policies of the resources themselves are not part of it.
 */
export async function consumerVerdict(options: ConsumerRoleOptions, signal: AbortSignal): Promise<Verdict> {
  const principal = options.principal ?? (await roleArn(options, signal));
  if (typeof principal !== 'string') return principal;
  const [name, partition] = [
    principal.slice(principal.lastIndexOf('/') + 1),
    principal.split(':')[1] ?? 'aws',
  ];
  const { bucket, region, queueUrl } = options;
  const [account = '', queue = ''] = new URL(queueUrl).pathname.split('/').slice(-2);
  const bucketArn = `arn:${partition}:s3:::${bucket}`;
  const key = await keyArn(options, signal);
  const questions: [actions: string[], resource: string][] = [
    [QUEUE_ACTIONS, `arn:${partition}:sqs:${region}:${account}:${queue}`],
    [['s3:GetObject'], `${bucketArn}/logs/object`],
    [BUCKET_ACTIONS, bucketArn],
    ...(key === undefined ? [] : ([[['kms:Decrypt'], key]] as [string[], string][])),
  ];
  const denied: string[] = [];
  for (const [actions, resource] of questions) {
    const refused = await deniedOf(options.iam, principal, actions, resource, signal);
    if (refused === 'missing') return failed(`there is no ${principal}`, 'correct what --consumer names');
    if (refused === 'not-permitted') {
      return unknown(
        `whether ${name} may read was not checked`,
        'it takes the right to iam:SimulatePrincipalPolicy',
      );
    }
    denied.push(...refused.map((action) => `${action} on ${resource}`));
  }
  if (denied.length > 0) {
    return failed(
      `${name} may not ${denied.join(', ')}`,
      'attach the policy that the stack made for this destination',
    );
  }
  const but = key === undefined ? ' (kms:Decrypt was not checked)' : '';
  return ok(`${name} may read the queue and the archive${but}`);
}

async function roleArn(
  { iam, roleName }: ConsumerRoleOptions,
  signal: AbortSignal,
): Promise<string | Verdict> {
  const command = new GetRoleCommand({ RoleName: roleName });
  return await callAws(iamCall('GetRole', roleName), signal, async () => {
    try {
      return (await iam.send(command, { abortSignal: signal })).Role?.Arn ?? noRole(roleName);
    } catch (error) {
      if (isMissing(error)) return noRole(roleName);
      if (isDenied(error))
        return unknown(`whether ${roleName} may read was not checked`, 'it takes the right to iam:GetRole');
      throw error;
    }
  });
}

function noRole(roleName: string): Verdict {
  return unknown(
    `who reads is not known, as no role ${roleName} was made`,
    'name the role or user that does with --consumer to check it',
  );
}

/** Those that are not allowed; or why the simulation could not be. */
async function deniedOf(
  iam: IAMClient,
  principal: string,
  actions: string[],
  resource: string,
  signal: AbortSignal,
): Promise<string[] | 'missing' | 'not-permitted'> {
  const command = new SimulatePrincipalPolicyCommand({
    PolicySourceArn: principal,
    ActionNames: actions,
    ResourceArns: [resource],
  });
  return await callAws(iamCall('SimulatePrincipalPolicy', principal), signal, async () => {
    try {
      const { EvaluationResults = [] } = await iam.send(command, { abortSignal: signal });
      const allowed = EvaluationResults.filter(({ EvalDecision }) => EvalDecision === 'allowed');
      return actions.filter((action) => !allowed.some(({ EvalActionName }) => EvalActionName === action));
    } catch (error) {
      if (isDenied(error)) return 'not-permitted';
      if (isMissing(error)) return 'missing';
      throw error;
    }
  });
}

/** Absent where it is S3's own, or cannot be told. */
async function keyArn({ s3, bucket }: ConsumerRoleOptions, signal: AbortSignal): Promise<string | undefined> {
  try {
    const command = new GetBucketEncryptionCommand({ Bucket: bucket });
    const { ServerSideEncryptionConfiguration: found } = await s3.send(command, { abortSignal: signal });
    const id = found?.Rules?.[0]?.ApplyServerSideEncryptionByDefault?.KMSMasterKeyID;
    return id?.startsWith('arn:') ? id : undefined;
  } catch {
    return undefined;
  }
}

function iamCall(operation: string, principal: string): AwsCall {
  return { service: 'IAM', permission: `iam:${operation}`, resource: `principal ${principal}` };
}

function isDenied(error: unknown): boolean {
  return isAwsError(error, 'AccessDenied') || isAwsError(error, 'AccessDeniedException');
}

function isMissing(error: unknown): boolean {
  return isAwsError(error, 'NoSuchEntityException') || isAwsError(error, 'NoSuchEntity');
}
