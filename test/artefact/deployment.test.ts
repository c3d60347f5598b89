import { expect, test } from 'vitest';
import { awsSuite } from '../adapters/aws-suite.ts';
import type { Template } from '../infra/synthesize.ts';
import { deploy } from './deployment.ts';
import { findFunction } from './functions.ts';

const services = await awsSuite();

function assembly(Resources: Template['Resources']) {
  return {
    stacks: [{ name: 'small', template: { Resources } }],
    assets: new Map<string, string>(),
    [Symbol.asyncDispose]: async () => {},
  };
}

const fn = (Handler: string, Environment = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler, Environment },
});

test('what CloudFormation works out is worked out here', async () => {
  const variables = {
    JOINED: { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }, { Ref: 'AWS::URLSuffix' }]] },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how CloudFormation writes it
    SUBSTITUTED: { 'Fn::Sub': '${AWS::Partition}:${AWS::Region} ${!Kept}' },
    DEEP: [{ inside: { Ref: 'AWS::Partition' } }, 1, true],
  };
  const deployment = await deploy(assembly({ One: fn('one.handler', variables) }), services);
  const one = findFunction(deployment, { id: /^One$/ });
  expect(await deployment.property(one, 'Environment')).toEqual({
    JOINED: 'a-000000000000-amazonaws.com',
    SUBSTITUTED: `aws:${services.region} \${Kept}`,
    DEEP: [{ inside: 'aws' }, 1, true],
  });
  expect(await deployment.property(one, 'VpcConfig', 'SubnetIds')).toBeUndefined();
});

test.each([
  ['a function', { 'Fn::ImportValue': 'elsewhere' }, 'Fn::ImportValue is not worked out here'],
  ['a resource that is not there', { Ref: 'Nowhere' }, 'small has no resource Nowhere'],
  ['a resource that is not made', { Ref: 'One' }, 'One, AWS::Lambda::Function, is not made here'],
])('%s that this file does not know is refused', async (_what, value, message) => {
  const deployment = await deploy(assembly({ One: fn('one.handler', value) }), services);
  const one = findFunction(deployment, { handler: 'one.handler' });
  await expect(deployment.property(one, 'Environment')).rejects.toThrow(message);
});

test('a property that nothing is done about is refused: it could be one that matters', async () => {
  const Queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'one', DelaySeconds: 900 } };
  await expect(deploy(assembly({ Queue }), services)).rejects.toThrow('has DelaySeconds');
});

test('a function is found only where no other could be meant', async () => {
  const deployment = await deploy(assembly({ A: fn('same.handler'), B: fn('same.handler') }), services);
  expect(() => findFunction(deployment, { handler: 'same.handler' })).toThrow(
    '2 of these functions are meant: A (same.handler), B (same.handler)',
  );
  expect(findFunction(deployment, { id: /^B$/ }).id).toBe('B');
});
