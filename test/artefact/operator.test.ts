import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAwsDeployment } from '../../functions/adapters/operator/deployment.ts';
import type { Deployment } from '../../functions/core/operate/ports.ts';
import { awsSuite, rejection } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import { never } from '../contracts/support.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { findFunction, only, referringTo, scheduledEvent, startFunction } from './functions.ts';
import { deployInstitution, type Institution } from './institution.ts';
import { operatorEnvironment } from './operator.ts';

const services = await awsSuite();
const PASSWORD = 'correct horse';

describe.runIf(onLoopback)('a deployment as the operator finds it', () => {
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  let institution: Institution;
  let env: Record<string, string>;
  let deployment: Deployment;

  beforeAll(async () => {
    institution = opened.use(await deployInstitution(services));
    env = await operatorEnvironment(institution.deployment);
    deployment = opened.use(await openAwsDeployment({ env }, never));
  });

  it('says what is deployed', async () => {
    expect(deployment.title).toBe(`stack orglog in ${services.region}`);
    expect(deployment.organizations).toStrictEqual([
      {
        ...{ id: 'institution', baseUrl: institution.provider.url, orgUrl: 'https://login.institution.edu/' },
        ...{ filters: {}, everyMs: 300_000, limit: 1000, onStaleToken: 'continue' },
        ...{ secret: 'orglog/logs/institution', identities: [] },
      },
    ]);
    expect(deployment.destinations).toStrictEqual([
      { id: 'splunk', kind: 'splunk', delivery: 'pull' },
      { id: 'elastic', kind: 'elastic', delivery: 'pull' },
    ]);
    expect(() => deployment.queue('sentinel')).toThrow(/no destination sentinel: it has splunk, elastic/);
  });

  it('stores the credential that the function reads, and sees what the function did', async () => {
    const [organization] = deployment.organizations;
    if (organization === undefined) throw new Error('no organization');
    const { secrets, cursors, archive, ledger } = deployment;
    expect(await secrets.describe(organization.secret, never)).toStrictEqual({ kind: 'empty' });
    await secrets.store(organization.secret, { username: 'collector', password: PASSWORD }, never);
    institution.accept(PASSWORD);
    institution.produce(40, 50);

    const { deployment: made } = institution;
    const collect = findFunction(made, { handler: 'collect.handler' });
    const schedule = only(referringTo(made, collect, 'AWS::Scheduler::Schedule', 'Target'));
    await using container = await startFunction(made, collect);
    const { outcome } = await container.invoke(await scheduledEvent(made, schedule));
    expect(outcome).toMatchObject({ body: { outcome: 'caught-up', events: 40 } });

    expect(await cursors.list(never)).toMatchObject([{ org: 'institution', stream: 'logs', sequence: 1 }]);
    const keys: string[] = [];
    for await (const page of archive.list('logs/', {}, never)) keys.push(...page.map(({ key }) => key));
    expect(keys).toStrictEqual(await institution.archived());
    for (const { id } of deployment.destinations) {
      expect(await deployment.queue(id).standing(never)).toStrictEqual({ visible: 1, inFlight: 0, dead: 0 });
      await ledger.reset({ destination: id, key: keys[0] ?? '' }, never);
    }

    // And the provider, with the stored credential and with another.
    const request = { limit: 10, freshCredential: false };
    await using source = deployment.source(organization);
    expect(await source.readPage(request, never)).toMatchObject({ kind: 'body' });
    expect(await source.permittedOrgUrls(never)).toStrictEqual([organization.orgUrl]);
    await using other = deployment.source(organization, { username: 'collector', password: 'wrong' });
    expect(await other.readPage(request, never)).toMatchObject({ kind: 'status', status: 401 });
  });

  it('asks nothing of the account but to describe what has its name', async () => {
    await services.wire.reset();
    await using again = await openAwsDeployment({ env, stack: 'orglog' }, never);
    expect(again.organizations).toHaveLength(1);
    expect(await services.wire.counts()).toStrictEqual({
      cloudformation: { DescribeStacks: 2 },
      lambda: { GetFunctionConfiguration: 1 },
    });
  });

  it('takes region and credentials as the AWS CLI does: flags, environment, profile', async () => {
    await using folder = await temporaryFolder();
    const credentials = join(folder.path, 'credentials');
    const config = join(folder.path, 'config');
    await writeFile(credentials, '[audit]\naws_access_key_id = audit\naws_secret_access_key = audit\n');
    await writeFile(config, '[profile audit]\nregion = eu-central-1\n');
    const files = { AWS_SHARED_CREDENTIALS_FILE: credentials, AWS_CONFIG_FILE: config };
    const before = { ...process.env };
    Object.assign(process.env, files);
    try {
      const { AWS_REGION: _, ...withoutRegion } = env;
      const titleOf = async (options: Parameters<typeof openAwsDeployment>[0]) => {
        await using found = await openAwsDeployment(options, never);
        return found.title;
      };
      const audit = { profile: 'audit', env: withoutRegion };
      expect(await titleOf(audit)).toBe('stack orglog in eu-central-1');
      expect(await titleOf({ ...audit, region: 'eu-west-1' })).toBe('stack orglog in eu-west-1');
      expect(await titleOf({ ...audit, env: { ...withoutRegion, AWS_DEFAULT_REGION: 'us-west-2' } })).toBe(
        'stack orglog in us-west-2',
      );
      const nobody = await rejection(openAwsDeployment({ env, profile: 'nobody' }, never));
      expect(nobody.code).toBe('configuration');
      expect(nobody.message).toMatch(/No AWS credentials were found for the profile nobody: log in/);
      const nowhere = await rejection(openAwsDeployment({ env: withoutRegion }, never));
      expect(nowhere).toMatchObject({ code: 'configuration', message: expect.stringMatching(/--region/) });
    } finally {
      for (const name of Object.keys(files)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it.each([
    [
      'a stack that is not there',
      { stack: 'nowhere' },
      'not-found',
      /no stack nowhere-foundation in .*--stack/,
    ],
    ['one without its collectors', { stack: 'half' }, 'not-found', /no stack half-collectors-7 in/],
    [
      'one of an earlier version',
      { stack: 'early' },
      'configuration',
      /early-foundation .*deploy this version/,
    ],
    [
      'one without its function',
      { stack: 'gone' },
      'configuration',
      /Lambda knows no function gone-collect-a/,
    ],
    ['one with another function', { stack: 'odd' }, 'configuration', /odd-collect-a is not what.*ORGLOG_ORG/],
  ])('tells of %s', async (_what, options, code, message) => {
    const foundation = (stacks: string) => ({
      ...{ ArchiveBucket: 'bucket', CursorTable: 'cursors', LedgerTable: 'ledger' },
      CollectorStacks: stacks,
    });
    const collectors = (name: string) => ({
      Organization1: JSON.stringify({
        id: 'a',
        function: `${name}-collect-a`,
        everyMinutes: 5,
        identities: [],
      }),
    });
    await services.describe({
      stacks: {
        'half-foundation': foundation('[7]'),
        'early-foundation': {
          SplunkQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/early-splunk',
        },
        ...{ 'gone-foundation': foundation('[1]'), 'gone-collectors-1': collectors('gone') },
        ...{ 'odd-foundation': foundation('[1]'), 'odd-collectors-1': collectors('odd') },
      },
      functions: { 'odd-collect-a': { OTHER: 'variable' } },
    });
    const error = await rejection(openAwsDeployment({ env, ...options }, never));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});
