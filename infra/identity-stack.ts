import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { FunctionCode } from './bundle-function.ts';
import { Names } from './names.ts';
import { OrgIdentities } from './org-identities.ts';
import type { IdentityOrganization } from './settings/identities.ts';
import type { Settings } from './settings/schema.ts';
import { addStackParts } from './stack-parts.ts';

export interface IdentityStackProps extends StackProps {
  readonly settings: Settings;
  /** The settings' `identities.stack`. */
  readonly number: number;
  /** Those that live in it. */
  readonly organizations: readonly IdentityOrganization[];
  readonly code: FunctionCode;
}

/**
 * What follows the identity records of up to 22 organizations in both environments, or of 44 in one: apart from the
 * collectors, whose stacks have no room left (settings/limits.ts). It knows the foundation by its names only.
 */
export class IdentityStack extends Stack {
  constructor(scope: Construct, id: string, props: IdentityStackProps) {
    super(scope, id, props);
    const { settings, number, organizations, code } = props;
    const names = new Names(this, settings.name);
    const parts = addStackParts(this, {
      names,
      settings,
      logGroupName: names.identityLogGroup(number),
      functionNames: organizations.flatMap((organization) =>
        organization.identities.environments.map((environment) =>
          names.syncFunction(organization.id, environment),
        ),
      ),
      kind: 'sync',
    });
    for (const organization of organizations) {
      new OrgIdentities(this, `Org-${organization.id}`, { names, settings, organization, code, parts });
    }
  }
}
