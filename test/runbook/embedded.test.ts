import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectKey } from '../../functions/core/keys.ts';
import { orglogHere } from '../cli/in-process.ts';
import { never } from '../contracts/support.ts';
import { printed } from './desk.ts';
import { type EmbeddedSystem, embeddedSystem } from './embedded-system.ts';

const LOGS = { org: 'institution', stream: 'logs' };

// Each test finds a system that is well, and leaves it so.
describe('the runbook on a data folder', () => {
  let system: EmbeddedSystem;
  beforeAll(async () => {
    system = await embeddedSystem();
    system.produce(40);
    await system.well();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const rowOf = async () => {
    const row = await system.deployment.cursors.read(LOGS, never);
    if (row === undefined) throw new Error('it never ran');
    return row;
  };

  test('not-running: nobody started it again', async () => {
    system.later(20);
    const said = await system.desk.run('not-running', 'First');
    system.desk.sees('not-running', said, 1);
    await system.well();
  });

  test('not-running: paused', async () => {
    await orglogHere(['pause', '--org', 'institution', '--yes'], { env: system.env });
    system.produce(10);
    await system.run();
    system.desk.sees('not-running', await system.desk.run('not-running', 'First'), 0);
    await system.desk.run('not-running', 'Paused');
    await system.well();
  });

  test('failing: a wrong orgUrl', async () => {
    expect(await system.run('https://login.institution.edu')).toBeInstanceOf(Error);
    const said = await system.desk.run('failing', 'First');
    system.desk.sees('failing', said);
    await system.well();
  });

  test('gap: a token that the provider forgot', async () => {
    system.later(180);
    system.produce(60, 170);
    const unknown = JSON.stringify({ detail: [{ loc: ['query', 'nextToken'], msg: 'unknown', type: 't' }] });
    const on = ({ query }: { query: Readonly<Record<string, string>> }) => query.nextToken !== undefined;
    system.provider.faults.add({ kind: 'status', status: 422, body: unknown }, { on });
    await system.run();
    system.desk.sees('gap', await system.desk.run('gap', 'First'));
    const back = await system.desk.run('gap', '`stale-token`', { only: 0 });
    expect(printed(back)).toContain('set back: the next run reads on from there');
    await system.run();
    const { gaps } = await rowOf();
    const fill = { FROM: new Date(gaps[0]?.from ?? 0).toISOString() };
    const proof = await system.desk.run('gap', '`stale-token`', { only: 1, fill });
    expect(proof.at(-1)).toMatchObject({ outcome: 0 });
    await system.well();
  });

  test('gap: a lost batch that is read from the provider again', async () => {
    system.produce(10);
    await system.well();
    const row = await rowOf();
    await system.lose(objectKey(row, row.sequence) ?? '');
    const audit = ['verify', '--org', 'institution', '--from', '1d', '--to', 'now'];
    expect(await orglogHere(audit, { env: system.env })).toMatchObject({ outcome: 1 });
    const back = ['rewind', '--org', 'institution', '--to', String(row.sequence), '--yes'];
    expect(await orglogHere(back, { env: system.env })).toMatchObject({ outcome: 0 });
    const before = system.hec.events.length;
    await system.well();
    expect(system.hec.events.length).toBe(before + 10);
  });

  test('credentials-refused: revoked', async () => {
    system.credential.password = 'another';
    expect(await system.run()).toBeInstanceOf(Error);
    const said = await system.desk.run('credentials-refused', 'First');
    expect(printed(said)).toContain('correct ORGLOG_USERNAME and ORGLOG_PASSWORD');
    system.env.ORGLOG_PASSWORD = 'another';
    await system.well();
  });

  test('dead-letters: a full dead-letter queue', async () => {
    system.hec.faults.add({ kind: 'status', status: 401 }, { times: Number.POSITIVE_INFINITY });
    system.produce(10);
    expect(await system.run()).toBeInstanceOf(Error);
    system.later(20);
    await system.bury();
    system.desk.sees('dead-letters', await system.desk.run('dead-letters', 'First'));
    system.hec.faults.clear();
    await system.desk.run('dead-letters', 'When the cause is gone');
    await system.well();
  });

  test('delivery-rejected: a sink that refuses an event', async () => {
    system.produce(10);
    const poison = [...system.provider.lines('https://login.institution.edu/')].at(-3) ?? '';
    const which = ({ event }: { event: unknown }) => event === poison;
    system.hec.faults.add({ kind: 'refuse', code: 12, which }, { times: Number.POSITIVE_INFINITY });
    await system.run();
    const said = await system.desk.run('delivery-rejected', 'First');
    system.desk.sees('delivery-rejected', said);
    system.hec.faults.clear();
    await system.desk.run('delivery-rejected', 'When the cause is gone');
    await system.well();
  });
});
