import { describe, expect, it } from 'vitest';
import { allows, type Request, type Statement, statementsOf } from './iam.ts';
import { ACCOUNT, REGION } from './intrinsics.ts';
import { destination, organization, pushDestination, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

/** Ids that begin with each other, share words and differ by one character: where a loose pattern would show. */
const ORGS = ['inst', 'inst-abcdef', 'inst-a', 'institution', 'other', 'xinst'];
const DESTINATIONS = ['elastic', 'elastic-2', 'hec', 'hec-2', 'splunk'];
const PUSHED = ['hec', 'hec-2'];

/** Statements on `*`, each with the reason why nothing narrower can be named. */
const ON_EVERYTHING: Readonly<Record<string, string>> = {
  AccountDecidesByIam: "in a key's own policy, * means that key",
  AlarmsReachTheEncryptedTopic: "in a key's own policy, * means that key",
};

/** Statements on every key of the account and region, each with the condition that names one. */
const ON_EVERY_KEY: Readonly<Record<string, string>> = {
  UseTheKeyThroughServices: 'the ARN is known to another stack only; kms:ResourceAliases names the key',
};

const here = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
const BUCKET = `orglog-archive-${ACCOUNT}-${REGION}`;

describe('least privilege', async () => {
  const deployment = await synthesize(
    settings({
      organizations: [
        ...ORGS.map((id, index) => organization(id, { stack: 1 + (index % 2) })),
        organization('sharing-1', { credential: 'inst' }),
        organization('sharing-2', { credential: 'inst', stack: 2 }),
      ],
      destinations: [
        destination('splunk', { consumer: { principal: '111122223333', externalId: 'external-id' } }),
        destination('elastic', { kind: 'elastic' }),
        destination('elastic-2', {
          kind: 'elastic',
          consumer: { principal: 'arn:aws:iam::111122223333:role/agent', externalId: 'another-id' },
        }),
        pushDestination('hec'),
        pushDestination('hec-2', 'elastic'),
      ],
    }),
  );
  const statements = statementsOf(deployment);
  const allowed = statements.filter(({ effect }) => effect === 'Allow');

  const withinRole = (id: string) => statements.filter(({ where }) => where.startsWith(`${id}/Policies`));
  const collectors = new Map(
    resourcesOf(deployment, 'AWS::Lambda::Function')
      .filter(({ stack }) => stack !== 'orglog-foundation')
      .map((located): [string, Statement[]] => {
        const role = /role\/(.+)$/.exec(String(property(located, 'Role')))?.[1] ?? '';
        return [String(property(located, 'Environment', 'Variables', 'ORGLOG_ORG')), withinRole(role)];
      }),
  );
  const policiesOf = (org: string): Statement[] => collectors.get(org) ?? [];

  it('sees every statement there is', () => {
    expect([...collectors.keys()].sort()).toStrictEqual([...ORGS, 'sharing-1', 'sharing-2'].sort());
    for (const org of collectors.keys()) expect(policiesOf(org)).toHaveLength(7);
    expect(new Set(statements.map(({ type }) => type))).toStrictEqual(
      new Set([
        'AWS::IAM::ManagedPolicy',
        'AWS::IAM::Role',
        'AWS::KMS::Key',
        'AWS::S3::BucketPolicy',
        'AWS::SNS::TopicPolicy',
        'AWS::SQS::QueuePolicy',
      ]),
    );
  });

  it('allows no action by a wildcard', () => {
    const wide = allowed.filter(
      ({ actions }) => actions.length === 0 || actions.some((action) => /[*?]/.test(action)),
    );
    expect(wide).toStrictEqual([]);
  });

  it('allows nothing on everything but for a recorded reason', () => {
    const wide = allowed.filter(({ resources }) => resources.some((resource) => /^[*?]+$/.test(resource)));
    expect(wide.filter(({ sid, type }) => type !== 'AWS::KMS::Key' || !(sid in ON_EVERYTHING))).toStrictEqual(
      [],
    );
    expect(new Set(wide.map(({ sid }) => sid))).toStrictEqual(new Set(Object.keys(ON_EVERYTHING)));
  });

  it('has wildcards in no resource but in these places', () => {
    const wild = allowed.flatMap(({ resources, sid }) =>
      resources.filter((resource) => /.[*?]|[*?]./.test(resource)).map((resource) => ({ resource, sid })),
    );
    const forms = wild.map(({ resource }) =>
      resource.replaceAll(
        new RegExp(
          `(?<=[=/-])(${[...ORGS, 'sharing-[12]'].sort((a, b) => b.length - a.length).join('|')})(?=[-/[])`,
          'g',
        ),
        '<org>',
      ),
    );
    expect([...new Set(forms)].sort()).toStrictEqual(
      [
        `arn:aws:s3:::${BUCKET}/identities/*`,
        `arn:aws:s3:::${BUCKET}/logs/*`,
        `arn:aws:s3:::${BUCKET}/logs/org=<org>/*`,
        ...PUSHED.flatMap((id) => [
          `arn:aws:s3:::${BUCKET}/rejected/${id}/*`,
          here('logs', `log-group:/orglog/deliver-${id}:log-stream:*/orglog-deliver-${id}[*`),
          here('secretsmanager', `secret:orglog/sinks/${id}-??????`),
        ]),
        here('kms', 'key/*'),
        here('logs', 'log-group:/orglog/collectors-1:log-stream:*/orglog-collect-<org>[*'),
        here('logs', 'log-group:/orglog/collectors-2:log-stream:*/orglog-collect-<org>[*'),
        here('secretsmanager', 'secret:orglog/logs/<org>-??????'),
        here('secretsmanager', 'secret:orglog/shared/<org>-??????'),
      ].sort(),
    );
    const keys = wild.filter(({ resource }) => resource.endsWith(':key/*'));
    expect(new Set(keys.map(({ sid }) => sid))).toStrictEqual(new Set(Object.keys(ON_EVERY_KEY)));
  });

  /** What a collector does, on the things of `org`. */
  function requests(org: string): Request[] {
    const key = `logs/org=${org}/dt=2026-01-02/k3v9q-000000000001.ndjson.gz`;
    const secret = org.startsWith('sharing-') ? 'shared/inst' : `logs/${org}`;
    const row = { 'dynamodb:LeadingKeys': [org] };
    const table = here('dynamodb', 'table/orglog-cursors');
    return [
      {
        action: 'secretsmanager:GetSecretValue',
        resource: here('secretsmanager', `secret:orglog/${secret}-AbCdEf`),
      },
      { action: 'dynamodb:GetItem', resource: table, context: row },
      { action: 'dynamodb:UpdateItem', resource: table, context: row },
      { action: 's3:PutObject', resource: `arn:aws:s3:::${BUCKET}/${key}` },
      { action: 's3:GetObject', resource: `arn:aws:s3:::${BUCKET}/${key}` },
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}`, context: { 's3:prefix': [key] } },
      ...[1, 2].map((stack) => ({
        action: 'logs:PutLogEvents',
        resource: here(
          'logs',
          `log-group:/orglog/collectors-${stack}:log-stream:2026/01/02/orglog-collect-${org}[$LATEST]0f`,
        ),
      })),
    ];
  }

  it('lets each collector do its work', () => {
    for (const [org, policies] of collectors) {
      const refused = requests(org).filter((request) => !allows(policies, request));
      // Its lines are in the group of one of the two stacks.
      expect(refused.map(({ action }) => action)).toStrictEqual(['logs:PutLogEvents']);
      const key = here('kms', 'key/1234');
      const context = {
        'kms:ResourceAliases': ['alias/orglog'],
        'kms:ViaService': [`s3.${REGION}.amazonaws.com`],
      };
      expect(allows(policies, { action: 'kms:GenerateDataKey', resource: key, context })).toBe(true);
      for (const id of DESTINATIONS) {
        expect(allows(policies, { action: 'sqs:SendMessage', resource: here('sqs', `orglog-${id}`) })).toBe(
          true,
        );
      }
    }
  });

  it("keeps one organization's collector from another's secret, prefix, row and lines", () => {
    const trespasses = [...collectors].flatMap(([org, policies]) =>
      [...collectors.keys()]
        .filter((other) => other !== org && !(org.startsWith('sharing-') && other.startsWith('sharing-')))
        .flatMap(requests)
        .filter((request) => allows(policies, request)),
    );
    expect(trespasses).toStrictEqual([]);
  });

  it('lets organizations that share a credential share its secret and nothing else', () => {
    const [, ...others] = requests('sharing-2');
    expect(allows(policiesOf('sharing-1'), requests('sharing-2')[0] as Request)).toBe(true);
    expect(others.filter((request) => allows(policiesOf('sharing-1'), request))).toStrictEqual([]);
    // An organization of the same name as the shared credential has a secret of its own.
    expect(allows(policiesOf('inst'), requests('sharing-2')[0] as Request)).toBe(false);
  });

  it('lets a collector neither list, remove, read rows of none, nor use another key or the key itself', () => {
    const key = here('kms', 'key/1234');
    const via = { 'kms:ViaService': [`s3.${REGION}.amazonaws.com`] };
    const forbidden: Request[] = [
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}` },
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}`, context: { 's3:prefix': ['logs/'] } },
      { action: 's3:DeleteObject', resource: `arn:aws:s3:::${BUCKET}/logs/org=inst/a` },
      { action: 'dynamodb:GetItem', resource: here('dynamodb', 'table/orglog-cursors') },
      { action: 'dynamodb:Scan', resource: here('dynamodb', 'table/orglog-cursors') },
      {
        action: 'dynamodb:UpdateItem',
        resource: here('dynamodb', 'table/orglog-ledger'),
        context: { 'dynamodb:LeadingKeys': ['inst'] },
      },
      { action: 'sqs:ReceiveMessage', resource: here('sqs', 'orglog-splunk') },
      { action: 'sqs:SendMessage', resource: here('sqs', 'orglog-splunk-dead') },
      { action: 'kms:Decrypt', resource: key, context: { ...via, 'kms:ResourceAliases': ['alias/payroll'] } },
      { action: 'kms:Decrypt', resource: key, context: { 'kms:ResourceAliases': ['alias/orglog'] } },
    ];
    expect(forbidden.filter((request) => allows(policiesOf('inst'), request))).toStrictEqual([]);
  });

  it('lets a schedule invoke the functions of its stack only, and only for this account', () => {
    for (const stack of ['orglog-collectors-1', 'orglog-collectors-2']) {
      const invoking = statements.filter(
        (one) => one.stack === stack && one.actions.includes('lambda:InvokeFunction'),
      );
      const functions = resourcesOf(deployment, 'AWS::Lambda::Function').filter((one) => one.stack === stack);
      expect(invoking).toHaveLength(1);
      const named = functions.map((located) =>
        here('lambda', `function:${property(located, 'FunctionName')}`),
      );
      expect([...(invoking[0]?.resources ?? [])].sort()).toStrictEqual(named.sort());
    }
    const trust = statements.filter(({ principals }) => principals.includes('scheduler.amazonaws.com'));
    expect(trust).toHaveLength(2);
    for (const { conditions } of trust) {
      expect(conditions).toStrictEqual({
        StringEquals: {
          'aws:SourceAccount': [ACCOUNT],
          'aws:SourceArn': [here('scheduler', 'schedule-group/default')],
        },
      });
    }
  });

  it('lets a consumer read its queue and the archive, and nothing else', () => {
    for (const id of ['elastic', 'elastic-2', 'splunk']) {
      const policies = statements.filter(
        ({ type, resources }) =>
          type === 'AWS::IAM::ManagedPolicy' && resources.includes(here('sqs', `orglog-${id}`)),
      );
      const [queue] = policies;
      const whole = statements.filter(({ where }) => where === queue?.where);
      expect(whole).toHaveLength(4);
      const asked = (action: string, resource: string) => allows(whole, { action, resource });
      for (const action of [
        'ReceiveMessage',
        'DeleteMessage',
        'ChangeMessageVisibility',
        'GetQueueAttributes',
        'GetQueueUrl',
      ]) {
        expect(asked(`sqs:${action}`, here('sqs', `orglog-${id}`))).toBe(true);
      }
      expect(asked('s3:GetObject', `arn:aws:s3:::${BUCKET}/logs/org=inst/dt=2026-01-02/a.ndjson.gz`)).toBe(
        true,
      );
      expect(asked('s3:ListBucket', `arn:aws:s3:::${BUCKET}`)).toBe(true);
      expect(asked('s3:PutObject', `arn:aws:s3:::${BUCKET}/logs/org=inst/a`)).toBe(false);
      expect(asked('s3:GetObject', `arn:aws:s3:::${BUCKET}/rejected/a`)).toBe(false);
      expect(asked('sqs:SendMessage', here('sqs', `orglog-${id}`))).toBe(false);
      const others = [...DESTINATIONS, `${id}-dead`].filter((other) => other !== id);
      expect(
        others.filter((other) => asked('sqs:ReceiveMessage', here('sqs', `orglog-${other}`))),
      ).toStrictEqual([]);
      const keys = whole.filter(({ actions }) => actions.some((action) => action.startsWith('kms:')));
      expect(keys.map(({ actions }) => actions)).toStrictEqual([['kms:Decrypt']]);
    }
  });

  it("lets only the consumer's principal take a role, and only with the external id", () => {
    const trusting = statements.filter(({ principals }) =>
      principals.some((principal) => principal.includes('111122223333')),
    );
    expect(
      trusting.map(({ principals, actions, conditions }) => ({ principals, actions, conditions })),
    ).toStrictEqual([
      {
        principals: ['arn:aws:iam::111122223333:root'],
        actions: ['sts:AssumeRole'],
        conditions: { StringEquals: { 'sts:ExternalId': ['external-id'] } },
      },
      {
        principals: ['arn:aws:iam::111122223333:role/agent'],
        actions: ['sts:AssumeRole'],
        conditions: { StringEquals: { 'sts:ExternalId': ['another-id'] } },
      },
    ]);
  });

  it('opens nothing to everyone', () => {
    expect(
      allowed.filter(({ principals }) => principals.some((principal) => principal.includes('*'))),
    ).toStrictEqual([]);
  });
});
