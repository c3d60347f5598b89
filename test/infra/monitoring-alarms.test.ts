import { describe, expect, it } from 'vitest';
import { DELIVERY_METRICS } from '../../functions/adapters/delivery-telemetry.ts';
import { ALARM_METRICS } from '../../functions/adapters/run-metrics.ts';
import { SYNC_METRICS } from '../../functions/adapters/sync-telemetry.ts';
import { LONGEST_HIDING_MS } from '../../functions/core/delivery/visibility.ts';
import { DELIVERY_TIMEOUT } from '../../infra/destination-queue.ts';
import {
  DESTINATION_ALARMS,
  IDENTITY_ALARMS,
  ORGANIZATION_ALARMS,
  PUSH_ALARMS,
} from '../../infra/settings/alarm-names.ts';
import { PERIODS } from '../../infra/settings/limits.ts';
import { alarm, alarms, alarmsOf, deployment } from './every-alarm.ts';
import { asText } from './intrinsics.ts';
import { destination, followed, organization, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** What decides when it is raised. */
function rule(name: string) {
  const { Properties } = alarm(name).resource;
  const { Threshold, ComparisonOperator, TreatMissingData, Period, Statistic } = Properties;
  const { DatapointsToAlarm, EvaluationPeriods } = Properties;
  return [
    `${Statistic} ${ComparisonOperator} ${Threshold}`,
    `${DatapointsToAlarm} of ${EvaluationPeriods} × ${Period} s, ${TreatMissingData}`,
  ];
}

describe('the alarms', () => {
  it('are there for every organization and every destination', () => {
    const organizations = ['institution', 'shared-one', ...PERIODS.map((minutes) => `every-${minutes}`)];
    const expected = [
      ...organizations.flatMap((org) => ORGANIZATION_ALARMS.map((kind) => `signins/${org}/${kind}`)),
      ...['splunk', 'elastic', 'hec', 'bulk'].flatMap((id) =>
        DESTINATION_ALARMS.map((kind) => `signins/${id}/${kind}`),
      ),
      ...['hec', 'bulk'].flatMap((id) => PUSH_ALARMS.map((kind) => `signins/${id}/${kind}`)),
      ...['institution/prod', 'shared-one/test', 'shared-one/prod'].flatMap((records) =>
        IDENTITY_ALARMS.map((kind) => `signins/${records}/${kind}`),
      ),
    ];
    expect([...alarms.keys()].sort()).toStrictEqual(expected.sort());
  });

  it.each([
    ['institution/not-running', 'SampleCount LessThanThreshold 1', '3 of 3 × 300 s, breaching'],
    ['institution/failing', 'Sum GreaterThanThreshold 0', '3 of 12 × 300 s, notBreaching'],
    ['institution/lag', 'Maximum GreaterThanThreshold 3600', '3 of 3 × 300 s, ignore'],
    ['institution/gap', 'Sum GreaterThanThreshold 0', '1 of 1 × 300 s, notBreaching'],
    ['institution/credentials-refused', 'Sum GreaterThanThreshold 0', '2 of 2 × 300 s, notBreaching'],
    ['institution/drift', 'Sum GreaterThanThreshold 0', '1 of 24 × 3600 s, notBreaching'],
    ['splunk/queue-age', 'Maximum GreaterThanThreshold 3600', '3 of 3 × 300 s, notBreaching'],
    ['splunk/dead-letters', 'Maximum GreaterThanThreshold 0', '1 of 1 × 300 s, notBreaching'],
    ['splunk/not-queued', 'Maximum GreaterThanThreshold 0', '2 of 2 × 1800 s, notBreaching'],
    ['hec/queue-age', 'Maximum GreaterThanThreshold 1800', '3 of 3 × 300 s, notBreaching'],
    ['hec/delivery-rejected', 'Sum GreaterThanThreshold 0', '1 of 1 × 300 s, notBreaching'],
    ['hec/delivery-halted', 'Sum GreaterThanThreshold 0', '1 of 1 × 1800 s, notBreaching'],
    ['hec/delivery-delayed', 'Sum GreaterThanThreshold 0', '2 of 2 × 1800 s, notBreaching'],
    ['hec/delivery-failing', 'Sum GreaterThanThreshold 0', '3 of 12 × 300 s, notBreaching'],
    // Two periods of a day, and of a week.
    ['institution/prod/identities-stale', 'Maximum GreaterThanThreshold 172800', '2 of 2 × 900 s, ignore'],
    ['shared-one/test/identities-stale', 'Maximum GreaterThanThreshold 1209600', '2 of 2 × 900 s, ignore'],
    ['institution/prod/identities-refused', 'Sum GreaterThanThreshold 0', '2 of 2 × 900 s, notBreaching'],
    ['institution/prod/identities-failing', 'Sum GreaterThanThreshold 0', '4 of 4 × 900 s, notBreaching'],
    ['institution/prod/identities-not-running', 'Sum LessThanThreshold 1', '3 of 3 × 900 s, breaching'],
  ])('%s: %s, %s', (name, ...expected) => {
    expect(rule(name)).toStrictEqual(expected);
  });

  it.each(PERIODS)('count in periods of the schedule: every %i minutes', (minutes) => {
    expect(rule(`every-${minutes}/not-running`)[1]).toBe(`3 of 3 × ${minutes * 60} s, breaching`);
    expect(rule(`every-${minutes}/failing`)[1]).toBe(`3 of 12 × ${minutes * 60} s, notBreaching`);
  });

  it('hear of a sink in trouble at least once in each of their periods', () => {
    for (const kind of ['delivery-halted', 'delivery-delayed']) {
      const periodMs = Number(property(alarm(`hec/${kind}`), 'Period')) * 1000;
      // Three requests that time out, and a wait between them.
      expect(periodMs).toBeGreaterThan(LONGEST_HIDING_MS + DELIVERY_TIMEOUT.toMilliseconds());
    }
  });

  it('look back no further than CloudWatch does: a day', () => {
    for (const { resource } of alarms.values()) {
      const { Period, EvaluationPeriods } = resource.Properties;
      expect(Number(Period) * Number(EvaluationPeriods)).toBeLessThanOrEqual(DAY);
    }
  });

  it('read each a single metric, which is what one costs', () => {
    for (const { resource } of alarms.values()) expect(resource.Properties).not.toHaveProperty('Metrics');
  });

  it('read metrics that the functions send, under the name and the dimension it sends them by', () => {
    const ofIdentities = new Set<string>(Object.values(SYNC_METRICS));
    const sent = new Set<string>([
      ...Object.values(ALARM_METRICS),
      ...Object.values(DELIVERY_METRICS),
      ...ofIdentities,
    ]);
    const functions = resourcesOf(deployment, 'AWS::Lambda::Function');
    const namespaces = functions.map((one) =>
      property(one, 'Environment', 'Variables', 'ORGLOG_METRICS_NAMESPACE'),
    );
    expect(new Set(namespaces)).toStrictEqual(new Set(['signins']));
    const ours = [...alarms.values()].filter((one) => property(one, 'Namespace') === 'signins');
    expect(ours.length).toBeGreaterThan(5 * PERIODS.length);
    for (const one of ours) {
      const [, about, environment] = String(property(one, 'AlarmName')).split('/');
      const name = String(property(one, 'MetricName'));
      expect(sent).toContain(name);
      const ofDestination = new Set<string>([ALARM_METRICS.owed, ...Object.values(DELIVERY_METRICS)]);
      const dimension = ofDestination.has(name) ? 'destination' : 'org';
      const dimensions = [
        ...(ofIdentities.has(name) ? [{ Name: 'environment', Value: environment }] : []),
        { Name: dimension, Value: about },
      ];
      expect(property(one, 'Dimensions')).toStrictEqual(dimensions);
    }
  });

  it('tell the topic when they are raised, and when it is over, except of what nothing mends', () => {
    const topics = [...alarms.values()].map((one) => [
      property(one, 'AlarmName'),
      asText(property(one, 'AlarmActions', 0), one.template)
        .split(':')
        .at(-1),
      property(one, 'OKActions') === undefined ? 'not told' : 'told',
    ]);
    for (const [name, topic, over] of topics) {
      expect([name, topic]).toStrictEqual([name, 'signins-alarms']);
      const never = /\/(gap|delivery-rejected)$/.test(String(name));
      expect([name, over]).toStrictEqual([name, never ? 'not told' : 'told']);
    }
  });

  it('say what they mean, what to do first, and where their runbook entry is', () => {
    for (const [name, one] of alarms) {
      const [about = '', kind] = [name.split('/')[1], name.split('/').at(-1)];
      const text = asText(property(one, 'AlarmDescription'), one.template);
      const [means = '', first, then, ...more] = text.split('\n\n');
      expect(more).toStrictEqual([]);
      expect(means).toContain(about);
      expect(first).toMatch(/^First: (aws \S+ \S+|npm run -s orglog -- .* --stack signins$).*$/);
      expect(then).toBe(`Then: https://git.institution.edu/orglog/runbook.md#${kind}`);
      expect(text.length).toBeLessThanOrEqual(1024);
    }
  });

  it('name the organization, the stack and the log group that are there', () => {
    const first = (name: string) => String(property(alarm(name), 'AlarmDescription'));
    expect(first('institution/credentials-refused')).toContain(
      'orglog -- check --org institution --stack signins',
    );
    expect(first('institution/failing')).toContain('aws logs tail /signins/collectors-1 ');
    const groups = resourcesOf(deployment, 'AWS::Logs::LogGroup').map((one) => property(one, 'LogGroupName'));
    expect(groups).toContain('/signins/deliver-hec');
    expect(first('splunk/dead-letters')).toContain('redrive --destination splunk --dry-run --stack signins');
    expect(first('shared-one/prod/identities-stale')).toContain('aws logs tail /signins/identities-2 ');
    expect(groups).toContain('/signins/identities-2');
    for (const kind of PUSH_ALARMS) {
      expect(first(`hec/${kind}`)).toContain('aws logs tail /signins/deliver-hec ');
    }
  });
});

describe('an alarm left out', () => {
  const withOmissions = (...omit: object[]) =>
    synthesize(
      settings({
        organizations: [organization('institution'), organization('college', { stack: 2 })],
        destinations: [destination('splunk')],
        alarms: { email: 'security@institution.edu', omit },
      }),
    );

  it('is so everywhere, or for one, and its reason stands in the template', async () => {
    const synthesized = await withOmissions(
      { alarm: 'drift', reason: 'the SIEM team watches the field list' },
      { alarm: 'lag', organization: 'college', reason: 'a test organization' },
      { alarm: 'queue-age', destination: 'splunk', reason: 'read once a day on purpose' },
    );
    const names = [...alarmsOf(synthesized).keys()];
    expect(names).toHaveLength(2 * 6 + 3 - 4);
    expect(names.filter((name) => name.endsWith('drift'))).toStrictEqual([]);
    expect(names.filter((name) => name.endsWith('lag'))).toStrictEqual(['orglog/institution/lag']);
    const metadata = [...synthesized.templates].map(([stack, template]) => [
      stack,
      'Metadata' in template ? template.Metadata : undefined,
    ]);
    expect(Object.fromEntries(metadata)).toStrictEqual({
      'orglog-foundation': { 'Alarm left out: orglog/splunk/queue-age': 'read once a day on purpose' },
      'orglog-collectors-1': {
        'Alarm left out: orglog/institution/drift': 'the SIEM team watches the field list',
      },
      'orglog-collectors-2': {
        'Alarm left out: orglog/college/drift': 'the SIEM team watches the field list',
        'Alarm left out: orglog/college/lag': 'a test organization',
      },
    });
  });

  it('may be one of one environment only', async () => {
    const synthesized = await synthesize(
      settings({
        organizations: [followed('institution', { environments: ['test', 'prod'] })],
        alarms: {
          email: 'security@institution.edu',
          omit: [
            { alarm: 'identities-stale', environment: 'test', reason: 'nobody is in there' },
            { alarm: 'identities-failing', organization: 'institution', reason: 'the others tell enough' },
          ],
        },
      }),
    );
    const names = [...alarmsOf(synthesized).keys()].filter((name) => name.includes('/identities-'));
    expect(names.sort()).toStrictEqual([
      'orglog/institution/prod/identities-not-running',
      'orglog/institution/prod/identities-refused',
      'orglog/institution/prod/identities-stale',
      'orglog/institution/test/identities-not-running',
      'orglog/institution/test/identities-refused',
    ]);
    expect(synthesized.templates.get('orglog-identities-1')).toMatchObject({
      Metadata: { 'Alarm left out: orglog/institution/test/identities-stale': 'nobody is in there' },
    });
  });

  it.each([
    [
      { alarm: 'queue-age', organization: 'institution' },
      'organization is "institution"',
      'each destination',
    ],
    [{ alarm: 'lag', destination: 'splunk' }, 'destination is "splunk"', 'each organization'],
  ])('is refused where there is none: %j', (omission, where, whose) => {
    expect(() => withOmissions({ ...omission, reason: 'nobody looks at it' })).toThrow(
      new RegExp(`alarms\\.omit\\[0\\]\\.${where}: expected none: .* is an alarm of ${whose}`),
    );
  });

  it('is none unless the settings say so', async () => {
    const synthesized = await withOmissions();
    expect([...synthesized.templates.values()].filter((template) => 'Metadata' in template)).toStrictEqual(
      [],
    );
  });
});
