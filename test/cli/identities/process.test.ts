import { once } from 'node:events';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { orglog, startOrglog } from '../orglog.ts';
import { identityBed } from './bed.ts';

const bed = await identityBed({ count: 2000 });
afterAll(() => bed[Symbol.asyncDispose]());

const UID = '4f1c0a2e-92b7-4d5e-8c11-000000000001';

/** A signal that fires once the stand-in has another request. */
function atNextRequest(): AbortSignal {
  const controller = new AbortController();
  const before = bed.provider.requests.length;
  void vi
    .waitFor(() => expect(bed.provider.requests.length).toBeGreaterThan(before), { interval: 5 })
    .then(() => controller.abort());
  return controller.signal;
}

describe('as a process', () => {
  test('prints all of a long list to a pipe', async () => {
    const { outcome, stdout, stderr } = await orglog(['identities', 'list', '--all', '--json'], bed.env);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(2000);
  });

  test('ends quietly where nobody reads any more', async () => {
    await using running = startOrglog(['identities', 'list', '--all', '--json'], bed.env);
    await running.printed(/serviceUid/);
    running.stopReading();
    expect(await running.ended).toMatchObject({ outcome: 0, stderr: '' });
  });

  test('refuses to change anything where it cannot ask', async () => {
    const { outcome, stdout, stderr } = await orglog(['identities', 'modify', UID, '--sn', 'King'], bed.env);
    expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
    expect(stderr).toContain('--yes: missing');
  });

  test('ends with 130 at Ctrl-C', async () => {
    bed.provider.faults.add({ kind: 'delay', delayMs: 60_000 }, { times: 1 });
    const asked = atNextRequest();
    await using running = startOrglog(['identities', 'permissions'], bed.env);
    await once(asked, 'abort');
    running.kill('SIGINT');
    expect(await running.ended).toEqual({
      outcome: 130,
      stdout: '',
      stderr: expect.stringMatching(/^orglog: The request to tell its permissions .* was given up: .*\n$/),
    });
  });
});

describe('trouble', () => {
  test('at Ctrl-C a change that may have happened says so', async () => {
    bed.provider.faults.add({ kind: 'delay', delayMs: 60_000 }, { times: 1 });
    const { outcome, stderr } = await bed.run(['modify', UID, '--sn', 'X', '--yes'], {
      stop: atNextRequest(),
    });
    expect(outcome).toBe(130);
    expect(stderr).toContain(
      'It may all the same have been done: look at what is there before doing it again.',
    );
  });

  test('in the middle of a list keeps what was printed, and ends with 1', async () => {
    const { faults } = bed.provider;
    faults.add({ kind: 'status', status: 401 }, { times: 2, on: ({ query }) => query.page_idx === '3' });
    const { outcome, stdout, stderr } = await bed.run(['list', '--all', '--json']);
    expect(outcome).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(100);
    expect(stderr).toMatch(
      /^orglog: \S+ does not let the credential list the identities of prod \(401: .*\n$/,
    );
  });

  test('of the provider is told in one sentence, and a change is not repeated', async () => {
    bed.provider.faults.add({ kind: 'status', status: 500 }, { times: 1 });
    const before = bed.provider.requests.length;
    const { outcome, stderr } = await bed.run(['modify', UID, '--sn', 'X', '--yes']);
    expect(outcome).toBe(1);
    expect(stderr).toMatch(/^orglog: .*could not be had to modify .*500.*\n$/);
    expect(bed.provider.requests.length - before).toBe(1);
  });
});
