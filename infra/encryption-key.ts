import { AccountRootPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Names } from './names.ts';

/** What the account may do with its key, by IAM: everything there is, each action by its name. */
const ADMINISTRATION_AND_USE = [
  'CancelKeyDeletion',
  'CreateAlias',
  'CreateGrant',
  'Decrypt',
  'DeleteAlias',
  'DescribeKey',
  'DisableKey',
  'DisableKeyRotation',
  'EnableKey',
  'EnableKeyRotation',
  'Encrypt',
  'GenerateDataKey',
  'GenerateDataKeyWithoutPlaintext',
  'GetKeyPolicy',
  'GetKeyRotationStatus',
  'ListGrants',
  'ListKeyPolicies',
  'ListKeyRotations',
  'ListResourceTags',
  'PutKeyPolicy',
  'ReEncryptFrom',
  'ReEncryptTo',
  'RetireGrant',
  'RevokeGrant',
  'RotateKeyOnDemand',
  'ScheduleKeyDeletion',
  'TagResource',
  'UntagResource',
  'UpdateAlias',
  'UpdateKeyDescription',
].map((action) => `kms:${action}`);

/** The one key of archive, tables, queues, secrets and alarm topic: rotated every year, kept when the stack goes. */
export class EncryptionKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string, { names }: { readonly names: Names }) {
    super(scope, id);
    const { account } = Stack.of(this);
    this.key = new Key(this, 'Key', {
      alias: names.keyAlias,
      description: 'orglog: archive, tables, queues, secrets and alarms',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      policy: new PolicyDocument({
        statements: [
          new PolicyStatement({
            sid: 'AccountDecidesByIam',
            principals: [new AccountRootPrincipal()],
            actions: ADMINISTRATION_AND_USE,
            // In a key's own policy, this means the key.
            resources: ['*'],
          }),
          new PolicyStatement({
            sid: 'AlarmsReachTheEncryptedTopic',
            principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
            actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
            resources: ['*'],
            conditions: { StringEquals: { 'aws:SourceAccount': account } },
          }),
        ],
      }),
    });
  }
}
