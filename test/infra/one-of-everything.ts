import { expect } from 'vitest';
import { PERIODS } from '../../infra/settings/limits.ts';
import { asText } from './intrinsics.ts';
import { destination, followed, organization, pushDestination, settings } from './settings-fixture.ts';
import { type Located, property, resourcesOf, synthesize } from './synthesize.ts';

const FASTER = { allowFasterThanRecommended: 'agreed with the provider on 2026-01-02' };

/**
 * A deployment with every kind of thing in it: each period, second stacks, a shared credential, identity records,
 * pull and push.
 */
export const deployment = await synthesize(
  settings({
    organizations: [
      ...PERIODS.map((everyMinutes) => organization(`every-${everyMinutes}`, { everyMinutes, ...FASTER })),
      followed('people', {
        environments: ['test', 'prod'],
        everyHours: 12,
        authorities: ['https://people.edu/hr'],
        redact: ['mail'],
        snapshots: 'every',
        uidField: 'tenantUid',
      }),
      followed('names', { stack: 2, credential: 'shared' }),
      organization('apart', {
        stack: 2,
        filters: { service: 'idp' },
        limit: 100,
        onStaleToken: 'halt',
        credential: 'shared',
      }),
    ],
    destinations: [
      destination('splunk'),
      destination('elastic', { kind: 'elastic' }),
      pushDestination('hec', 'splunk', {
        index: 'signins',
        host: 'orglog',
        source: 'provider',
        sourcetype: 'orglog:event',
        acknowledge: true,
        concurrency: 5,
      }),
      pushDestination('bulk', 'elastic', { dataStream: 'logs-orglog.events-campus' }),
    ],
    retention: { archiveDays: 400, logDays: 30 },
    tags: { application: 'orglog' },
  }),
);
/** Its resources of these types. */
export const all = (...types: string[]) => resourcesOf(deployment, ...types);

/** The few words by which a failed expectation is understood. */
export const names = (located: Located[]) => located.map(({ stack, id }) => `${stack} ${id}`);
/** Which of them do not hold. */
export const without = (located: Located[], holds: (one: Located) => boolean) =>
  names(located.filter((one) => !holds(one)));

/** Whether a policy of this type, attached by this member, refuses plain HTTP to this resource. */
export function refusesPlainHttp(one: Located, policyType: string, member: string): boolean {
  return all(policyType).some((policy) => {
    const attached = [policy.resource.Properties[member]].flat().map((target) => JSON.stringify(target));
    if (policy.stack !== one.stack || !attached.includes(JSON.stringify({ Ref: one.id }))) return false;
    const document = policy.resource.Properties.PolicyDocument as { Statement: Record<string, unknown>[] };
    return document.Statement.some(
      ({ Effect, Condition, Principal }) =>
        Effect === 'Deny' &&
        ['*', '{"AWS":"*"}'].includes(
          typeof Principal === 'string' ? Principal : JSON.stringify(Principal),
        ) &&
        JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
    );
  });
}

/** Of the stacks of this kind: `collectors` or `identities`. */
export const inStacksOf = (kind: string, type: string) =>
  all(type).filter(({ stack }) => stack.startsWith(`orglog-${kind}`));

/** A function's environment, as its own reader reads it. */
export function environmentOf<T>(one: Located, read: (env: Record<string, string>) => T): T {
  const variables = property(one, 'Environment', 'Variables') as Record<string, unknown>;
  const texts = Object.entries(variables).map(([name, value]) => [name, asText(value, one.template)]);
  // Lambda's limit for all of them together.
  expect(Buffer.byteLength(JSON.stringify(texts))).toBeLessThan(4096);
  return read({ ...Object.fromEntries(texts), AWS_REGION: 'eu-central-1' });
}
