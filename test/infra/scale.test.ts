import { describe, expect, it } from 'vitest';
import { IDENTITY_ALARMS, ORGANIZATION_ALARMS } from '../../infra/settings/alarm-names.ts';
import { IDENTITY_FUNCTIONS_PER_STACK } from '../../infra/settings/limits.ts';
import { destination, manyOrganizations, settings } from './settings-fixture.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

/** Ours, below CloudFormation's 500 resources and 1 MB (design §8). */
const MAX_RESOURCES = 450;
const MAX_BYTES = 900_000;
const ORGANIZATIONS = 1000;

describe('a thousand organizations', async () => {
  const started = performance.now();
  const deployment = await synthesize(
    settings({
      organizations: manyOrganizations(ORGANIZATIONS),
      destinations: [destination('splunk'), destination('elastic', { kind: 'elastic' })],
      tags: { application: 'orglog', 'cost-center': '4711' },
    }),
  );
  console.log(`1,000 organizations synthesized in ${((performance.now() - started) / 1000).toFixed(1)} s`);

  it('are in 25 stacks and the foundation', () => {
    expect(deployment.templates.size).toBe(26);
    expect(resourcesOf(deployment, 'AWS::Lambda::Function')).toHaveLength(ORGANIZATIONS);
  });

  it('leave room in every template', () => {
    const sizes = [...deployment.templates].map(([stack, { Resources }]) => ({
      stack,
      resources: Object.keys(Resources).length,
      bytes: deployment.bytes.get(stack) ?? Number.POSITIVE_INFINITY,
    }));
    expect(sizes.filter(({ resources }) => resources > MAX_RESOURCES)).toStrictEqual([]);
    expect(sizes.filter(({ bytes }) => bytes > MAX_BYTES)).toStrictEqual([]);
  });

  it('leave room for every alarm of every organization', () => {
    const [stack] = deployment.stacks.collectors;
    const template = deployment.templates.get(stack?.stackName ?? '');
    const others = Object.values(template?.Resources ?? {}).filter(
      ({ Type }) => Type !== 'AWS::CloudWatch::Alarm',
    );
    expect(others.length + 40 * ORGANIZATION_ALARMS.length).toBeLessThanOrEqual(MAX_RESOURCES);
  });

  it('fire in every minute of the period, and by themselves in the seconds of it', () => {
    const minutes = new Map<unknown, number>();
    for (const { resource } of resourcesOf(deployment, 'AWS::Scheduler::Schedule')) {
      const expression = resource.Properties.ScheduleExpression;
      minutes.set(expression, (minutes.get(expression) ?? 0) + 1);
    }
    expect([...minutes.keys()].sort()).toStrictEqual(
      [0, 1, 2, 3, 4].map((minute) => `cron(${minute}/5 * * * ? *)`),
    );
    expect(Math.max(...minutes.values())).toBeLessThan(300);
  });
}, 120_000);

describe('as many identity records as a stack takes', () => {
  const redact = ['mail', 'givenName', 'sn'];

  // Of one environment, each organization needs secrets of its own; of both, they share them.
  it.each([
    [IDENTITY_FUNCTIONS_PER_STACK, ['prod']],
    [IDENTITY_FUNCTIONS_PER_STACK / 2, ['test', 'prod']],
  ])('leave room in its template: %i organizations, %j', async (count, environments) => {
    const organizations = manyOrganizations(count).map((one) => ({
      ...one,
      identities: { environments, redact },
    }));
    const deployment = await synthesize(
      settings({
        organizations,
        destinations: [destination('splunk'), destination('elastic', { kind: 'elastic' })],
        tags: { application: 'orglog', 'cost-center': '4711' },
      }),
    );
    const { Resources } = deployment.templates.get('orglog-identities-1') ?? { Resources: {} };
    const types = Object.values(Resources).map(({ Type }) => Type);
    const ofType = (type: string) => types.filter((one) => one === type).length;
    expect(ofType('AWS::Lambda::Function')).toBe(IDENTITY_FUNCTIONS_PER_STACK);
    expect(ofType('AWS::CloudWatch::Alarm')).toBe(IDENTITY_FUNCTIONS_PER_STACK * IDENTITY_ALARMS.length);
    expect(ofType('AWS::SecretsManager::Secret')).toBe(2 * count);
    // Log group, scheduler's role; for each function itself, role, schedule and its asynchronous settings.
    expect(types).toHaveLength(2 + IDENTITY_FUNCTIONS_PER_STACK * (4 + IDENTITY_ALARMS.length) + 2 * count);
    expect(types.length).toBeLessThanOrEqual(MAX_RESOURCES);
    expect(deployment.bytes.get('orglog-identities-1')).toBeLessThan(MAX_BYTES);
  });

  it('fire in every minute of the quarter of an hour', async () => {
    const organizations = manyOrganizations(40).map((one) => ({
      ...one,
      identities: { environments: ['prod'] },
    }));
    const deployment = await synthesize(settings({ organizations }));
    const minutes = resourcesOf(deployment, 'AWS::Scheduler::Schedule')
      .filter(({ stack }) => stack === 'orglog-identities-1')
      .map(({ resource }) => String(resource.Properties.ScheduleExpression));
    expect(new Set(minutes).size).toBeGreaterThan(10);
    for (const minute of minutes) expect(minute).toMatch(/^cron\((\d|1[0-4])\/15 \* \* \* \? \*\)$/);
  });
});
