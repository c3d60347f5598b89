import { expect } from 'vitest';
import { orglogHere } from '../cli/in-process.ts';
import { aws } from './aws-commands.ts';
import type { DeployedSystem } from './deployed-system.ts';
import { Desk } from './desk.ts';

/** The deployed system with the person at it. */
export interface OnCall {
  readonly system: DeployedSystem;
  readonly desk: Desk;
  /** Names of the alarms that are raised. */
  raised(): string[];
  /** Expects that nothing is raised (after so many periods), that status and check find nothing, and that all arrived. */
  well(periods?: number): Promise<void>;
}

export function onCall(system: DeployedSystem): OnCall {
  const desk = new Desk({
    env: system.env,
    fill: { region: system.services.region, account: '000000000000' },
    aws: (words, files) => aws(words, system, files),
    deploy: () => system.deploy(),
  });
  return {
    ...{ system, desk },
    raised: () => system.alarms.raised,
    async well(periods = 1) {
      await system.periods(periods);
      expect(system.alarms.raised).toEqual([]);
      const { stdout } = await orglogHere(['status', '--json'], { env: system.env });
      const { streams, destinations } = JSON.parse(stdout);
      for (const { health } of [...streams, ...destinations]) expect(health).toMatchObject({ verdict: 'ok' });
      expect(await orglogHere(['check'], { env: system.env })).toMatchObject({ outcome: 0 });
      expect(system.missing()).toBe(0);
    },
  };
}
