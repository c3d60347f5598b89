import { describe, expect, it } from 'vitest';
import { MAX_CA_CHARACTERS } from '../../infra/settings/private-ca.ts';
import { asText } from './intrinsics.ts';
import { manyOrganizations, organization, pushDestination, settings } from './settings-fixture.ts';
import { property, resourcesOf, synthesize } from './synthesize.ts';

/** As long as the settings let names be; the region's, too, is the longest. */
const REGION = 'ap-northeast-1';
const long = (start: string, length: number) => start.padEnd(length, 'x');

const SPLUNK = {
  index: long('i', 80),
  host: long('h', 100),
  source: long('s', 100),
  sourcetype: long('t', 100),
  acknowledge: false,
};

const LONGEST_IDENTITIES = {
  environments: ['test', 'prod'],
  everyHours: 168,
  authorities: Array.from({ length: 5 }, (_, index) => long(`https://${index}.edu/`, 200)),
  redact: ['mail', long('urn:oid:', 70), long('urn:mace:', 70)],
  uidField: long('uid', 63),
  snapshots: 'every',
};

describe('the longest names that the settings allow', async () => {
  const consumer = { principal: '111122223333', externalId: long('e', 256) };
  const deployment = await synthesize(
    settings({
      name: long('n', 16),
      provider: { baseUrl: long('https://api.provider.example/', 500) },
      organizations: manyOrganizations(40).map(({ id }) => ({
        ...organization(long(`${id}-`, 32)),
        orgUrl: long(`https://${id}.edu/`, 500),
        // The first alone: forty such would need a second identity stack.
        ...(id === 'org-0001' && { identities: LONGEST_IDENTITIES }),
        filters: {
          service: long('s', 100),
          logType: long('t', 100),
          logSubtype: long('u', 100),
          tenant: long('v', 100),
        },
      })),
      destinations: Array.from({ length: 10 }, (_, index) => {
        const id = long(`d${index}-`, 32);
        if (index > 1) return { id, kind: 'other', consumer };
        return pushDestination(id, index === 0 ? 'splunk' : 'elastic', {
          url: long('https://sink.institution.edu/', 500),
          ...(index === 0
            ? SPLUNK
            : { dataStream: [long('logs', 20), long('d', 40), long('n', 40)].join('-') }),
        });
      }),
      tags: Object.fromEntries(
        Array.from({ length: 8 }, (_, index) => [long(`tag${index}`, 128), long('value', 256)]),
      ),
    }),
  );
  const nameLengths = (type: string, member: string) =>
    resourcesOf(deployment, type).map(
      (one) => String(property(one, member)).replaceAll('eu-central-1', REGION).length,
    );

  // Limits of each service, in characters.
  it.each([
    ['AWS::Lambda::Function', 'FunctionName', 64],
    ['AWS::S3::Bucket', 'BucketName', 63],
    ['AWS::SQS::Queue', 'QueueName', 80],
    ['AWS::IAM::Role', 'RoleName', 64],
    ['AWS::IAM::ManagedPolicy', 'ManagedPolicyName', 128],
    ['AWS::DynamoDB::Table', 'TableName', 255],
    ['AWS::Lambda::Function', 'Description', 256],
  ])('fit: %s %s', (type, member, limit) => {
    const named = nameLengths(type, member).filter((length) => length > 'undefined'.length);
    expect(named.length).toBeGreaterThan(0);
    expect(Math.max(...named)).toBeLessThanOrEqual(limit);
  });

  it("fit Lambda's 4 KB for a function's environment", () => {
    for (const one of resourcesOf(deployment, 'AWS::Lambda::Function')) {
      const variables = property(one, 'Environment', 'Variables') as Record<string, unknown>;
      const texts = Object.entries(variables).map(([name, value]) => name + asText(value, one.template));
      // In place of the longest certificate: to make one that is as long takes seconds.
      if ('ORGLOG_SINK_URL' in variables) texts.push(long('ORGLOG_SINK_CA', 14 + MAX_CA_CHARACTERS));
      expect(Buffer.byteLength(texts.join('').replaceAll('eu-central-1', REGION))).toBeLessThan(4096);
    }
  });

  it("fit IAM's 10,240 characters for a role's policies, 6,144 for a managed one", () => {
    const text = (document: unknown) => JSON.stringify(document).replaceAll(/\s/g, '');
    const rendered = resourcesOf(deployment, 'AWS::IAM::Role').map(({ resource, template }) =>
      worked(text(resource.Properties.Policies ?? []), template),
    );
    expect(Math.max(...rendered)).toBeLessThanOrEqual(10_240);
    const managed = resourcesOf(deployment, 'AWS::IAM::ManagedPolicy').map(({ resource, template }) =>
      worked(text(resource.Properties.PolicyDocument), template),
    );
    expect(Math.max(...managed)).toBeLessThanOrEqual(6144);
  });
});

/** Length of a document once its joins are text. */
function worked(json: string, template: Parameters<typeof asText>[1]): number {
  const inPlace = JSON.parse(json, (_, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    ('Fn::Join' in value || 'Ref' in value || 'Fn::GetAtt' in value)
      ? asText(value, template).replaceAll('eu-central-1', REGION)
      : value,
  );
  return JSON.stringify(inPlace).length;
}
