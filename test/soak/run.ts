/**
 * `npm run soak`: the system for long and at scale. Ends with 1 where memory grows, an organization starves, a lease is
 * lost, an event is lost, or AWS is asked for more than docs/cost.md says.
 *
 *     --events 10000000        through collecting and pushing in one process, whose memory is watched; 0: not
 *     --organizations 1000     a day of their schedules in virtual time; 0: not
 *     --seed 1                 of what befalls the organizations' runs
 */
import { parseArgs } from 'node:util';
import { fleet } from './fleet.ts';
import { flow } from './flow.ts';
import type { Verdict } from './report.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    organizations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const [events, organizations, seed] = [values.events, values.organizations, values.seed].map(Number);

const verdicts: Verdict[] = [];
if (organizations) verdicts.push(await fleet(organizations, seed ?? 1));
if (events) verdicts.push(await flow(events));
for (const { what, faults } of verdicts) for (const fault of faults) console.error(`${what}: ${fault}`);
process.exitCode = verdicts.every(({ faults }) => faults.length === 0) ? 0 : 1;
