import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Names } from './names.ts';
import type { PushKind } from './settings/push.ts';

/** What a secret is for. */
interface Purpose {
  readonly description: string;
  /** Why nothing here rotates it. */
  readonly madeElsewhere: string;
}

export interface CredentialSecretProps {
  readonly names: Names;
  readonly secretName: string;
  readonly purpose: Purpose;
}

/** @param usedBy who reads the log with it */
export function providersCredential(usedBy: string): Purpose {
  return {
    description: `orglog: the provider's credential of ${usedBy}, as {"username":"…","password":"…"}`,
    madeElsewhere:
      "The credential is made by an administrator in the provider's console, which has no interface for rotating it.",
  };
}

export function sinksCredential(destination: string, kind: PushKind): Purpose {
  return {
    description: `orglog: what ${destination} lets us in by, as ${SINKS[kind]}`,
    madeElsewhere:
      'The credential is made in Splunk or Elastic by its administrator, whose rotation it follows.',
  };
}

/** As functions/adapters/sink-secrets.ts reads them. */
const SINKS: Readonly<Record<PushKind, string>> = {
  splunk: '{"token":"…"}',
  elastic: '{"apiKey":"…"} or {"username":"…","password":"…"}',
};

/**
 * A secret without a value: an operator stores it, and no template ever holds it. The L2 construct always asks for a
 * generated value (`GenerateSecretString`): a random password that looks like a credential would be refused by the
 * provider, where an empty secret is told from a wrong one at the first run.
 *
 * It goes with the organization or destination: a credential that outlives its use is a risk, and another is soon made.
 */
export class CredentialSecret extends Construct {
  constructor(scope: Construct, id: string, { names, secretName, purpose }: CredentialSecretProps) {
    super(scope, id);
    const secret = new CfnSecret(this, 'Secret', {
      name: secretName,
      description: purpose.description,
      kmsKeyId: names.keyAlias,
    });
    acknowledge(secret, {
      'AwsSolutions-SMG4': purpose.madeElsewhere,
      'NIST.800.53.R5-SecretsManagerRotationEnabled': purpose.madeElsewhere,
    });
  }
}
