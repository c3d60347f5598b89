import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '../../aws/listen.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { orglog } from '../orglog.ts';
import { identityBed, PASSWORD } from './bed.ts';

const bed = await identityBed({ count: 1 });
afterAll(() => bed[Symbol.asyncDispose]());

/** Secrets Manager with one secret, which notes how it was called. */
const calls: { authorization: string; secretId: string }[] = [];
const service = await listen(
  createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    calls.push({ authorization: request.headers.authorization ?? '', secretId: SecretId });
    const found = SecretId === 'orglog/identities/institution';
    const body = found
      ? { Name: SecretId, SecretString: JSON.stringify({ username: 'writer', password: PASSWORD }) }
      : { __type: 'ResourceNotFoundException', Message: 'no such secret' };
    response.writeHead(found ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  }),
);
afterAll(() => service[Symbol.asyncDispose]());

const aws = {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: service.url,
  AWS_ACCESS_KEY_ID: 'FROMENVIRONMENT',
  AWS_SECRET_ACCESS_KEY: 'aws-secret-of-the-environment',
  AWS_DEFAULT_REGION: 'eu-west-1',
};
const noCredential = { ORGLOG_USERNAME: '', ORGLOG_PASSWORD: '' };

describe('--secret', () => {
  test('takes the credential from Secrets Manager, and nothing from the environment', async () => {
    const { outcome, stdout } = await bed.run(
      ['permissions', '--json', '--secret', 'orglog/identities/institution', '--region', 'eu-central-1'],
      { env: { ...aws, ...noCredential } },
    );
    expect(outcome).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ username: 'writer' });
    expect(calls.at(-1)).toMatchObject({
      secretId: 'orglog/identities/institution',
      authorization: expect.stringMatching(/Credential=FROMENVIRONMENT\/\d+\/eu-central-1\/secretsmanager/),
    });
  });

  test('one that is not there is named, with what to do', async () => {
    const { outcome, stdout, stderr } = await bed.run(['permissions', '--secret', 'orglog/other'], {
      env: { ...aws, ...noCredential },
    });
    expect({ outcome, stdout }).toEqual({ outcome: 1, stdout: '' });
    expect(stderr).toMatch(
      /^orglog: Secrets Manager knows no secret orglog\/other in this account and region/,
    );
    expect(calls.at(-1)?.authorization).toContain('/eu-west-1/');
  });

  test('--profile wins over the keys of the environment, as in the AWS CLI', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'credentials');
    await writeFile(
      file,
      '[operations]\naws_access_key_id = FROMPROFILE\naws_secret_access_key = aws-secret-of-the-profile\n',
    );
    const { outcome, stdout } = await orglog(
      ['identities', 'permissions', '--secret', 'orglog/identities/institution', '--profile', 'operations'],
      {
        ...bed.env,
        ...noCredential,
        ...aws,
        AWS_SHARED_CREDENTIALS_FILE: file,
        AWS_CONFIG_FILE: join(folder.path, 'config'),
      },
    );
    expect(outcome).toBe(0);
    expect(stdout).toContain('username            writer\n');
    expect(calls.at(-1)?.authorization).toContain('Credential=FROMPROFILE/');
  });
});

describe('no secret is shown', () => {
  const hidden = [PASSWORD, Buffer.from(`writer:${PASSWORD}`).toString('base64'), 'aws-secret'];

  test.each([
    ['where all is well', ['permissions']],
    ['where the credential is refused', ['permissions'], { ORGLOG_USERNAME: 'nobody' }],
    ['where nobody answers', ['permissions', '--base-url', 'http://127.0.0.1:1'], {}],
    ['where it stands behind an unknown option', ['list', '--password', PASSWORD]],
    ['where it stands in the address', ['list', '--base-url', `https://writer:${PASSWORD}@x.org`]],
  ])('%s', async (_what, args, env = {}) => {
    const stop = AbortSignal.timeout(500);
    const { stdout, stderr } = await bed.run(args, { env, stop });
    expect((stdout + stderr).length).toBeGreaterThan(10);
    for (const secret of hidden) expect(stdout + stderr).not.toContain(secret);
  });

  test('where the provider says it back', async () => {
    const body = JSON.stringify({ detail: `you are writer:${PASSWORD}` });
    bed.provider.faults.add({ kind: 'status', status: 400, body }, { times: 1 });
    const { outcome, stderr } = await bed.run(['permissions']);
    expect(outcome).toBe(1);
    expect(stderr).toContain('you are writer:');
    for (const secret of hidden) expect(stderr).not.toContain(secret);
  });
});
