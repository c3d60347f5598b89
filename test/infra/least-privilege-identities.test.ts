import { describe, expect, it } from 'vitest';
import { allows, type Request, type Statement, statementsOf } from './iam.ts';
import { ACCOUNT, REGION } from './intrinsics.ts';
import { destination, followed, organization, pushDestination, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

/** Ids that begin with each other and share words: where a loose pattern would show. */
const ORGS = ['inst', 'inst-prod', 'prod', 'xinst'];
const ENVIRONMENTS = ['test', 'prod'];
const DESTINATIONS = ['elastic', 'hec', 'splunk'];

const here = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
const BUCKET = `orglog-archive-${ACCOUNT}-${REGION}`;

describe('least privilege of what follows identity records', async () => {
  const deployment = await synthesize(
    settings({
      organizations: [
        ...ORGS.map((id, index) =>
          followed(id, { environments: ENVIRONMENTS, redact: ['mail'], stack: 1 + (index % 2) }),
        ),
        // What a shared credential is called is no organization's.
        followed('sharing', { environments: ['prod'], credential: 'inst' }),
        organization('unfollowed', { credential: 'inst' }),
      ],
      destinations: [
        destination('splunk'),
        destination('elastic', { kind: 'elastic' }),
        pushDestination('hec'),
      ],
    }),
  );
  const statements = statementsOf(deployment).filter(({ stack }) => stack.startsWith('orglog-identities-'));

  /** `org/environment` → what its function may do. */
  const syncs = new Map(
    resourcesOf(deployment, 'AWS::Lambda::Function')
      .filter(({ stack }) => stack.startsWith('orglog-identities-'))
      .map((located): [string, Statement[]] => {
        const role = /role\/(.+)$/.exec(String(property(located, 'Role')))?.[1] ?? '';
        const variable = (name: string) => String(property(located, 'Environment', 'Variables', name));
        const own = statements.filter(
          ({ where, stack }) => stack === located.stack && where.startsWith(`${role}/Policies`),
        );
        return [`${variable('ORGLOG_ORG')}/${variable('ORGLOG_ENVIRONMENT')}`, own];
      }),
  );
  const policiesOf = (sync: string): Statement[] => syncs.get(sync) ?? [];

  /** What one does on its own things: those that the environments of an organization share, and those of one only. */
  function requests(sync: string): { shared: Request[]; own: Request[] } {
    const [org, environment] = sync.split('/');
    const row = { 'dynamodb:LeadingKeys': [org ?? ''] };
    const table = here('dynamodb', 'table/orglog-cursors');
    const secret = org === 'sharing' ? 'shared/inst' : `identities/${org}`;
    const keys = [
      `identities/org=${org}/env=${environment}/dt=2026-01-02/k3v9q1-000000000001.ndjson.gz`,
      `walks/org=${org}/env=${environment}/k3v9q1-000001/plan.json`,
      `walks/org=${org}/env=${environment}/k3v9q1-000001/part-00-0001.ndjson.gz`,
    ];
    return {
      shared: [
        { action: 'dynamodb:GetItem', resource: table, context: row },
        { action: 'dynamodb:UpdateItem', resource: table, context: row },
        ...[secret, ...(org === 'sharing' ? [] : [`pseudonyms/${org}`])].map((name) => ({
          action: 'secretsmanager:GetSecretValue',
          resource: here('secretsmanager', `secret:orglog/${name}-AbCdEf`),
        })),
      ],
      own: [
        ...keys.flatMap((key): Request[] => [
          { action: 's3:PutObject', resource: `arn:aws:s3:::${BUCKET}/${key}` },
          { action: 's3:GetObject', resource: `arn:aws:s3:::${BUCKET}/${key}` },
          { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}`, context: { 's3:prefix': [key] } },
        ]),
        ...[1, 2].map((stack) => ({
          action: 'logs:PutLogEvents',
          resource: here(
            'logs',
            `log-group:/orglog/identities-${stack}:log-stream:2026/01/02/orglog-sync-${environment}-${org}[$LATEST]0f`,
          ),
        })),
      ],
    };
  }

  it('lets each do its work', () => {
    expect([...syncs.keys()].sort()).toStrictEqual(
      [...ORGS.flatMap((org) => ENVIRONMENTS.map((one) => `${org}/${one}`)), 'sharing/prod'].sort(),
    );
    for (const [sync, policies] of syncs) {
      expect(policies).toHaveLength(7);
      const { shared, own } = requests(sync);
      const refused = [...shared, ...own].filter((request) => !allows(policies, request));
      // Its lines are in the group of one of the two stacks.
      expect(refused.map(({ action }) => action)).toStrictEqual(['logs:PutLogEvents']);
      const context = {
        'kms:ResourceAliases': ['alias/orglog'],
        'kms:ViaService': [`s3.${REGION}.amazonaws.com`],
      };
      const generate = { action: 'kms:GenerateDataKey', resource: here('kms', 'key/1234'), context };
      expect(allows(policies, generate)).toBe(true);
      for (const id of DESTINATIONS) {
        const send = { action: 'sqs:SendMessage', resource: here('sqs', `orglog-${id}`) };
        expect(allows(policies, send)).toBe(true);
      }
    }
  });

  it('keeps each from what is of another organization, and from the objects of the other environment', () => {
    const trespasses = [...syncs].flatMap(([sync, policies]) =>
      [...syncs.keys()]
        .filter((other) => other !== sync)
        .flatMap((other) => {
          const { shared, own } = requests(other);
          const sameOrganization = other.split('/')[0] === sync.split('/')[0];
          return sameOrganization ? own : [...shared, ...own];
        })
        .filter((request) => allows(policies, request)),
    );
    expect(trespasses).toStrictEqual([]);
  });

  it('keeps it from the log, from what was refused, and from all else', () => {
    const object = (key: string) => `arn:aws:s3:::${BUCKET}/${key}`;
    const forbidden: Request[] = [
      { action: 's3:GetObject', resource: object('logs/org=inst/dt=2026-01-02/a.ndjson.gz') },
      { action: 's3:GetObject', resource: object('rejected/hec/identities/org=inst/env=prod/a') },
      { action: 's3:DeleteObject', resource: object('walks/org=inst/env=prod/a') },
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}`, context: { 's3:prefix': ['walks/'] } },
      {
        action: 'secretsmanager:GetSecretValue',
        resource: here('secretsmanager', 'secret:orglog/logs/inst-AbCdEf'),
      },
      {
        action: 'secretsmanager:PutSecretValue',
        resource: here('secretsmanager', 'secret:orglog/pseudonyms/inst-AbCdEf'),
      },
      {
        action: 'dynamodb:UpdateItem',
        resource: here('dynamodb', 'table/orglog-ledger'),
        context: { 'dynamodb:LeadingKeys': ['inst'] },
      },
      { action: 'dynamodb:GetItem', resource: here('dynamodb', 'table/orglog-cursors') },
      { action: 'sqs:ReceiveMessage', resource: here('sqs', 'orglog-splunk') },
    ];
    expect(forbidden.filter((request) => allows(policiesOf('inst/prod'), request))).toStrictEqual([]);
  });

  it('leaves a collector what it had: identity records are not its business', () => {
    const collectors = statementsOf(deployment).filter(({ stack }) => stack.startsWith('orglog-collectors-'));
    const resources = collectors.flatMap((one) => one.resources);
    expect(resources.length).toBeGreaterThan(10);
    expect(resources.filter((one) => /identities|walks|pseudonyms/.test(one))).toStrictEqual([]);
  });

  it('allows no action by a wildcard, and has wildcards in no resource but in these places', () => {
    const allowed = statements.filter(({ effect }) => effect === 'Allow');
    expect(allowed.flatMap(({ actions }) => actions).filter((action) => /[*?]/.test(action))).toStrictEqual(
      [],
    );
    const wild = allowed.flatMap(({ resources }) => resources).filter((resource) => /[*?]/.test(resource));
    const org = [...ORGS, 'sharing'].sort((a, b) => b.length - a.length).join('|');
    const forms = wild.map((resource) =>
      resource
        .replace(new RegExp(`org=(${org})/env=(test|prod)/`), 'org=<org>/env=<env>/')
        .replace(new RegExp(`sync-(test|prod)-(${org})\\[`), 'sync-<env>-<org>[')
        .replace(new RegExp(`(identities|pseudonyms)/(${org})-\\?`), '$1/<org>-?'),
    );
    expect([...new Set(forms)].sort()).toStrictEqual(
      [
        `arn:aws:s3:::${BUCKET}/identities/org=<org>/env=<env>/*`,
        `arn:aws:s3:::${BUCKET}/walks/org=<org>/env=<env>/*`,
        here('kms', 'key/*'),
        here('logs', 'log-group:/orglog/identities-1:log-stream:*/orglog-sync-<env>-<org>[*'),
        here('logs', 'log-group:/orglog/identities-2:log-stream:*/orglog-sync-<env>-<org>[*'),
        here('secretsmanager', 'secret:orglog/identities/<org>-??????'),
        here('secretsmanager', 'secret:orglog/pseudonyms/<org>-??????'),
        here('secretsmanager', 'secret:orglog/shared/inst-??????'),
      ].sort(),
    );
  });

  it('lets a schedule invoke the functions of its stack only', () => {
    for (const stack of ['orglog-identities-1', 'orglog-identities-2']) {
      const invoking = statements.filter(
        (one) => one.stack === stack && one.actions.includes('lambda:InvokeFunction'),
      );
      const functions = resourcesOf(deployment, 'AWS::Lambda::Function').filter((one) => one.stack === stack);
      const named = functions.map((one) => here('lambda', `function:${property(one, 'FunctionName')}`));
      expect(invoking.map(({ resources }) => [...resources].sort())).toStrictEqual([named.sort()]);
    }
  });
});
