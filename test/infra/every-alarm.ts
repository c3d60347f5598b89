import { PERIODS } from '../../infra/settings/limits.ts';
import { destination, followed, organization, pushDestination, settings } from './settings-fixture.ts';
import { type Located, property, resourcesOf, type Synthesized, synthesize } from './synthesize.ts';

const FASTER = { allowFasterThanRecommended: 'agreed with the provider on 2026-01-02' };

/** A deployment that has every alarm, by its name `signins`. */
export const deployment = await synthesize(
  settings({
    name: 'signins',
    organizations: [
      followed('institution'),
      followed(
        'shared-one',
        { environments: ['test', 'prod'], everyHours: 168, credential: 'shared', stack: 2 },
        { credential: 'shared' },
      ),
      ...PERIODS.map((everyMinutes) => organization(`every-${everyMinutes}`, { everyMinutes, ...FASTER })),
    ],
    destinations: [
      destination('splunk'),
      destination('elastic', { kind: 'elastic' }),
      pushDestination('hec'),
      pushDestination('bulk', 'elastic'),
    ],
    alarms: {
      email: 'security@institution.edu',
      runbookUrl: 'https://git.institution.edu/orglog/runbook.md',
    },
  }),
);

/** Name → alarm. */
export function alarmsOf(synthesized: Synthesized): Map<string, Located> {
  return new Map(
    resourcesOf(synthesized, 'AWS::CloudWatch::Alarm').map((alarm) => [
      String(property(alarm, 'AlarmName')),
      alarm,
    ]),
  );
}

export const alarms = alarmsOf(deployment);

/** By its name without the deployment's. */
export function alarm(name: string): Located {
  const found = alarms.get(`signins/${name}`);
  if (found === undefined) throw new Error(`no alarm ${name}`);
  return found;
}
