import { IAMClient } from '@aws-sdk/client-iam';
import type { IdentityAccess } from '../../core/operate/check-ports.ts';
import type { Verdict } from '../../core/operate/check-verdict.ts';
import type { DeployedDestination, DeployedOrganization } from '../../core/operate/ports.ts';
import { operatorOptions } from '../aws-clients.ts';
import { environmentOf, operatorClients } from './clients.ts';
import { consumerVerdict } from './consumer-role.ts';
import type { AwsDeploymentOptions } from './deployment.ts';
import { readFoundation, stackOutputs } from './stack-outputs.ts';
import { syncFunctionSettings } from './sync-function.ts';

/** What is asked about a deployment in AWS beyond what running it takes. */
export interface AwsChecks extends Disposable {
  /** How an organization's identity records are read, each environment by its function. */
  identities(
    organization: Pick<DeployedOrganization, 'id' | 'identities'>,
    signal: AbortSignal,
  ): Promise<readonly IdentityAccess[]>;
  /** Whether a consumer may read its queue and the archive. @param principal in place of the role that was made */
  consumer(
    destination: Pick<DeployedDestination, 'id'>,
    principal: string | undefined,
    signal: AbortSignal,
  ): Promise<Verdict>;
}

/** Nothing is called yet. The resources are found by the outputs of the foundation's stack (deployment.ts). */
export function awsChecks({ stack = 'orglog', ...access }: AwsDeploymentOptions): AwsChecks {
  const clients = operatorClients(access);
  const profile = access.profile === undefined ? {} : { profile: access.profile };
  const iam = new IAMClient({ ...operatorOptions(environmentOf(access), 'IAM'), ...profile });
  return {
    identities: ({ id, identities }, signal) =>
      Promise.all(
        identities.map((environment) =>
          syncFunctionSettings(clients.lambda, `${stack}-sync-${environment}-${id}`, signal),
        ),
      ),
    async consumer({ id }, principal, signal) {
      const region = await clients.cloudFormation.config.region();
      const name = `${stack}-foundation`;
      const outputs = await stackOutputs(clients.cloudFormation, { stack: name, region }, signal);
      const { ArchiveBucket: bucket, destinations } = readFoundation(name, outputs);
      const queueUrl = destinations.find((one) => one.id === id)?.queue ?? '';
      const who = principal === undefined ? {} : { principal };
      const roleName = `${stack}-consumer-${id}`;
      return await consumerVerdict(
        { iam, s3: clients.s3, roleName, queueUrl, bucket, region, ...who },
        signal,
      );
    },
    [Symbol.dispose]() {
      iam.destroy();
      clients[Symbol.dispose]();
    },
  };
}
