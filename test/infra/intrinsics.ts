import type { Resource, Template } from './synthesize.ts';

/** Text, or what CloudFormation works out when it deploys. */
export type Intrinsic = string | { readonly [fn: string]: unknown };

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-central-1',
  'AWS::URLSuffix': 'amazonaws.com',
};

export const ACCOUNT = '123456789012';
export const REGION = 'eu-central-1';

/** What CloudFormation would make of it, in a made-up account. @throws Error for what it does not know */
export function asText(value: unknown, template: Template): string {
  if (typeof value === 'string') return value;
  const [[fn, argument] = []] = Object.entries(value as object);
  switch (fn) {
    case 'Ref':
      return PSEUDO[String(argument)] ?? physicalId(String(argument), template);
    case 'Fn::Join': {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map((part) => asText(part, template)).join(separator);
    }
    case 'Fn::GetAtt': {
      const [id, attribute] = argument as [string, string];
      if (attribute === 'Arn') return arn(id, template);
      if (attribute === 'QueueName') return asText(resource(id, template).Properties.QueueName, template);
      break;
    }
  }
  throw new Error(`cannot work out ${JSON.stringify(value)}`);
}

function resource(id: string, template: Template): Resource {
  const found = template.Resources[id];
  if (found === undefined) throw new Error(`the template has no resource ${id}`);
  return found;
}

function physicalId(id: string, template: Template): string {
  const { Type, Properties } = resource(id, template);
  const name = (member: string) => asText(Properties[member] ?? id, template);
  switch (Type) {
    case 'AWS::S3::Bucket':
      return name('BucketName');
    case 'AWS::DynamoDB::Table':
      return name('TableName');
    case 'AWS::Lambda::Function':
      return name('FunctionName');
    case 'AWS::Logs::LogGroup':
      return name('LogGroupName');
    case 'AWS::SQS::Queue':
      return `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name('QueueName')}`;
    case 'AWS::SNS::Topic':
    case 'AWS::IAM::ManagedPolicy':
      return arn(id, template);
    default:
      return id;
  }
}

function arn(id: string, template: Template): string {
  const { Type, Properties } = resource(id, template);
  const name = (member: string) => asText(Properties[member] ?? id, template);
  const here = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
  switch (Type) {
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${name('BucketName')}`;
    case 'AWS::DynamoDB::Table':
      return here('dynamodb', `table/${name('TableName')}`);
    case 'AWS::SQS::Queue':
      return here('sqs', name('QueueName'));
    case 'AWS::SNS::Topic':
      return here('sns', name('TopicName'));
    case 'AWS::KMS::Key':
      return here('kms', `key/${id}`);
    case 'AWS::Lambda::Function':
      return here('lambda', `function:${name('FunctionName')}`);
    case 'AWS::IAM::Role':
      return `arn:aws:iam::${ACCOUNT}:role/${name('RoleName')}`;
    case 'AWS::IAM::ManagedPolicy':
      return `arn:aws:iam::${ACCOUNT}:policy/${name('ManagedPolicyName')}`;
    default:
      throw new Error(`no ARN is known of ${id}, a ${Type}`);
  }
}
