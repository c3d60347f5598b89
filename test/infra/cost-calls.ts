import type { Services } from '../aws/services.ts';
import { lambdaContext, openBed } from '../handlers/collect-bed.ts';

/** What one run of the collect function asked of whom, counted at the wire, and what it stored. */
export interface CountedRun {
  readonly events: number;
  /** GETs at the provider. */
  readonly pages: number;
  /** `service.Operation` → requests. */
  readonly calls: Readonly<Record<string, number>>;
  readonly storedBytes: number;
}

/**
 * A run of a cold container that finds so many new events, where the organization has a token already; two
 * destinations.
 */
export async function countRun(services: Services, events: number): Promise<CountedRun> {
  await using bed = await openBed(services);
  const telemetry = { observe: () => {}, finish: () => {} };
  bed.produce(10, 50);
  await bed.container({ telemetry })({}, lambdaContext());
  if (events > 0) bed.produce(events, 5);
  await services.wire.reset();
  const before = bed.provider.requests.length;
  const report = await bed.container({ telemetry })({}, lambdaContext());
  const counts = Object.entries(await services.wire.counts());
  return {
    events: report.events,
    pages: bed.provider.requests.length - before,
    calls: Object.fromEntries(
      counts.flatMap(([service, operations]) =>
        Object.entries(operations).map(([operation, times]) => [`${service}.${operation}`, times]),
      ),
    ),
    storedBytes: report.storedBytes,
  };
}
