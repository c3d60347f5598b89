import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AwsEnvironment, secretsManagerOptions } from '../adapters/aws-clients.ts';
import { createHttpLogSource } from '../adapters/http-log-source.ts';
import { secretsManagerCredentials } from '../adapters/secrets-manager-credentials.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createTelemetry, type Telemetry } from '../adapters/telemetry.ts';
import { gzipCompressor } from '../core/gzip.ts';
import type { RunPorts, RunSettings } from '../core/run.ts';
import { collectEnvironment } from './collect-environment.ts';
import { BATCH_BYTES, openStores } from './run-stores.ts';

/** What a test or a benchmark may put in the place of the real thing. */
export interface CollectOverrides {
  /** Default `process.env`. */
  readonly env?: AwsEnvironment;
  readonly ports?: Partial<Pick<RunPorts, 'clock' | 'random' | 'newCompressor'>>;
  readonly settings?: Partial<Pick<RunSettings, 'batchBytes' | 'maxAttempts'>>;
  readonly telemetry?: Telemetry;
}

/** What one container keeps from one invocation to the next: clients, their connections, the credential. */
export interface CollectContainer {
  readonly ports: RunPorts;
  readonly settings: RunSettings;
  readonly telemetry: Telemetry;
}

const MAX_ATTEMPTS = 5;

/** Reads the environment and wires the AWS adapters; nothing is called yet. @throws OrglogError `configuration` */
export function openCollectContainer(overrides: CollectOverrides): CollectContainer {
  const aws = overrides.env ?? process.env;
  const env = collectEnvironment(aws);
  const telemetry = overrides.telemetry ?? telemetryOf(env);
  const settings = {
    org: env.ORGLOG_ORG,
    baseUrl: env.ORGLOG_BASE_URL,
    orgUrl: env.ORGLOG_ORG_URL,
    filters: env.ORGLOG_FILTERS,
    limit: env.ORGLOG_LIMIT,
    onStaleToken: env.ORGLOG_ON_STALE_TOKEN,
    minIntervalMs: env.ORGLOG_MIN_INTERVAL_MS,
    leaseMs: env.ORGLOG_LEASE_MS,
    batchBytes: BATCH_BYTES,
    maxAttempts: MAX_ATTEMPTS,
    ...overrides.settings,
  };
  const ports = {
    ...openStores(aws, env),
    source: createHttpLogSource({
      baseUrl: env.ORGLOG_BASE_URL,
      orgUrl: env.ORGLOG_ORG_URL,
      filters: env.ORGLOG_FILTERS,
      credentials: secretsManagerCredentials({
        client: new SecretsManagerClient(secretsManagerOptions(aws)),
        secretId: env.ORGLOG_SECRET_ID,
      }),
      pageTimeoutMs: env.ORGLOG_PAGE_TIMEOUT_MS,
    }),
    clock: systemClock,
    random: Math.random,
    newCompressor: gzipCompressor,
    observe: telemetry.observe,
    ...overrides.ports,
  };
  return { ports, settings, telemetry };
}

function telemetryOf(env: ReturnType<typeof collectEnvironment>): Telemetry {
  return createTelemetry({
    org: env.ORGLOG_ORG,
    level: env.ORGLOG_METRICS,
    namespace: env.ORGLOG_METRICS_NAMESPACE,
  });
}
