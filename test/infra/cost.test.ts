import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDeliveryTelemetry } from '../../functions/adapters/delivery-telemetry.ts';
import { METRICS_LEVELS, type MetricsLevel } from '../../functions/adapters/run-metrics.ts';
import { createTelemetry } from '../../functions/adapters/telemetry.ts';
import type { CursorRow } from '../../functions/core/ports.ts';
import type { RunReport } from '../../functions/core/run.ts';
import { ASSUMED, busyRun, IDLE_RUN } from '../../infra/cost/counted.ts';
import { COST_FILE, costDocument } from '../../infra/cost/document.ts';
import { DESTINATIONS, organizationMonth, perOrganization, RUNS } from '../../infra/cost/model.ts';
import { onLoopback, startServices } from '../aws/services.ts';
import { countRun } from './cost-calls.ts';
import { loggedBy } from './logged-by.ts';
import { followed, pushDestination, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

/** Of a run at 1 M events a day. */
const EVENTS = Math.ceil((1_000_000 * 730) / 24 / RUNS);
/** Lambda's START, END and REPORT, and the 26 bytes that CloudWatch adds to each of five lines. */
const LAMBDAS_OWN = 420 + 5 * 26;

const IDLE = { level: 'standard', eventsPerDay: 0 } as const;

describe('the cost of an organization', () => {
  it('is under 2 dollars a month all in where nothing happens and monitoring is standard', () => {
    expect(perOrganization(IDLE, 40)).toBeLessThan(2);
    expect(perOrganization(IDLE, 1000)).toBeLessThan(2);
    expect(perOrganization(IDLE, 10, true)).toBeLessThan(2);
  });

  it('is more for watching than for collecting', () => {
    const lines = organizationMonth(IDLE).map(({ item, quantity, price }) => ({
      item,
      cost: quantity * price,
    }));
    const cost = (watching: boolean) =>
      lines
        .filter(({ item }) => /^(Custom metrics|Alarms)$/.test(item) === watching)
        .reduce((sum, one) => sum + one.cost, 0);
    expect(cost(true)).toBeGreaterThan(cost(false));
  });

  it('stands in docs/cost.md as the model has it (else: npm run cost)', () => {
    expect(readFileSync(COST_FILE, 'utf8')).toBe(costDocument());
  });
});

describe.runIf(onLoopback)('what the model counts is what a run does', () => {
  const { pages: idlePages, ...idleCalls } = IDLE_RUN;
  const { pages: busyPages, ...busyCalls } = busyRun(Math.ceil(EVENTS / 1000), DESTINATIONS);
  const made = (calls: object) => Object.fromEntries(Object.entries(calls).filter(([, times]) => times > 0));

  it('idle', async () => {
    await using services = await startServices();
    expect(await countRun(services, 0)).toMatchObject({
      events: 0,
      pages: idlePages,
      calls: made(idleCalls),
    });
  });

  it('at 1 M events a day', async () => {
    await using services = await startServices();
    const run = await countRun(services, EVENTS);
    expect(run).toMatchObject({ events: EVENTS, pages: busyPages, calls: made(busyCalls) });
    expect(run.storedBytes / run.events).toBeLessThan(ASSUMED.storedBytesPerEvent);
  });
});

describe('what the model assumes', () => {
  it("is the function's memory", async () => {
    const pushing = await synthesize(
      settings({ organizations: [followed('institution')], destinations: [pushDestination('hec')] }),
    );
    const memory = resourcesOf(pushing, 'AWS::Lambda::Function').map((one) => property(one, 'MemorySize'));
    expect(memory).toStrictEqual(Array(3).fill(ASSUMED.memoryGb * 1024));
  });

  it.each(METRICS_LEVELS)('is enough for the log lines of a run: %s', (level) => {
    expect(bytesLogged(level) + LAMBDAS_OWN).toBeLessThan(ASSUMED.logBytesPerRun[level]);
  });

  it('is enough for the log lines of a delivery', () => {
    const bytes = loggedBy(() =>
      createDeliveryTelemetry({ destination: 'splunk' }).finish({
        ...{ messages: 1, delivered: EVENTS, rejected: 0, requests: 3, failures: [], runMs: 2345 },
      }),
    );
    expect(bytes + LAMBDAS_OWN).toBeLessThan(ASSUMED.logBytesPerDelivery);
  });

  it('is enough for the row of an organization of 100 days', () => {
    const days = Array.from({ length: 100 }, (_, day): [string, number] => [
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
      1 + day * 288,
    ]);
    const row: CursorRow = {
      ...{ org: 'institution', stream: 'logs', epoch: 'a1b2c3', source: 'f'.repeat(64) },
      ...{ token: '0190d3b8-7c4e-7abc-8def-0123456789ab', sequence: 28_800, gaps: [], rereads: false },
      ...{ announced: { splunk: 28_800, elastic: 28_800 }, caughtUp: true, paused: false },
      ...{ newestEventAt: Date.UTC(2026, 0, 1), lastReadAt: Date.UTC(2026, 0, 1) },
      lease: { owner: crypto.randomUUID(), expiresAt: Date.UTC(2026, 0, 1) },
      days: Object.fromEntries(days),
    };
    // JSON is longer than what DynamoDB counts.
    expect(JSON.stringify(row).length).toBeLessThan(ASSUMED.writeUnitsPerUpdate * 1024);
  });
});

function bytesLogged(level: MetricsLevel): number {
  const report: RunReport = {
    ...{ outcome: 'caught-up', events: EVENTS, bytes: 2_000_000, storedBytes: 200_000, pages: 4, batches: 1 },
    ...{ adopted: 0, repeats: 0, announced: 2, owed: { splunk: 0, elastic: 0 }, gapSeconds: 0, gaps: 0 },
    ...{ drift: 0, throttles: 0, providerErrors: {}, lagSeconds: 123, sequence: 28_800, runMs: 2345 },
  };
  return loggedBy(() => createTelemetry({ org: 'institution', level }).finish(report));
}
