import { expect, test } from 'vitest';
import { MAPPING } from './aws-commands.ts';
import type { OnCall } from './deployed-desk.ts';
import { printed } from './desk.ts';
import { denied } from './organization-entries.ts';

const ALWAYS = { times: Number.POSITIVE_INFINITY };

/** The entries of a destination's alarms. Each test finds the system well, and leaves it so. */
export function destinationEntries(get: () => OnCall): void {
  test.each([
    ['a mapping that is disabled', 0],
    ['a concurrency of 0', 1],
  ])('queue-age: %s', async (_what, only) => {
    const { system, desk, raised, well } = get();
    const { deliver } = system.functions;
    if (only === 0) system.mapping = 'Disabled';
    else deliver.concurrency = 0;
    system.produce(10);
    await system.period();
    system.later(60);
    await system.periods(3);
    expect(raised()).toContain('splunk/queue-age');
    desk.sees('queue-age', await desk.run('queue-age', 'First'));
    const said = await desk.run('queue-age', '`IN FLIGHT` is 0, and orglog pushes', {
      ...{ only, fill: { mapping: MAPPING } },
    });
    expect(printed(said)).toMatch(/Disabled|"ReservedConcurrentExecutions": 0/);
    await well(3);
  });

  test('dead-letters: a full dead-letter queue', async () => {
    const { system, desk, raised, well } = get();
    system.mapping = 'Disabled';
    system.produce(10);
    await system.period();
    await system.bury();
    system.mapping = 'Enabled';
    await system.period();
    expect(raised()).toEqual(['splunk/dead-letters']);
    desk.sees('dead-letters', await desk.run('dead-letters', 'First'));
    expect(system.missing()).toBe(10);
    await desk.run('dead-letters', 'When the cause is gone');
    await well();
  });

  test('not-queued: a queue that refuses, and batches that are owed', async () => {
    const { system, desk, raised, well } = get();
    await system.services.wire.fail('SendMessage', denied('sqs:SendMessage'), 50);
    for (let batch = 0; batch < 2; batch++) {
      system.produce(10);
      await system.period();
    }
    expect(raised()).toEqual(['elastic/not-queued', 'splunk/not-queued']);
    const said = await desk.run('not-queued', 'First');
    desk.sees('not-queued', said);
    expect(printed(said)).toContain('sqs:SendMessage');
    await desk.run('not-queued', 'The queue was removed, or its policy changed by hand');
    await well();
  });

  test('delivery-rejected: a sink that refuses an event', async () => {
    const { system, desk, raised, well } = get();
    system.produce(10);
    const poison = [...system.provider.lines('https://login.institution.edu/')].at(-3) ?? '';
    const which = ({ event }: { event: unknown }) => event === poison;
    system.hec.faults.add({ kind: 'refuse', code: 12, which }, ALWAYS);
    await system.period();
    expect(raised()).toEqual(['splunk/delivery-rejected']);
    expect(system.missing()).toBe(1);
    const said = await desk.run('delivery-rejected', 'First');
    desk.sees('delivery-rejected', said);
    expect(JSON.parse(said[1]?.stdout ?? '')).toMatchObject({ event: poison, eventId: expect.any(String) });
    system.hec.faults.clear();
    await desk.run('delivery-rejected', 'When the cause is gone');
    await well();
  });

  test('delivery-halted: a token that was disabled', async () => {
    const { system, desk, raised, well } = get();
    const token = '0e3d9c43-6f0e-4a3e-8d7c-5a7f2b1c9d10';
    system.tokens.splice(0, 1, { token, indexes: ['identity'] });
    system.produce(10);
    await system.period();
    expect(raised()).toEqual(['splunk/delivery-halted']);
    const said = await desk.run('delivery-halted', 'First');
    desk.sees('delivery-halted', said);
    expect(printed(said)).toContain('"kind":"configuration"');
    const edited = JSON.stringify({ token });
    await desk.run('delivery-halted', '401 or 403, or a secret without a value', { edited });
    await well();
  });

  test('delivery-delayed: a sink that is busy', async () => {
    const { system, desk, raised, well } = get();
    system.hec.faults.add({ kind: 'status', status: 503 }, ALWAYS);
    system.produce(10);
    await system.periods(2);
    expect(raised()).toEqual(['splunk/delivery-delayed']);
    const said = await desk.run('delivery-delayed', 'First');
    desk.sees('delivery-delayed', said);
    expect(printed(said)).toContain('503');
    system.hec.faults.clear();
    await system.period();
    let looks = 0;
    await desk.run('delivery-delayed', '`kind` is `time-up` or `contended`', { onLook: () => ++looks > 0 });
    await well();
  });

  test('delivery-failing: an environment that was changed by hand', async () => {
    const { system, desk, raised, well } = get();
    system.functions.deliver.deploy({ ORGLOG_SINK_URL: 'splunk' });
    system.produce(10);
    await system.periods(3);
    expect(raised()).toContain('splunk/delivery-failing');
    const said = await desk.run('delivery-failing', 'First');
    desk.sees('delivery-failing', said);
    expect(printed(said)).toContain("the function's environment has");
    await desk.run('delivery-failing', "`the function's environment has …`");
    await well(12);
  });
}
