import { busyRun, IDLE_RUN, type RunCalls } from '../../infra/cost/counted.ts';
import { createRandom, mixSeeds } from '../../local/provider/random.ts';
import { MemoryCursorStore } from '../memory/memory-cursor-store.ts';
import type { Call } from './metered-ports.ts';
import { DESTINATIONS, type How, Organization, PAGE_EVENTS } from './organization.ts';
import { printRows, type Verdict } from './report.ts';
import { VirtualTime } from './virtual-time.ts';

const PERIOD_MS = 300_000;
const PERIODS = 288;
const NOON = Date.UTC(2026, 0, 2, 12);
/** Runs that the machine has at work at once. */
const WORKERS = 8;
/** Every tenth is busy, as one with a million events a day is; every tenth, idle or busy, is troubled. */
const BUSY_SHARE = 10;
const TROUBLED_SHARE = 10;
const PAGES_OF_A_BUSY_RUN = 4;
/** What befalls the runs of those that are troubled. */
const TWIN_CHANCE = 0.1;
/** After the first one: while that is at work, or has just read. */
const LATEST_TWIN_MS = 2000;
const DEATH_CHANCE = 0.05;
/** A run's start may be late by this: it waits for others of its machine. */
const LATEST_START_MS = 30_000;
/** By how much the calls may differ from the table, where nothing goes wrong. */
const TOLERANCE = 0.01;

interface Member {
  readonly organization: Organization;
  readonly isBusy: boolean;
  readonly isTroubled: boolean;
  /** Of the last run that read to the end; virtual epoch ms. */
  readAt: number;
  longestMs: number;
}

/**
 * A day of schedules of so many organizations on one machine, in virtual time, with calls that take time: runs of the
 * troubled ones are started twice, die at any call, and meet a provider that fails.
 */
export async function fleet(count: number, seed: number): Promise<Verdict> {
  const startedAt = performance.now();
  const time = new VirtualTime(NOON);
  const cursors = new MemoryCursorStore();
  const random = createRandom(mixSeeds(seed, 2));
  const members: Member[] = Array.from({ length: count }, (_, index) => {
    const isTroubled = Math.floor(index / BUSY_SHARE) % TROUBLED_SHARE === 0;
    const id = `org-${String(index + 1).padStart(4, '0')}`;
    const organization = new Organization({ id, time, cursors, seed: mixSeeds(seed, index), isTroubled });
    return { organization, isBusy: index % BUSY_SHARE === 0, isTroubled, readAt: NOON, longestMs: 0 };
  });
  const ended = new Map<How, number>();
  let [latestStartMs, busy, missed] = [0, 0, 0];

  const waiting: (() => Promise<void>)[] = [];
  const work = async () => {
    busy++;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    busy--;
  };
  const queue = (run: () => Promise<void>) => {
    waiting.push(run);
    if (busy < WORKERS) void work();
  };
  const runOf = (member: Member, mayDie: boolean) => {
    const dueAt = time.now();
    return async () => {
      latestStartMs = Math.max(latestStartMs, time.now() - dueAt);
      const { how } = await member.organization.run(mayDie);
      ended.set(how, (ended.get(how) ?? 0) + 1);
      if (how === 'caught-up') {
        member.longestMs = Math.max(member.longestMs, time.now() - member.readAt);
        member.readAt = time.now();
      } else if (!member.isTroubled) missed++;
    };
  };
  const period = (member: Member, isCalm: boolean) => {
    const { organization, isBusy, isTroubled } = member;
    if (isBusy) organization.happen(PAGES_OF_A_BUSY_RUN * PAGE_EVENTS - 5);
    queue(runOf(member, isTroubled && !isCalm && random.chance(DEATH_CHANCE)));
    if (isTroubled && !isCalm && random.chance(TWIN_CHANCE)) {
      time.at(time.now() + random.whole(0, LATEST_TWIN_MS), () => queue(runOf(member, false)));
    }
  };

  members.forEach((member, index) => {
    // Spread over the period by a stable offset, as schedules are.
    const offset = Math.floor((index * PERIOD_MS) / count);
    for (let n = 0; n <= PERIODS; n++) {
      time.at(NOON + n * PERIOD_MS + offset, () => {
        // The first run of all is not an ordinary one: it takes in what was there.
        if (n === 1) member.organization.calls.clear();
        period(member, n === PERIODS);
      });
    }
    // Whatever befell the last ones: two more that nothing befalls, after any lease is over.
    for (const after of [PERIODS + 1, PERIODS + 2]) {
      if (member.isTroubled) time.at(NOON + after * PERIOD_MS + offset, () => queue(runOf(member, false)));
    }
  });
  await time.run();

  const untroubled = members.filter(({ isTroubled }) => !isTroubled);
  const longestMs = Math.max(...untroubled.map((member) => member.longestMs));
  const longestTroubledMs = Math.max(...members.map((member) => member.longestMs));
  const conflicts = members.reduce((sum, { organization }) => sum + organization.conflicts, 0);
  const faults = members.flatMap(({ organization }) => organization.faults);
  if (missed > 0) faults.push(`${missed} runs that nothing befell did not read to the end`);
  if (latestStartMs > LATEST_START_MS) faults.push(`a run waited ${latestStartMs} ms for its start`);
  if (longestMs > PERIOD_MS + LATEST_START_MS)
    faults.push(`an organization was not read for ${longestMs} ms`);
  console.log(
    `${count} organizations, ${PERIODS} periods, ${WORKERS} runs at once: ${[...ended].map(([how, n]) => `${n} ${how}`).join(', ')}; ` +
      `${Math.round((performance.now() - startedAt) / 1000)} s\n` +
      `latest start ${latestStartMs} ms, longest time between reads ${longestMs / 1000} s (${longestTroubledMs / 1000} s where runs die), two at once with one lease: ${conflicts}`,
  );
  faults.push(
    ...compare(
      'idle',
      untroubled.filter(({ isBusy }) => !isBusy),
      IDLE_RUN,
    ),
  );
  const busyModel = busyRun(PAGES_OF_A_BUSY_RUN, DESTINATIONS.length);
  faults.push(
    ...compare(
      '1 M events a day',
      untroubled.filter(({ isBusy }) => isBusy),
      busyModel,
    ),
  );
  return { what: 'fleet', faults };
}

/** Calls for each organization and day, beside those that docs/cost.md is made of. */
function compare(what: string, members: readonly Member[], model: RunCalls): string[] {
  const expected: Readonly<Record<Call, number>> = {
    'provider GET': model.pages,
    'DynamoDB UpdateItem': model['dynamodb.UpdateItem'],
    'DynamoDB GetItem': 0,
    'S3 PutObject': model['s3.PutObject'],
    'S3 HeadObject': 0,
    'S3 GetObject': 0,
    'SQS SendMessage': model['sqs.SendMessage'],
  };
  const faults: string[] = [];
  const rows = Object.entries(expected).map(([call, times]) => {
    const sum = members.reduce(
      (all, { organization }) => all + (organization.calls.get(call as Call) ?? 0),
      0,
    );
    const counted = sum / members.length;
    const modelled = times * PERIODS;
    if (Math.abs(counted - modelled) > modelled * TOLERANCE) {
      faults.push(`${what}: ${counted} × ${call} a day, and ${modelled} in docs/cost.md`);
    }
    return [call, counted.toFixed(2), modelled, modelled === 0 ? '' : (counted / modelled).toFixed(4)];
  });
  console.log(`calls for each organization and day, ${what} (${members.length} organizations)`);
  printRows(['call', 'counted', 'docs/cost.md', 'ratio'], rows);
  return faults;
}
