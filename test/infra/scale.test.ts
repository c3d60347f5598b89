import { describe, expect, it } from 'vitest';
import { ORGANIZATION_ALARMS } from '../../infra/settings/alarm-names.ts';
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
