import { type Conditions, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** Use of the key only for what the services do for the caller: a function itself encrypts and decrypts nothing. */
export function keyThroughServices(
  scope: Construct,
  keyArn: string,
  conditions: Conditions = {},
): PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  return new PolicyStatement({
    sid: 'UseTheKeyThroughServices',
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    resources: [keyArn],
    conditions: {
      ...conditions,
      StringEquals: {
        'kms:ViaService': ['dynamodb', 's3', 'secretsmanager', 'sqs'].map(
          (service) => `${service}.${region}.${urlSuffix}`,
        ),
      },
    },
  });
}
