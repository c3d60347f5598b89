import { z } from 'zod';
import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';
import { SAFE_ID } from '../functions/core/keys.ts';
import type { LogFilters } from '../functions/core/run.ts';
import type { PushOrder } from '../local/push-sink.ts';
import { credentialVariables, variableFaults } from './credential-flags.ts';
import { UsageError } from './failure.ts';
import { baseUrl, filters, flagFaults, isLoopback, leftovers, whole } from './flags.ts';
import { pushOrders, sinks } from './push-flags.ts';

/** Logs-v1.md, "Limits": at least 5 minutes between retrievals. */
const RECOMMENDED_SECONDS = 300;
const STAND_IN_SECONDS = 2;
/** The sinks' stand-ins keep about 4 KB an event in memory, both together. */
const MOST_EVENTS_IN_MEMORY = 300_000;

const flags = z.object({
  dataDir: z.string().min(1, 'expected the path of a folder').default('.local'),
  once: z.boolean().default(false),
  events: whole(0, 10_000_000).prefault('5000'),
  identities: z
    .string()
    .regex(
      /^(\d{1,7}|prod|test|prod,test|test,prod)$/,
      'expected a number; with --base-url: prod, test or both',
    )
    .optional(),
  baseUrl: baseUrl.optional(),
  orgUrl: z
    .string()
    .refine(URL.canParse, "expected a URL: the organization's, exactly as the provider has it")
    .optional(),
  org: z
    .string()
    .regex(
      SAFE_ID,
      'expected at most 63 letters, digits, dots, dashes or underscores, a letter or digit first',
    )
    .optional(),
  limit: whole(1, 1000).prefault('1000'),
  filter: filters.prefault([]),
  fromToken: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'expected a token of the provider, at most 200 printable characters')
    .optional(),
  every: whole(1, 86_400).optional(),
  push: sinks.prefault([]),
  batchBytes: whole(1, 1024 ** 3).prefault(String(8 * 1024 ** 2)),
});

const environment = credentialVariables('its log interface');

const ENVIRONMENTS = ['prod', 'test'] as const;

/** What `orglog local` was asked to do. */
export interface LocalOrder {
  readonly dataDir: string;
  readonly once: boolean;
  readonly limit: number;
  readonly everyMs: number;
  readonly batchBytes: number;
  readonly push: readonly PushOrder[];
  readonly log:
    | {
        readonly kind: 'stand-in';
        readonly events: number;
        /** How many there are at first; absent: none are walked. */
        readonly identities?: number;
      }
    | {
        readonly kind: 'provider';
        readonly org: string;
        readonly baseUrl: string;
        readonly orgUrl: string;
        readonly filters: LogFilters;
        readonly fromToken?: string | undefined;
        readonly credential: { readonly username: string; readonly password: string };
        /** Those whose identity records are walked. */
        readonly environments: readonly IdentityEnvironment[];
      };
}

export type RawFlags = Readonly<Partial<Record<keyof z.input<typeof flags>, unknown>>>;

/** Checks flags and environment. @throws UsageError that lists every fault */
export function parseLocalFlags(
  raw: RawFlags,
  operands: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): LocalOrder {
  const given = flags.safeParse(raw);
  const secrets = raw.baseUrl === undefined ? undefined : environment.safeParse(env);
  const faults = [
    ...leftovers(operands),
    ...flagFaults(given.error, raw, new Set(['fromToken'])),
    ...faultsOfCombination(raw),
    ...variableFaults(secrets?.error),
  ];
  const { orders: push, faults: pushFaults } = pushOrders(given.data?.push ?? [], env);
  faults.push(...pushFaults);
  if (given.success) faults.push(...faultsOfMeaning(given.data));
  if (faults.length > 0 || !given.success) throw new UsageError('orglog local', faults);

  const { dataDir, once, events, limit, every, batchBytes, org, baseUrl, orgUrl, filter, fromToken } =
    given.data;
  const { identities } = given.data;
  const standard = baseUrl === undefined ? STAND_IN_SECONDS : RECOMMENDED_SECONDS;
  const order = { dataDir, once, limit, batchBytes, push, everyMs: (every ?? standard) * 1000 };
  if (baseUrl === undefined || orgUrl === undefined || !secrets?.success) {
    const walked = identities !== undefined && { identities: Number(identities) };
    return { ...order, log: { kind: 'stand-in', events, ...walked } };
  }
  const { ORGLOG_USERNAME: username, ORGLOG_PASSWORD: password } = secrets.data;
  return {
    ...order,
    log: {
      kind: 'provider',
      org: org ?? new URL(orgUrl).hostname,
      ...{ baseUrl, orgUrl, fromToken, filters: filter },
      credential: { username, password },
      environments: ENVIRONMENTS.filter((one) => identities?.split(',').includes(one)),
    },
  };
}

/** What goes together, whatever the values. */
function faultsOfCombination(raw: RawFlags): string[] {
  if (raw.baseUrl !== undefined) {
    return [
      ...(raw.orgUrl === undefined ? ['--org-url: missing; expected with --base-url'] : []),
      ...(raw.events === undefined
        ? []
        : ["--events: expected without --base-url only: it fills the stand-in's log"]),
    ];
  }
  const others = { orgUrl: 'org-url', org: 'org', filter: 'filter', fromToken: 'from-token' } as const;
  return Object.entries(others)
    .filter(([property]) => raw[property as keyof typeof others] !== undefined)
    .map(([, name]) => `--${name}: expected together with --base-url only`);
}

/** What only checked values can tell. */
function faultsOfMeaning(given: z.output<typeof flags>): string[] {
  const { baseUrl, orgUrl, org, every, events, push, identities } = given;
  if (identities !== undefined && /\d/.test(identities) === (baseUrl !== undefined)) {
    const expected =
      baseUrl === undefined ? 'how many the stand-in has: a number' : 'the environments: prod, test or both';
    return [`--identities "${identities}": expected ${expected}`];
  }
  if (events > MOST_EVENTS_IN_MEMORY && push.some(({ url }) => url === undefined)) {
    return [
      `--events "${events}": expected at most ${MOST_EVENTS_IN_MEMORY} with stand-ins of --push, which keep all of them in memory`,
    ];
  }
  if (baseUrl === undefined || orgUrl === undefined) return [];
  const host = new URL(orgUrl).hostname;
  return [
    ...(every !== undefined && every < RECOMMENDED_SECONDS && !isLoopback(baseUrl)
      ? [`--every "${every}": expected at least ${RECOMMENDED_SECONDS} seconds, as the provider recommends`]
      : []),
    ...(org === undefined && !SAFE_ID.test(host)
      ? [`--org: missing; expected because ${JSON.stringify(host)}, the host of the orgUrl, cannot be its id`]
      : []),
  ];
}
