import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../../adapters/aws-suite.ts';
import { onLoopback } from '../../aws/services.ts';
import type { Surroundings } from '../in-process.ts';
import { typist } from '../typist.ts';
import {
  COLLEGE,
  type DeployedBed,
  deployedBed,
  IDENTITIES,
  INSTITUTION,
  PASSWORD,
  SHARED,
} from './deployed-bed.ts';

const services = await awsSuite();

/** Text without what differs from run to run. */
function steady(text: string, { provider }: DeployedBed): string {
  return text
    .replaceAll(provider.url, 'https://api.institution.edu')
    .replaceAll(/changed \d{4}-\d\d-\d\d/g, 'changed 2026-01-02');
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

// In this order: each test finds what the ones before it left.
describe.runIf(onLoopback)('a deployment in AWS', () => {
  let bed: DeployedBed;
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  beforeAll(async () => {
    bed = opened.use(await deployedBed(services));
    await bed.allow({});
  });

  const check = async (args: readonly string[] = [], surroundings: Surroundings = {}) => {
    const ended = await bed.run(['check', ...args], surroundings);
    return { ...ended, stdout: steady(ended.stdout, bed) };
  };
  const setSecret = (args: readonly string[], surroundings: Surroundings = {}) =>
    bed.run(['secret', 'set', ...args], surroundings);
  const stored = async (name: string) => {
    const command = new GetSecretValueCommand({ SecretId: name });
    const { SecretString } = await services.clients.secretsManager
      .send(command)
      .catch(() => ({ SecretString: undefined }));
    return SecretString === undefined ? undefined : JSON.parse(SecretString);
  };
  const typed = (name: string, password: string, rest: readonly (readonly [string, string])[] = []) =>
    typist([['User name: ', `${name}\r`], ['Password (not shown): ', `${password}\r`], ...rest]);

  describe('orglog check', () => {
    test('of one without credentials says what to do, in 80 columns', async () => {
      const { outcome, stdout, stderr } = await check([], { columns: 80, env: { NO_COLOR: '1' } });
      expect(outcome).toBe(1);
      expect(widest(stdout)).toBeLessThanOrEqual(80);
      expect(stdout).toMatchSnapshot();
      expect(stderr.endsWith('orglog: 3 of 13 checks failed\n')).toBe(true);
    });
  });

  describe('orglog secret set', () => {
    const terminal = { columns: 80, pipedOut: true, env: { NO_COLOR: '1' } };

    test('refuses what the provider refuses, and stores nothing', async () => {
      const keys = typed('collector', 'wrong');
      const { outcome, stdout, stderr } = await setSecret(['--org', 'institution'], { ...terminal, ...keys });
      expect({ outcome, stdout }).toEqual({ outcome: 1, stdout: '' });
      expect(steady(stderr, bed)).toMatchSnapshot();
      expect(await stored(SHARED)).toBeUndefined();
    });

    test('refuses what only one of those that share it can use', async () => {
      const keys = typed('half', PASSWORD);
      const { outcome, stderr } = await setSecret(['--org', 'institution'], { ...terminal, ...keys });
      expect(outcome).toBe(1);
      expect(stderr).toContain('✓ the log of institution');
      expect(stderr).toContain('✗ the log of college');
      expect(await stored(SHARED)).toBeUndefined();
    });

    test('shows whom it affects and what may be read, asks, and stores', async () => {
      const no = typed('collector', PASSWORD, [['Go on? [y/N] ', 'n\n']]);
      const refused = await setSecret(['--org', 'college'], { ...terminal, ...no });
      expect(refused.outcome).toBe(1);
      expect(await stored(SHARED)).toBeUndefined();
      // Slips of the finger are mended, and moves of the cursor are no part of a name.
      const keys = typed('colx\x7flecto\x1b[Drs\b', PASSWORD, [['Go on? [y/N] ', 'y\n']]);
      const { outcome, stdout, stderr } = await setSecret(['--org', 'college'], { ...terminal, ...keys });
      expect({ outcome, stdout }).toEqual({ outcome: 0, stdout: '' });
      expect(steady(stderr, bed)).toMatchSnapshot();
      expect(stderr + refused.stderr).not.toContain(PASSWORD);
      expect(keys.shown).toEqual(['y\n']);
      expect(await stored(SHARED)).toEqual({ username: 'collector', password: PASSWORD });
    });

    test('takes it from a pipe, for the identity records too', async () => {
      const args = ['--org', 'institution', '--identities', '--stdin', '--yes', '--json'];
      const { outcome, stdout } = await setSecret(args, { input: `follower\n${PASSWORD}\n` });
      expect(outcome).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        ...{ secret: IDENTITIES, username: 'follower', stored: true },
        trials: [
          {
            ...{ user: 'the identities of institution (prod)', verdict: 'ok' },
            said: 'identities of prod may be read, with 1 authority',
          },
        ],
      });
      expect(stdout).not.toContain(PASSWORD);
      expect(await stored(IDENTITIES)).toEqual({ username: 'follower', password: PASSWORD });
    });

    test('stores what does not work where it must', async () => {
      const args = ['--org', 'institution', '--identities', '--username', 'half', '--stdin', '--yes'];
      const without = await setSecret(args, { input: PASSWORD });
      expect(without.outcome).toBe(1);
      expect(without.stderr).toContain('may not read the identities of prod');
      expect(await stored(IDENTITIES)).toMatchObject({ username: 'follower' });
      expect(await setSecret([...args, '--force'], { input: PASSWORD })).toMatchObject({ outcome: 0 });
      expect(await stored(IDENTITIES)).toMatchObject({ username: 'half' });
      await setSecret(['--org', 'institution', '--identities', '--stdin', '--yes'], {
        input: `follower\n${PASSWORD}`,
      });
    });

    test('stores nothing that could not be tried', async () => {
      bed.provider.faults.add({ kind: 'status', status: 503 }, { times: 2 });
      const args = ['--org', 'college', '--stdin', '--yes'];
      const { outcome, stderr } = await setSecret(args, { input: `other\n${PASSWORD}` });
      expect(outcome).toBe(1);
      expect(stderr).toMatch(
        /This credential could not be tried:\n.*\(503 .*try again\n[\s\S]*nothing was stored/,
      );
      expect(await stored(SHARED)).toMatchObject({ username: 'collector' });
    });

    test('ends at Ctrl-C with nothing changed', async () => {
      const keys = typist([
        ['User name: ', 'other\r'],
        ['Password (not shown): ', 'half of it\x03'],
      ]);
      const { outcome, stderr } = await setSecret(['--org', 'college'], { ...terminal, ...keys });
      expect(outcome).toBe(130);
      expect(stderr).not.toContain('half of it');
      expect(await stored(SHARED)).toMatchObject({ username: 'collector' });
    });

    test.each([
      ['no terminal and no --stdin', ['--org', 'college'], '', 2, /--stdin: missing/],
      ['no --yes', ['--org', 'college', '--stdin'], `collector\n${PASSWORD}`, 2, /--yes: missing/],
      [
        'a broken line',
        ['--org', 'college', '--stdin', '--yes'],
        'a\nb\nc\n',
        2,
        /password: .*control character/,
      ],
      ['no password', ['--org', 'college', '--stdin', '--yes'], 'a\n', 2, /password: empty/],
      [
        'no organization of that name',
        ['--org', 'x', '--stdin', '--yes'],
        'a\nb',
        3,
        /it has institution, college/,
      ],
      [
        'no identities',
        ['--org', 'college', '--identities', '--stdin'],
        'a\nb',
        2,
        /no identity records of college/,
      ],
    ])('tells of %s', async (_what, args, input, outcome, message) => {
      const ended = await setSecret(args, { input });
      expect({ outcome: ended.outcome, stdout: ended.stdout }).toEqual({ outcome, stdout: '' });
      expect(ended.stderr).toMatch(message);
    });
  });

  describe('orglog check', () => {
    test('of one that works finds nothing, also for programs', async () => {
      const { outcome, stdout, stderr } = await check();
      expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
      expect(stdout).toMatchSnapshot();
      const json = await check(['--json', '--org', 'institution']);
      expect(json.outcome).toBe(0);
      const { ok, checks } = JSON.parse(json.stdout);
      expect(ok).toBe(true);
      expect(checks).toContainEqual({
        ...{ subject: 'institution', check: 'orgUrl', verdict: 'ok' },
        said: `orgUrl "${INSTITUTION}" may be read`,
      });
      expect(json.stdout).not.toContain(PASSWORD);
      expect(json.stdout).not.toContain(COLLEGE);
    });

    test('finds a consumer that may not read, or says that it cannot tell', async () => {
      await bed.allow({ except: ['s3'] });
      const denied = await check();
      expect(denied.outcome).toBe(1);
      expect(denied.stdout).toMatch(
        /✗ splunk: orglog-consumer-splunk may not s3:GetObject on arn:aws:s3:::.*attach the/,
      );
      await bed.allow({ mayNotBeSimulated: true });
      const unknown = await check();
      expect(unknown.outcome).toBe(0);
      expect(unknown.stdout).toMatch(/· splunk: whether orglog-consumer-splunk may read was not checked/);
      const named = await check(['--consumer', 'elastic=arn:aws:iam::111122223333:role/siem']);
      expect(named.stdout).toMatch(/✗ elastic: there is no arn:aws:iam::111122223333:role\/siem/);
    });

    test('asks for the key as well, where it can tell which one it is', async () => {
      await bed.allow({ except: ['kms'] });
      const key = 'arn:aws:kms:us-east-1:000000000000:key/one';
      const rule = `<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>${key}</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule>`;
      const bodies = ['ListBucketResult', 'ServerSideEncryptionConfiguration'].map(
        (name) => `<${name}>${name.startsWith('S') ? rule : ''}</${name}>`,
      );
      for (const body of bodies)
        await services.wire.fail('GET bucket', { kind: 'answer', status: 200, body });
      const { stdout } = await check();
      expect(stdout).toContain(`✗ splunk: orglog-consumer-splunk may not kms:Decrypt on ${key}: `);
      await bed.allow({});
    });

    test.each([
      ['the archive', 'GET bucket', /✗ archive: S3 denied s3:ListBucket/],
      ['the cursors', 'Scan', /✗ cursors: DynamoDB denied dynamodb:Scan/],
      ['a queue', 'GetQueueAttributes', /✗ splunk: SQS denied sqs:GetQueueAttributes/],
      ['a function', 'GetFunctionConfiguration', /✗ system: Lambda denied/],
    ])('names %s that may not be read', async (_what, operation, message) => {
      const fault = { kind: 'status', status: 403 } as const;
      await services.wire.fail(operation, fault, 1);
      const { outcome, stdout } = await check();
      expect(outcome).toBe(1);
      expect(stdout).toMatch(message);
    });

    test('tells of a credential that was revoked, and of a wrong stack', async () => {
      bed.provider.faults.add(
        { kind: 'status', status: 401 },
        { times: 1, on: ({ query }) => query.limit === '1' },
      );
      const { stdout } = await check(['--org', 'college']);
      expect(stdout).toMatch(
        /✗ college: the provider refuses the credential .*secret set --org college`; one that was/,
      );
      const none = await check(['--stack', 'other']);
      expect(none.outcome).toBe(1);
      expect(none.stdout).toMatch(/^✗ system: This account has no stack other-foundation/);
    });
  });
});
