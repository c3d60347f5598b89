import { describe, expect, it } from 'vitest';
import { allows, type Request, type Statement, statementsOf } from './iam.ts';
import { ACCOUNT, REGION } from './intrinsics.ts';
import { destination, organization, pushDestination, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

/** Ids that begin with each other and differ by one character: where a loose pattern would show. */
const PUSHED = ['hec', 'hec-2', 'hec-abcdef', 'xhec'];

const here = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
const BUCKET = `orglog-archive-${ACCOUNT}-${REGION}`;
const OBJECT = 'logs/org=institution/dt=2026-01-02/k3v9q-000000000001.ndjson.gz';
const IDENTITIES = 'identities/org=institution/env=prod/dt=2026-01-02/k3v9q-000000000001.ndjson.gz';
/** What the identity sync keeps for itself. */
const SNAPSHOT = 'walks/org=institution/env=prod/k3v9q-000001/snapshot-0.ndjson.gz';

describe('least privilege of delivery', async () => {
  const deployment = await synthesize(
    settings({
      organizations: [organization('institution')],
      destinations: [
        destination('splunk'),
        ...PUSHED.map((id, index) => pushDestination(id, index % 2 === 0 ? 'splunk' : 'elastic')),
      ],
    }),
  );
  const statements = statementsOf(deployment);
  const roles = new Map(
    resourcesOf(deployment, 'AWS::Lambda::Function')
      .filter(({ stack }) => stack === 'orglog-foundation')
      .map((located): [string, Statement[]] => {
        const role = /role\/(.+)$/.exec(String(property(located, 'Role')))?.[1] ?? '';
        const own = statements.filter(({ where }) => where.startsWith(`${role}/Policies`));
        return [String(property(located, 'Environment', 'Variables', 'ORGLOG_DESTINATION')), own];
      }),
  );

  /** What is this destination's alone. */
  function own(id: string): Request[] {
    const queue = here('sqs', `orglog-${id}`);
    const row = { 'dynamodb:LeadingKeys': [id] };
    const table = here('dynamodb', 'table/orglog-ledger');
    const refused = `rejected/${id}/logs/org=institution/dt=2026-01-02/k3v9q-000000000001-7.ndjson`;
    const group = `log-group:/orglog/deliver-${id}:log-stream:2026/01/02/orglog-deliver-${id}[$LATEST]0f`;
    return [
      ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map((name) => ({
        action: `sqs:${name}`,
        resource: queue,
      })),
      {
        action: 'secretsmanager:GetSecretValue',
        resource: here('secretsmanager', `secret:orglog/sinks/${id}-AbCdEf`),
      },
      { action: 'dynamodb:GetItem', resource: table, context: row },
      { action: 'dynamodb:UpdateItem', resource: table, context: row },
      { action: 's3:PutObject', resource: `arn:aws:s3:::${BUCKET}/${refused}` },
      { action: 's3:GetObject', resource: `arn:aws:s3:::${BUCKET}/${refused}` },
      {
        action: 's3:ListBucket',
        resource: `arn:aws:s3:::${BUCKET}`,
        context: { 's3:prefix': [refused] },
      },
      { action: 'logs:CreateLogStream', resource: here('logs', group) },
      { action: 'logs:PutLogEvents', resource: here('logs', group) },
    ];
  }

  /** What every destination may: to read what was collected, and the key for it. */
  const shared: Request[] = [
    ...[OBJECT, IDENTITIES].flatMap((key) => [
      { action: 's3:GetObject', resource: `arn:aws:s3:::${BUCKET}/${key}` },
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}`, context: { 's3:prefix': [key] } },
    ]),
    ...['s3', 'sqs', 'dynamodb', 'secretsmanager'].map((service) => ({
      action: 'kms:Decrypt',
      resource: keyArn(),
      context: { 'kms:ViaService': [`${service}.${REGION}.amazonaws.com`] },
    })),
  ];

  function keyArn(): string {
    const [key] = resourcesOf(deployment, 'AWS::KMS::Key');
    return here('kms', `key/${key?.id}`);
  }

  it('lets each function do its work', () => {
    expect([...roles.keys()]).toStrictEqual(PUSHED);
    for (const [id, policies] of roles) {
      expect(policies).toHaveLength(8);
      expect([...own(id), ...shared].filter((request) => !allows(policies, request))).toStrictEqual([]);
    }
  });

  it("keeps each from another's queue, secret, ledger rows, refusals and lines", () => {
    const trespasses = [...roles].flatMap(([id, policies]) =>
      ['splunk', ...PUSHED]
        .filter((other) => other !== id)
        .flatMap(own)
        .filter((request) => allows(policies, request)),
    );
    expect(trespasses).toStrictEqual([]);
  });

  it('lets nobody else read a push queue', () => {
    for (const id of PUSHED) {
      const readers = statements.filter(
        ({ resources, actions }) =>
          resources.includes(here('sqs', `orglog-${id}`)) && actions.includes('sqs:ReceiveMessage'),
      );
      expect(readers).toStrictEqual(roles.get(id)?.filter(({ sid }) => sid === 'WorkOnItsQueue'));
      expect(readers).toHaveLength(1);
    }
  });

  it('lets none list, remove, write what was collected, announce, touch a cursor or a credential of the provider', () => {
    const forbidden: Request[] = [
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${BUCKET}` },
      { action: 's3:DeleteObject', resource: `arn:aws:s3:::${BUCKET}/${OBJECT}` },
      { action: 's3:PutObject', resource: `arn:aws:s3:::${BUCKET}/${OBJECT}` },
      { action: 's3:PutObject', resource: `arn:aws:s3:::${BUCKET}/${IDENTITIES}` },
      { action: 's3:GetObject', resource: `arn:aws:s3:::${BUCKET}/${SNAPSHOT}` },
      { action: 'dynamodb:GetItem', resource: here('dynamodb', 'table/orglog-ledger') },
      { action: 'dynamodb:Query', resource: here('dynamodb', 'table/orglog-ledger') },
      {
        action: 'dynamodb:UpdateItem',
        resource: here('dynamodb', 'table/orglog-cursors'),
        context: { 'dynamodb:LeadingKeys': ['hec'] },
      },
      { action: 'sqs:SendMessage', resource: here('sqs', 'orglog-hec') },
      { action: 'sqs:ReceiveMessage', resource: here('sqs', 'orglog-hec-dead') },
      {
        action: 'secretsmanager:GetSecretValue',
        resource: here('secretsmanager', 'secret:orglog/logs/institution-AbCdEf'),
      },
      { action: 'kms:Decrypt', resource: keyArn() },
      {
        action: 'kms:Decrypt',
        resource: here('kms', 'key/another'),
        context: { 'kms:ViaService': [`s3.${REGION}.amazonaws.com`] },
      },
    ];
    for (const policies of roles.values()) {
      expect(forbidden.filter((request) => allows(policies, request))).toStrictEqual([]);
    }
  });
});
