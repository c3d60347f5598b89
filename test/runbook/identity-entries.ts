import { expect, test } from 'vitest';
import { replaceSecret } from '../aws/resources.ts';
import { orglogHere } from '../cli/in-process.ts';
import type { OnCall } from './deployed-desk.ts';
import { printed } from './desk.ts';

const DAY_MINUTES = 24 * 60;
const PROD = 'institution/prod';
const SECRET = 'orglog/identities/institution';

/** The entries of identity records. Each test finds the system well, and leaves it so. */
export function identityEntries(get: () => OnCall): void {
  test('identities-stale: paused', async () => {
    const { system, desk, raised, well } = get();
    await orglogHere(['pause', '--org', 'institution', '--yes'], { env: system.env });
    system.later(3 * DAY_MINUTES);
    await system.periods(2);
    expect(raised()).toContain(`${PROD}/identities-stale`);
    const said = await desk.run('identities-stale', 'First');
    desk.sees('identities-stale', said);
    expect(printed(said)).toContain('"outcome":"paused"');
    await desk.run('identities-stale', '`paused`');
    await well(3);
  });

  test('identities-refused: an authority that the credential lost', async () => {
    const { system, desk, raised, well } = get();
    const { attributeAuthorities = [] } = system.credentials.identities.identities.environments?.prod ?? {};
    const held = attributeAuthorities as string[];
    const all = held.splice(0);
    // The stand-in's lists ask for less than deployed ones do.
    const on = ({ path }: { path: string }) => path.includes('/byAttributeCollection/');
    system.provider.faults.add({ kind: 'status', status: 401 }, { on, times: Number.POSITIVE_INFINITY });
    system.later(DAY_MINUTES);
    await system.periods(2);
    expect(raised()).toContain(`${PROD}/identities-refused`);
    desk.sees('identities-refused', await desk.run('identities-refused', 'First'));
    held.push(...all);
    system.provider.faults.clear();
    const said = await desk.run('identities-refused', 'Narrowed');
    expect(printed(said)).toContain('✓ institution: identities of prod may be read');
    await well(5);
  });

  test('identities-refused: a credential that was revoked', async () => {
    const { system, desk, raised, well } = get();
    system.credentials.identities.password = 'another';
    system.later(DAY_MINUTES);
    await system.periods(2);
    expect(raised()).toContain(`${PROD}/identities-refused`);
    const said = await desk.run('identities-refused', 'Expired, revoked or mistyped', {
      credential: ['follower', 'another'],
    });
    expect(printed(said)).toContain('✓ institution: identities of prod may be read');
    await well(5);
  });

  test('identities-failing: a secret that holds no credential', async () => {
    const { system, desk, raised, well } = get();
    await replaceSecret(system.services, SECRET, 'follower another');
    await system.deploy();
    system.later(DAY_MINUTES);
    await system.periods(4);
    expect(raised()).toContain(`${PROD}/identities-failing`);
    const said = await desk.run('identities-failing', 'First');
    desk.sees('identities-failing', said);
    expect(printed(said)).toContain('"code":"configuration"');
    await desk.run('identities-failing', 'A malformed credential', { credential: ['follower', 'another'] });
    await well(5);
  });

  test('identities-not-running: a concurrency of 0', async () => {
    const { system, desk, raised, well } = get();
    system.functions.sync.concurrency = 0;
    await system.periods(3);
    expect(raised()).toEqual([`${PROD}/identities-not-running`]);
    const said = await desk.run('identities-not-running', 'First');
    desk.sees('identities-not-running', said);
    expect(printed(said)).toContain('"ReservedConcurrentExecutions": 0');
    await desk.run('identities-not-running', '`ReservedConcurrentExecutions` is 0');
    await well();
  });
}
