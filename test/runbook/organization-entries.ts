import { expect, test } from 'vitest';
import { objectKey } from '../../functions/core/keys.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { orglogHere } from '../cli/in-process.ts';
import { never } from '../contracts/support.ts';
import { loseObject, MARKER, scheduleOf } from './aws-commands.ts';
import type { OnCall } from './deployed-desk.ts';
import { ORG_URL } from './deployed-system.ts';
import { printed } from './desk.ts';

const LOGS = { org: 'institution', stream: 'logs' };
const REFUSED = 422;

/** The entries of an organization's alarms. Each test finds the system well, and leaves it so. */
export function organizationEntries(get: () => OnCall): void {
  test('not-running, new: no credential was stored yet', async () => {
    const { system, desk, raised, well } = get();
    system.produce(40);
    await system.periods(3);
    expect(raised()).toContain('institution/not-running');
    expect(printed(await desk.run('not-running', 'First'))).toContain('orglog secret set --org institution');
    await desk.run('credentials-refused', 'Expired, revoked or mistyped', {
      credential: ['collector', system.credentials.log.password],
    });
    await desk.run('identities-refused', 'Expired, revoked or mistyped', {
      credential: ['follower', system.credentials.identities.password],
    });
    const sink = JSON.stringify({ token: system.tokens[0]?.token });
    await desk.run('delivery-halted', '401 or 403, or a secret without a value', { edited: sink });
    await well(13);
  });

  test('not-running: paused', async () => {
    const { system, desk, raised, well } = get();
    await orglogHere(['pause', '--org', 'institution', '--yes'], { env: system.env });
    system.produce(10);
    await system.periods(4);
    expect(raised()).toEqual(['institution/not-running']);
    const said = await desk.run('not-running', 'First');
    desk.sees('not-running', said, 0);
    expect(printed(said)).toContain('"outcome":"paused"');
    await desk.run('not-running', 'Paused');
    await well();
  });

  test('not-running: the schedule is stopped', async () => {
    const { system, desk, raised, well } = get();
    const { name } = system.functions.collect;
    system.schedules.set(name, 'DISABLED');
    system.produce(10);
    await system.periods(4);
    expect(raised()).toEqual(['institution/not-running']);
    const all = await desk.run('', '');
    desk.sees('', all);
    desk.sees('not-running', await desk.run('not-running', 'First'), 1);
    const said = await desk.run('not-running', 'No line, and its schedule is stopped', {
      fill: { schedule: scheduleOf(name) },
    });
    expect(printed(said)).toContain('DISABLED');
    await well();
  });

  test('not-running: a concurrency of 0, and an environment that was changed by hand', async () => {
    const { system, desk, raised, well } = get();
    const { collect } = system.functions;
    collect.concurrency = 0;
    await system.periods(3);
    expect(raised()).toEqual(['institution/not-running']);
    const said = await desk.run('not-running', 'No line, and its concurrency is 0');
    expect(printed(said)).toContain('"ReservedConcurrentExecutions": 0');
    collect.deploy({ ORGLOG_LIMIT: 'many' });
    await system.period();
    await desk.run('not-running', 'No line, and neither');
    await well();
  });

  test('failing: a wrong orgUrl', async () => {
    const { system, desk, raised, well } = get();
    system.settings.collect = { ORGLOG_ORG_URL: ORG_URL.replace(/\/$/, '') };
    await system.deploy();
    await system.periods(3);
    expect(raised()).toContain('institution/failing');
    const said = await desk.run('failing', 'First');
    desk.sees('failing', said);
    expect(printed(said)).toContain('"code":"');
    system.settings.collect = {};
    await desk.run('failing', 'Settings');
    await well(12);
  });

  test('lag: a provider that answers slowly', async () => {
    const { system, desk, raised, well } = get();
    system.later(120);
    system.produce(300, 119);
    const { collect } = system.functions;
    collect.deploy({ ORGLOG_LIMIT: '20' });
    collect.remainingMs = 1_000;
    const { faults } = system.provider;
    for (let run = 0; run < 8 && !raised().includes('institution/lag'); run++) {
      // Two pages, and then none until the run's time is up.
      faults.clear();
      faults.add({ kind: 'delay', delayMs: 0 }, { times: 2 });
      faults.add({ kind: 'delay', delayMs: 60_000 });
      await system.period();
    }
    expect(raised()).toContain('institution/lag');
    faults.clear();
    collect.remainingMs = undefined;
    let looks = 0;
    const said = await desk.run('lag', 'First', { onLook: () => ++looks > 0 });
    expect(printed(said)).toContain('"outcome":"time-up"');
    desk.sees('lag', said);
    await system.deploy();
    await well(3);
  });

  test('gap: a token that the provider forgot', async () => {
    const { system, desk, raised, well } = get();
    system.later(180);
    system.produce(60, 170);
    const unknown = JSON.stringify({ detail: [{ loc: ['query', 'nextToken'], msg: 'unknown', type: 't' }] });
    const on = ({ query }: { query: Readonly<Record<string, string>> }) => query.nextToken !== undefined;
    system.provider.faults.add({ kind: 'status', status: REFUSED, body: unknown }, { on });
    await system.period();
    expect(raised()).toContain('institution/gap');
    expect(system.missing()).toBeGreaterThan(10);
    const said = await desk.run('gap', 'First');
    desk.sees('gap', said);
    expect((await desk.run('gap', '`stale-token`', { only: 0 })).at(-1)).toMatchObject({ outcome: 0 });
    await system.period();
    const row = await system.deployment.cursors.read(LOGS, never);
    const fill = {
      FROM: new Date(row?.gaps[0]?.from ?? 0).toISOString().replace('T', ' ').replace(/\.\d+/, ''),
    };
    const proof = await desk.run('gap', '`stale-token`', { only: 1, fill });
    expect(proof.at(-1)).toMatchObject({ outcome: 0 });
    await well();
  });

  test('gap: a batch that was lost before it was announced', async () => {
    const { system, desk, raised, well } = get();
    await system.services.wire.fail('SendMessage', denied('sqs:SendMessage'), 20);
    system.produce(30);
    await system.period();
    const row = await system.deployment.cursors.read(LOGS, never);
    const batch = row?.sequence ?? 0;
    const key = (row && objectKey(row, batch)) ?? '';
    await loseObject(system, key);
    await system.services.wire.reset();
    await system.period();
    expect(raised()).toContain('institution/gap');
    expect(printed(await desk.run('gap', 'First'))).toContain('object-missing');
    const fill = {
      ...{ region: system.services.region, account: '000000000000', key, batch: String(batch) },
      'version of the marker': MARKER,
    };
    const said = await desk.run('gap', '`object-missing`', { fill });
    for (const { outcome } of said) expect(outcome).toBe(0);
    await well(12);
  });

  test('credentials-refused: revoked', async () => {
    const { system, desk, raised, well } = get();
    system.credentials.log.password = 'another';
    system.produce(10);
    await system.periods(3);
    expect(raised()).toContain('institution/credentials-refused');
    desk.sees('credentials-refused', await desk.run('credentials-refused', 'First'));
    const said = await desk.run('credentials-refused', 'Expired, revoked or mistyped', {
      credential: ['collector', 'another'],
    });
    expect(said.at(-1)?.stdout).toContain('✓ institution: the credential is accepted');
    await well(12);
  });

  test('drift: a kind of event that is new', async () => {
    const { system, desk, raised, well } = get();
    const [event] = generateTraffic({
      ...{ orgUrl: ORG_URL, orgDomain: 'institution.edu', count: 1, seed: 99 },
      ...{ fromMs: Date.now() - 1000, toMs: Date.now() },
    });
    system.provider.append(ORG_URL, [{ ...event, logType: 'telepathy' } as never]);
    await system.period();
    expect(raised()).toEqual(['institution/drift']);
    expect(printed(await desk.run('drift', 'First'))).toContain('telepathy');
    desk.sees('drift', await desk.run('gap', 'First'));
    expect((await desk.run('drift', 'No objects')).at(-1)).toMatchObject({ outcome: 0 });
    await well(24);
  });
}

/** As of a policy that was changed. */
export function denied(action: string) {
  const body = JSON.stringify({
    __type: 'com.amazonaws.sqs#AccessDenied',
    message: `not authorized to perform: ${action}`,
  });
  return { kind: 'answer' as const, status: 403, body };
}
