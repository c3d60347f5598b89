import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { createSyncTelemetry } from '../../functions/adapters/sync-telemetry.ts';
import { ASSUMED, IDLE_TICK, walk } from '../../infra/cost/counted.ts';
import { identityMonth } from '../../infra/cost/identities.ts';
import { total } from '../../infra/cost/model.ts';
import { onLoopback, startServices } from '../aws/services.ts';
import { lambdaContext, ORG_URL } from '../handlers/collect-bed.ts';
import { AUTHORITY, openSyncBed } from '../handlers/sync-bed.ts';
import { loggedBy } from './logged-by.ts';

const RECORDS = 600;
/** Lambda's START, END and REPORT, and the 26 bytes that CloudWatch adds to each of five lines. */
const LAMBDAS_OWN = 420 + 5 * 26;

describe('the cost of identity records', () => {
  it('is that of watching them, in small populations', () => {
    expect(total(identityMonth(1000))).toBeLessThan(2);
    expect(total(identityMonth(100_000))).toBeLessThan(4);
  });

  it('is counted with lines as long as they are', () => {
    const bytes = loggedBy(() =>
      createSyncTelemetry({ org: 'institution', environment: 'prod' }).finish({
        ...{ outcome: 'not-due', pages: 0, identities: 0, events: 0, byAction: {}, bytes: 0, storedBytes: 0 },
        ...{ batches: 0, adopted: 0, announced: 0, owed: { splunk: 0, elastic: 0 }, unconfirmed: 0 },
        ...{ walk: 365, snapshotAgeSeconds: 86_399, runMs: 123 },
      }),
    );
    expect(bytes + LAMBDAS_OWN).toBeLessThan(ASSUMED.logBytesPerTick);
  });
});

describe.runIf(onLoopback)('what the model counts is what a walk does', () => {
  it('by a walk, its changes, and a tick between', async () => {
    await using services = await startServices();
    // Redacted values weigh more than the names that they stand for.
    await using bed = await openSyncBed(services, ['mail', 'givenName', 'sn']);
    const { identities } = bed.provider;
    const telemetry = { observe: () => {}, finish: () => {} };
    const run = async (everyMs: number) => {
      const sync = bed.container({ telemetry, settings: { everyMs } });
      await services.wire.reset();
      const before = bed.provider.requests.length;
      const report = await sync({}, lambdaContext());
      const counts = Object.entries(await services.wire.counts());
      const calls = counts.flatMap(([service, operations]) =>
        Object.entries(operations).map(([operation, times]) => [`${service}.${operation}`, times]),
      );
      return { report, pages: bed.provider.requests.length - before, calls: Object.fromEntries(calls) };
    };
    identities.seed(ORG_URL, { environment: 'prod', count: RECORDS, seed: 1 });
    expect((await run(0)).report).toMatchObject({ outcome: 'complete', identities: RECORDS });

    const secrets = { 'secretsmanager.GetSecretValue': 2 };
    identities.seed(ORG_URL, { environment: 'prod', count: 1, seed: 2 });
    const second = await run(0);
    const listed = [...identities.all(ORG_URL, 'prod')].flatMap(({ attributeCollections }) => [
      'record',
      ...(attributeCollections?.some((one) => one.attributeCollectionAuthority === AUTHORITY)
        ? ['more']
        : []),
    ]);
    const { pages, ...calls } = walk(RECORDS, listed.length, 1);
    expect(second.report).toMatchObject({ outcome: 'complete', batches: 1 });
    expect(second.calls).toEqual({ ...calls, ...secrets });
    // Each of two lists is asked how long it is, and has a page that is not full.
    expect(second.pages - pages).toBeOneOf([0, 1, 2, 3, 4]);

    const idle = await run(86_400_000);
    expect(idle).toMatchObject({ report: { outcome: 'not-due' }, pages: 0 });
    expect(idle.calls).toEqual({ ...IDLE_TICK, 'secretsmanager.GetSecretValue': 1 });

    const list = new ListObjectsV2Command({ Bucket: bed.bucket, Prefix: 'walks/' });
    const { Contents = [] } = await services.clients.s3.send(list);
    const bytes = Contents.reduce((sum, { Size = 0 }) => sum + Size, 0);
    expect(bytes / (2 * RECORDS)).toBeLessThan(ASSUMED.walkBytesPerRecord);
  });
});
