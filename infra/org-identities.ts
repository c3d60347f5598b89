import { Construct } from 'constructs';
import type { FunctionCode } from './bundle-function.ts';
import { CredentialSecret, providersCredential } from './credential-secret.ts';
import { IdentitySync } from './identity-sync.ts';
import type { Names } from './names.ts';
import { PseudonymKey } from './pseudonym-key.ts';
import type { IdentityOrganization } from './settings/identities.ts';
import type { Settings } from './settings/schema.ts';
import type { StackParts } from './stack-parts.ts';

export interface OrgIdentitiesProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: IdentityOrganization;
  readonly code: FunctionCode;
  readonly parts: StackParts;
}

/**
 * Everything that follows one organization's identity records: what its environments share, and each of them.
 *
 * The credential is another than the log's unless the settings share one: who may read the sign-in log need not be able
 * to read who everybody is, and a provider's credential may be good for much more than reading here.
 */
export class OrgIdentities extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { names, settings, organization, code, parts }: OrgIdentitiesProps,
  ) {
    super(scope, id);
    const { id: org, identities } = organization;
    const secretName = this.#credential(names, organization);
    const pseudonymSecretName =
      identities.redact.length === 0
        ? undefined
        : new PseudonymKey(this, 'Pseudonyms', { names, org }).secretName;
    for (const environment of identities.environments) {
      new IdentitySync(this, environment, {
        ...{ names, settings, organization, environment, code, parts, secretName, pseudonymSecretName },
      });
    }
  }

  /** The name of the secret with the credential. */
  #credential(names: Names, { id: org, identities: { credential } }: IdentityOrganization): string {
    if (credential !== undefined) return names.identitySecret({ shared: credential });
    const secretName = names.identitySecret({ org });
    const purpose = providersCredential(`the identity records of ${org}`);
    new CredentialSecret(this, 'Credential', { names, secretName, purpose });
    return secretName;
  }
}
