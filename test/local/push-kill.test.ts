import { expect, test } from 'vitest';
import { orglog, startOrglog } from '../cli/orglog.ts';
import { inOrder, type PushBed, pushBed, withoutRepeats } from './push-bed.ts';

const EVENTS = 1200;
/** One page a batch, one batch a request. */
const PAGE = 100;
/** Requests to one sink that are under way at once (push.ts). */
const CONCURRENCY = 2;

/** A moment in the life of the request at which the process is killed. */
type Moment = [what: string, sink: 'splunk' | 'elastic', takesEffect: boolean, requestsBefore: number];

const MOMENTS: Moment[] = [
  ['Splunk has a request, but its answer is not there', 'splunk', true, 3],
  ['Splunk has not got a request', 'splunk', false, 4],
  ['Elasticsearch has a request, but its answer is not there', 'elastic', true, 5],
];

/** Starts, and kills as soon as the fault has befallen a request. */
async function killAt(bed: PushBed, args: readonly string[], [, name, takesEffect, before]: Moment) {
  const { faults, requests } = bed[name];
  // Those of the rounds before pass.
  if (before > 0) faults.add({ kind: 'delay', delayMs: 0 }, { times: before });
  faults.add({ kind: 'hang', takesEffect });
  await using running = startOrglog(args, bed.env);
  await expect
    .poll(() => requests.some(({ fault }) => fault === 'hang'), { interval: 5, timeout: 10_000 })
    .toBe(true);
  running.kill('SIGKILL');
  expect((await running.ended).outcome).toBe('SIGKILL');
}

test.each(MOMENTS)(
  'kill -9 while %s: nothing is lost, and repeats are only what is uncertain',
  async (...moment) => {
    await using bed = await pushBed();
    const args = [...bed.args, '--once', '--events', `${EVENTS}`, '--limit', `${PAGE}`, '--batch-bytes', '1'];
    await killAt(bed, args, moment);
    expect(await orglog(args, bed.env)).toMatchObject({ outcome: 0, stderr: '' });

    const log = await bed.log();
    expect(log).toHaveLength(EVENTS);
    const elastic = withoutRepeats(bed.inElastic());
    expect(elastic.repeats).toBe(0);
    expect(inOrder(elastic.once)).toEqual(log);
    const splunk = withoutRepeats(bed.inSplunk());
    expect(inOrder(splunk.once)).toEqual(log);
    const [, name, takesEffect] = moment;
    const certain = name === 'splunk' && takesEffect ? PAGE : 0;
    expect(splunk.repeats).toBeGreaterThanOrEqual(certain);
    expect(splunk.repeats).toBeLessThanOrEqual(CONCURRENCY * PAGE);
    expect(new Map(splunk.once)).toEqual(new Map(elastic.once));
  },
);
