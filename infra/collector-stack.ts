import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { FunctionCode } from './bundle-function.ts';
import { Names } from './names.ts';
import { OrgCollector } from './org-collector.ts';
import { addCollectorOutputs } from './outputs.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';
import { addStackParts } from './stack-parts.ts';

export interface CollectorStackProps extends StackProps {
  readonly settings: Settings;
  /** The settings' `stack`. */
  readonly number: number;
  /** Those that live in it. */
  readonly organizations: readonly OrganizationSettings[];
  readonly code: FunctionCode;
}

/** The collectors of up to 40 organizations. It knows the foundation by its names only. */
export class CollectorStack extends Stack {
  constructor(scope: Construct, id: string, props: CollectorStackProps) {
    super(scope, id, props);
    const { settings, number, organizations, code } = props;
    const names = new Names(this, settings.name);
    const parts = addStackParts(this, {
      names,
      settings,
      logGroupName: names.collectorLogGroup(number),
      functionNames: organizations.map((organization) => names.collectFunction(organization.id)),
      kind: 'collect',
    });
    for (const organization of organizations) {
      new OrgCollector(this, `Org-${organization.id}`, { names, settings, organization, code, parts });
    }
    addCollectorOutputs(this, names, organizations);
  }
}
