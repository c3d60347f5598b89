import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AwsEnvironment, secretsManagerOptions } from '../adapters/aws-clients.ts';
import { createIdentitiesClient } from '../adapters/identities/client.ts';
import { identitySource } from '../adapters/identities/source.ts';
import { type Pseudonyms, secretsManagerPseudonyms } from '../adapters/pseudonyms.ts';
import { secretsManagerCredentials } from '../adapters/secrets-manager-credentials.ts';
import { createSyncTelemetry, type SyncTelemetry } from '../adapters/sync-telemetry.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { gzipCompressor } from '../core/gzip.ts';
import { FETCHES_AT_ONCE } from '../core/identities/bounds.ts';
import type { SyncPorts, SyncSettings } from '../core/identities/ports.ts';
import { BATCH_BYTES, openStores } from './run-stores.ts';
import { syncIdentitiesEnvironment } from './sync-identities-environment.ts';

/** What a test or a benchmark may put in the place of the real thing. */
export interface SyncOverrides {
  /** Default `process.env`. */
  readonly env?: AwsEnvironment;
  readonly ports?: Partial<Pick<SyncPorts, 'clock' | 'random' | 'newCompressor'>>;
  readonly settings?: Partial<Pick<SyncSettings, 'batchBytes' | 'everyMs'>>;
  readonly telemetry?: SyncTelemetry;
}

/** What one container keeps from one invocation to the next: clients, their connections, the secrets. */
export interface SyncContainer {
  readonly ports: Omit<SyncPorts, 'pseudonym'>;
  readonly settings: Omit<SyncSettings, 'pseudonymKeyId'>;
  /** Read at the first use. @throws OrglogError */
  readonly pseudonyms: (signal: AbortSignal) => Promise<Pseudonyms>;
  readonly telemetry: SyncTelemetry;
}

/** Where nothing is redacted: no value is ever passed, and no key is read. */
const NOTHING_REDACTED: Pseudonyms = { keyId: '', pseudonym: (value) => value };

/** Reads the environment and wires the AWS adapters; nothing is called yet. @throws OrglogError `configuration` */
export function openSyncContainer(overrides: SyncOverrides): SyncContainer {
  const aws = overrides.env ?? process.env;
  const env = syncIdentitiesEnvironment(aws);
  const secrets = new SecretsManagerClient(secretsManagerOptions(aws));
  const telemetry =
    overrides.telemetry ??
    createSyncTelemetry({
      org: env.ORGLOG_ORG,
      environment: env.ORGLOG_ENVIRONMENT,
      namespace: env.ORGLOG_METRICS_NAMESPACE,
    });
  const settings = {
    org: env.ORGLOG_ORG,
    environment: env.ORGLOG_ENVIRONMENT,
    baseUrl: env.ORGLOG_BASE_URL,
    everyMs: env.ORGLOG_EVERY_MS,
    ...(env.ORGLOG_AUTHORITIES !== undefined && { authorities: env.ORGLOG_AUTHORITIES }),
    redact: env.ORGLOG_REDACT,
    snapshots: env.ORGLOG_SNAPSHOTS,
    batchBytes: BATCH_BYTES,
    leaseMs: env.ORGLOG_LEASE_MS,
    ...overrides.settings,
  };
  const ports = {
    ...openStores(aws, env),
    source: identitySource(
      createIdentitiesClient({
        baseUrl: env.ORGLOG_BASE_URL,
        credentials: secretsManagerCredentials({ client: secrets, secretId: env.ORGLOG_SECRET_ID }),
        uidField: env.ORGLOG_UID_FIELD,
        requestTimeoutMs: env.ORGLOG_PAGE_TIMEOUT_MS,
        // With fewer, the time that one waits for another would count as its own.
        connections: FETCHES_AT_ONCE,
      }),
    ),
    clock: systemClock,
    random: Math.random,
    newCompressor: gzipCompressor,
    observe: telemetry.observe,
    ...overrides.ports,
  };
  const keyId = env.ORGLOG_PSEUDONYM_SECRET_ID;
  const pseudonyms =
    env.ORGLOG_REDACT.length === 0 || keyId === undefined
      ? async () => NOTHING_REDACTED
      : secretsManagerPseudonyms({ client: secrets, secretId: keyId });
  return { ports, settings, pseudonyms, telemetry };
}
