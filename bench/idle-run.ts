import { startServices } from '../test/aws/services.ts';
import { lambdaContext, openBed } from '../test/handlers/collect-bed.ts';
import type { Row } from './table.ts';

/** What one invocation of the collect function asked of whom. */
export interface Calls {
  /** GETs at the provider. */
  readonly provider: number;
  /** `service.Operation` → requests. */
  readonly aws: Readonly<Record<string, number>>;
}

/** An idle run of a warm container, and one of a cold container, counted at the wire: retries would show. */
export async function countIdleRuns(): Promise<{ warm: Calls; cold: Calls }> {
  await using services = await startServices();
  await using bed = await openBed(services);
  const count = async (collect: ReturnType<typeof bed.container>): Promise<Calls> => {
    await services.wire.reset();
    const before = bed.provider.requests.length;
    const { outcome, events } = await collect({}, lambdaContext());
    if (outcome !== 'caught-up' || events > 0) throw new Error(`not idle: ${outcome}, ${events} events`);
    const counts = Object.entries(await services.wire.counts());
    return {
      provider: bed.provider.requests.length - before,
      aws: Object.fromEntries(
        counts.flatMap(([service, operations]) =>
          Object.entries(operations).map(([operation, times]) => [`${service}.${operation}`, times]),
        ),
      ),
    };
  };
  const telemetry = { observe: () => {}, finish: () => {} };
  const collect = bed.container({ telemetry });
  bed.produce(100);
  await collect({}, lambdaContext());
  return { warm: await count(collect), cold: await count(bed.container({ telemetry })) };
}

/** Idle run: exactly one GET and two DynamoDB writes; a container's first run reads the secret once. */
export async function idleRun(): Promise<Row[]> {
  const { warm, cold } = await countIdleRuns();
  const row = (which: string, { provider, aws }: Calls, wanted: Calls): Row => ({
    benchmark: `idle run, ${which} container`,
    measured: words({ provider, aws }),
    floor: '-',
    ratio: '-',
    target: words(wanted),
    met: words({ provider, aws }) === words(wanted),
  });
  const writes = { 'dynamodb.UpdateItem': 2 };
  return [
    row('warm', warm, { provider: 1, aws: writes }),
    row('cold', cold, { provider: 1, aws: { ...writes, 'secretsmanager.GetSecretValue': 1 } }),
  ];
}

function words({ provider, aws }: Calls): string {
  const calls = Object.entries(aws).sort(([a], [b]) => (a < b ? -1 : 1));
  return [`${provider} GET`, ...calls.map(([name, times]) => `${times} ${name.split('.')[1]}`)].join(' + ');
}
