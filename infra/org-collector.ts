import { Construct } from 'constructs';
import type { FunctionCode } from './bundle-function.ts';
import { collectorEnvironment } from './collector-environment.ts';
import { CredentialSecret, providersCredential } from './credential-secret.ts';
import { OrganizationAlarms } from './monitoring/organization-alarms.ts';
import type { Names } from './names.ts';
import { runTimes } from './run-times.ts';
import { addScheduledFunction } from './scheduled-function.ts';
import type { OrganizationSettings, Settings } from './settings/schema.ts';
import type { StackParts } from './stack-parts.ts';

export interface OrgCollectorProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: OrganizationSettings;
  readonly code: FunctionCode;
  readonly parts: StackParts;
}

/**
 * Room for a batch of 8 MiB and for pages read ahead, of which one may be 64 MiB. A function's share of a processor
 * grows with its memory, so less of it would also catch up more slowly.
 */
const MEMORY_MB = 512;

/** Everything that collects one organization's log: function, role, schedule and, unless it shares one, its secret. */
export class OrgCollector extends Construct {
  constructor(scope: Construct, id: string, props: OrgCollectorProps) {
    super(scope, id);
    const { names, settings, organization, code, parts } = props;
    const { logGroupName } = parts;
    const { id: org } = organization;
    const times = runTimes(organization.everyMinutes);
    const functionName = names.collectFunction(org);
    const secretName = this.#secret(names, organization);
    addScheduledFunction(this, {
      description: `Collects the log of ${org}`,
      code,
      memoryMb: MEMORY_MB,
      environment: collectorEnvironment({ names, settings, organization, secretName, times }),
      times,
      id: org,
      policy: {
        names,
        org,
        functionName,
        logGroupName,
        secretNames: [secretName],
        prefixes: [`logs/org=${org}/`],
        destinations: settings.destinations.map((destination) => destination.id),
      },
      parts,
    });
    new OrganizationAlarms(this, 'Alarms', {
      settings,
      topic: parts.alarmTopic,
      org,
      functionName,
      period: times.period,
      logGroupName,
    });
  }

  /** The name of the secret with its credential. */
  #secret(names: Names, { id: org, credential }: OrganizationSettings): string {
    if (credential !== undefined) return names.credentialSecret({ shared: credential });
    const secretName = names.credentialSecret({ org });
    const purpose = providersCredential(org);
    new CredentialSecret(this, 'Credential', { names, secretName, purpose });
    return secretName;
  }
}
