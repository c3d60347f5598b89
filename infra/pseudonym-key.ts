import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';

export interface PseudonymKeyProps {
  readonly names: Names;
  readonly org: string;
}

const NEVER_ROTATED =
  'With another key every pseudonym is another: nothing could be compared or looked up any more. It opens nothing, and nobody ever types it.';

/**
 * The key of an organization's pseudonyms: made by Secrets Manager, known to nobody. It is one for both environments,
 * so that a person is the same in both, and none other's, so that nobody can tell a person of one organization in
 * another's records.
 *
 * It goes with the organization: without it, no pseudonym can ever be matched with a value again. A change of how it is
 * generated would make another one.
 */
export class PseudonymKey extends Construct {
  readonly secretName: string;

  constructor(scope: Construct, id: string, { names, org }: PseudonymKeyProps) {
    super(scope, id);
    this.secretName = names.pseudonymSecret(org);
    const secret = new CfnSecret(this, 'Secret', {
      name: this.secretName,
      description: `orglog: the key that pseudonyms in the identity records of ${org} are made with`,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      kmsKeyId: names.keyAlias,
    });
    acknowledge(secret, {
      'AwsSolutions-SMG4': NEVER_ROTATED,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': NEVER_ROTATED,
    });
  }
}
