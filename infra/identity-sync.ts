import { Construct } from 'constructs';
import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';
import type { FunctionCode } from './bundle-function.ts';
import { syncEnvironment } from './identity-environment.ts';
import { IdentityAlarms } from './monitoring/identity-alarms.ts';
import type { Names } from './names.ts';
import { runTimes } from './run-times.ts';
import { addScheduledFunction } from './scheduled-function.ts';
import type { IdentityOrganization } from './settings/identities.ts';
import type { Settings } from './settings/schema.ts';
import type { StackParts } from './stack-parts.ts';

export interface IdentitySyncProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly organization: IdentityOrganization;
  readonly environment: IdentityEnvironment;
  readonly code: FunctionCode;
  readonly parts: StackParts;
  readonly secretName: string;
  readonly pseudonymSecretName: string | undefined;
}

/**
 * A walk that is due begins, and one that is open goes on, at the next of these. Not more often: a million identities are
 * some hours of reading, which is nothing beside a day; an idle tick costs one read.
 */
export const TICK_MINUTES = 15;

/**
 * Room for 20,000 records (one flush being put, the next being read), for one partition of 5,000 beside what it is compared
 * with, and for a batch of 8 MiB. Measured: 276 MB for 60,000 records with six authorities' collections, of which no more
 * is held at once than of a million. Half of it would do, and with a quarter of a processor read as much more slowly.
 */
const MEMORY_MB = 512;

/** Everything that follows the identity records of one environment: function, role, schedule, alarms. */
export class IdentitySync extends Construct {
  constructor(scope: Construct, id: string, props: IdentitySyncProps) {
    super(scope, id);
    const { names, settings, organization, environment, parts, secretName, pseudonymSecretName } = props;
    const { id: org } = organization;
    const times = runTimes(TICK_MINUTES);
    const functionName = names.syncFunction(org, environment);
    addScheduledFunction(this, {
      description: `Follows the ${environment} identity records of ${org}`,
      code: props.code,
      memoryMb: MEMORY_MB,
      environment: syncEnvironment({ ...props, times }),
      times,
      id: `${org}/${environment}`,
      policy: {
        names,
        org,
        functionName,
        logGroupName: parts.logGroupName,
        secretNames: [secretName, ...(pseudonymSecretName === undefined ? [] : [pseudonymSecretName])],
        prefixes: ['identities', 'walks'].map((kind) => `${kind}/org=${org}/env=${environment}/`),
        destinations: settings.destinations.map((destination) => destination.id),
      },
      parts,
    });
    new IdentityAlarms(this, 'Alarms', {
      settings,
      topic: parts.alarmTopic,
      org,
      environment,
      everyHours: organization.identities.everyHours,
      functionName,
      tick: times.period,
      logGroupName: parts.logGroupName,
    });
  }
}
