import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import { widest } from './bed.ts';

/** The faults of a call, which must be a usage fault that printed nothing else. */
async function faultsOf(args: readonly string[], surroundings?: Surroundings): Promise<string[]> {
  const { outcome, stdout, stderr } = await orglogHere(args, surroundings);
  expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
  const lines = stderr.split('\n');
  expect(lines[0]).toMatch(/^orglog [a-z ]+: (one fault|\d+ faults) in what it was given:$/);
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^See `orglog .* --help`\.$/), '']);
  return lines.slice(1, -2).map((line) => line.trim());
}

const COMMANDS = [
  'status',
  'verify',
  'replay',
  'rewind',
  'redrive',
  'pause',
  'resume',
  'rejected list',
  'rejected retry',
];

describe('help', () => {
  test.each(COMMANDS)('of %s fits 80 columns and has what a reader needs', async (command) => {
    const { outcome, stdout, stderr } = await orglogHere([...command.split(' '), '--help']);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stdout).toContain(`Examples:\n  orglog ${command}`);
    expect(stdout).toMatch(/Exit codes: 0 /);
    for (const option of ['--json', '--data-dir', '--stack', '--profile', '--region']) {
      expect(stdout).toContain(option);
    }
  });

  test('of the whole names them, in 80 columns', async () => {
    const { stdout } = await orglogHere(['--help']);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    for (const command of new Set(COMMANDS.map((name) => name.split(' ')[0])))
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });
});

describe('all faults at once', () => {
  test('of which system', async () => {
    const args = ['status', '--data-dir', '.local', '--stack', 'a b', '--region', 'here', '--bogus', 'x'];
    expect(await faultsOf(args)).toEqual([
      '--bogus: there is no such option',
      '--stack "a b": expected the name that the stacks were deployed under',
      expect.stringMatching(/^--region "here": expected the name of a region/),
      '--stack: expected without --data-dir',
      '--region: expected without --data-dir',
    ]);
  });

  test('of status', async () => {
    expect(await faultsOf(['status', '--org', 'a b', '--watch', '0', '--html', 'x', '--days', '91'])).toEqual(
      [
        expect.stringMatching(/^--org "a b": expected the id of an organization/),
        '--watch "0": expected seconds, from 1 to 86400',
        '--days "91": expected a whole number from 1 to 90',
        '--html: expected without --watch',
      ],
    );
    expect(await faultsOf(['status', '--days', '3'])).toEqual(['--days: expected together with --html only']);
  });

  test('of replay', async () => {
    const time = 'expected a time: 2026-01-02, 2026-01-02T03:04:05Z, or how long ago: 90m, 6h, 2d';
    expect(await faultsOf(['replay', '--from', 'then', '--batches', '7-3', '--destination', '-'])).toEqual([
      expect.stringMatching(/^--org: missing; /),
      `--from "then": ${time}`,
      '--batches "7-3": expected numbers of batches, for example 120-180 or 120',
      expect.stringMatching(/^--destination "-": expected the id of a destination/),
      '--from: expected without --batches',
    ]);
    expect(await faultsOf(['replay', '--org', 'a'])).toEqual([
      '--from: missing; expected a time, or --batches',
      '--to: missing; expected a time (now is one), or --batches',
    ]);
    expect(await faultsOf(['replay', '--org', 'a', '--from', 'now', '--to', '1h'])).toEqual([
      '--to "1h": expected a time after --from',
    ]);
  });

  test('of rewind', async () => {
    expect(await faultsOf(['rewind', '--org', 'a', '--to', 'gap:0'])).toEqual([
      expect.stringMatching(/^--to "gap:0": expected a time: .*; or the number of a batch; or gap:1, /),
    ]);
  });

  test('of verify', async () => {
    const args = ['verify', '--org', 'a', '--from', '1d', '--to', 'now'];
    expect(await faultsOf([...args, '--stream', 'identities.prod', '--against-provider'])).toEqual([
      '--against-provider: expected with --stream logs only',
    ]);
    expect(await faultsOf([...args, '--stream', 'x'])).toEqual([
      '--stream "x": expected one of logs, identities.test, identities.prod',
    ]);
  });

  test.each(['replay', 'rewind', 'verify', 'pause', 'resume'])('of %s without anything', async (name) => {
    const faults = await faultsOf([name]);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^--[a-z]+: missing; expected /);
  });

  test('of rejected', async () => {
    expect(await faultsOf(['rejected', 'list', '--with-events', '--event', ''])).toEqual([
      '--event "": expected the identifier of an event, as list shows it',
      '--with-events: expected together with --json only',
    ]);
  });
});

describe('which system', () => {
  test('is the folder of the environment where nothing else is named', async () => {
    await using folder = await temporaryFolder();
    const aws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    // Where nothing listens.
    const env = {
      ...aws,
      ORGLOG_DATA_DIR: folder.path,
      AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1',
    };
    const { outcome, stderr } = await orglogHere(['status'], { env });
    expect(outcome).toBe(3);
    expect(stderr).toContain(`${folder.path} holds no data of orglog`);
    const stack = await orglogHere(['status', '--stack', 'orglog'], { env });
    expect(stack.outcome).toBe(1);
    expect(stack.stderr).toContain('CloudFormation');
  });

  test('is asked for where the folder holds nothing', async () => {
    const { outcome, stdout, stderr } = await orglogHere([
      'pause',
      '--org',
      'a',
      '--data-dir',
      '/nowhere',
      '--yes',
    ]);
    expect({ outcome, stdout }).toEqual({ outcome: 3, stdout: '' });
    expect(stderr).toContain('/nowhere holds no data of orglog');
  });
});
