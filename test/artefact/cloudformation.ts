import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourcesCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { AwsClients } from '../aws/clients.ts';
import type { Services } from '../aws/services.ts';
import type { Assembly } from './assembly.ts';
import type { Made } from './resolve.ts';

/** Type of resource → what it became, by its physical id. */
const FOUND: Readonly<Record<string, (id: string, clients: AwsClients) => Promise<Made>>> = {
  'AWS::DynamoDB::Table': async (id, { dynamodb }) => {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: id }));
    return { ref: id, attributes: { Arn: Table?.TableArn ?? '' } };
  },
  'AWS::S3::Bucket': async (id) => ({ ref: id, attributes: { Arn: `arn:aws:s3:::${id}` } }),
  'AWS::SQS::Queue': async (id, { sqs }) => {
    const ask = new GetQueueAttributesCommand({ QueueUrl: id, AttributeNames: ['QueueArn'] });
    const { Attributes } = await sqs.send(ask);
    return {
      ref: id,
      attributes: { Arn: Attributes?.QueueArn ?? '', QueueName: id.split('/').at(-1) ?? '' },
    };
  },
};

/**
 * Deploys the assembly by a CloudFormation of another make, as `cdk deploy` would: assets uploaded, then one stack
 * after the other. Returns what a table, bucket or queue became there, and `undefined` of anything else: moto's makes no
 * secrets.
 *
 * @param endpoint where it is; it has to make its resources where the services' clients find them
 */
export async function deployByCloudFormation(
  { stacks, assets }: Assembly,
  { clients, region }: Services,
  endpoint: string,
): Promise<(stack: string, id: string, type: string) => Promise<Made> | undefined> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const cloudFormation = new CloudFormationClient({ endpoint, region, credentials });
  await bootstrap(endpoint, region);
  const Bucket = `cdk-hnb659fds-assets-000000000000-${region}`;
  await clients.s3.send(new CreateBucketCommand({ Bucket }));
  // The functions run from the assets' folders: what is uploaded only has to be there.
  for (const Key of assets.keys()) {
    await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  }
  const physical = new Map<string, string>();
  for (const { name: StackName, template } of stacks) {
    const create = { StackName, TemplateBody: JSON.stringify(template) };
    await cloudFormation.send(new CreateStackCommand({ ...create, Capabilities: ['CAPABILITY_NAMED_IAM'] }));
    await waitUntilStackCreateComplete(
      { client: cloudFormation, maxWaitTime: 60, minDelay: 1 },
      { StackName },
    );
    const { StackResources = [] } = await cloudFormation.send(
      new DescribeStackResourcesCommand({ StackName }),
    );
    for (const { LogicalResourceId, PhysicalResourceId: id } of StackResources) {
      if (id !== undefined) physical.set(`${StackName}/${LogicalResourceId}`, id);
    }
  }
  cloudFormation.destroy();
  return (stack, logical, type) => {
    const about = FOUND[type];
    if (about === undefined) return undefined;
    const id = physical.get(`${stack}/${logical}`);
    if (id === undefined) throw new Error(`CloudFormation made no ${type} of ${logical} in ${stack}`);
    return about(id, clients);
  };
}

/** What `cdk bootstrap` leaves: the templates ask for its version. */
async function bootstrap(endpoint: string, region: string): Promise<void> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260102/${region}/ssm/aws4_request, SignedHeaders=host, Signature=0`,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonSSM.PutParameter',
    },
    body: JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '30', Type: 'String' }),
  });
  if (!response.ok) throw new Error(`PutParameter: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}
