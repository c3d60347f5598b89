import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';

export interface CredentialSecretProps {
  readonly names: Names;
  readonly secretName: string;
  /** Who reads the log with it. */
  readonly usedBy: string;
}

/**
 * A secret without a value: an operator stores `{"username":"…","password":"…"}`, and no template ever holds it. The
 * L2 construct always asks for a generated value (`GenerateSecretString`): a random password that looks like a
 * credential would be refused by the provider, where an empty secret is told from a wrong one at the first run.
 *
 * It goes with the organization: a credential that outlives its use is a risk, and the provider's console makes another.
 */
export class CredentialSecret extends Construct {
  constructor(scope: Construct, id: string, { names, secretName, usedBy }: CredentialSecretProps) {
    super(scope, id);
    const secret = new CfnSecret(this, 'Secret', {
      name: secretName,
      description: `orglog: the provider's credential of ${usedBy}, as {"username":"…","password":"…"}`,
      kmsKeyId: names.keyAlias,
    });
    acknowledge(secret, {
      'AwsSolutions-SMG4': MADE_ELSEWHERE,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': MADE_ELSEWHERE,
    });
  }
}

const MADE_ELSEWHERE =
  "The credential is made by an administrator in the provider's console, which has no interface for rotating it.";
