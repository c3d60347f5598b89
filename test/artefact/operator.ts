import { z } from 'zod';
import type { Deployment, Resource } from './deployment.ts';

const named = z.object({ FunctionName: z.string() });
const environment = z.object({ Variables: z.record(z.string(), z.string()) });

/**
 * What the operator's command needs beside the resources that are made: what CloudFormation, Lambda and CloudWatch
 * know of the deployment is told to the services.
 *
 * @returns the environment of a command that works on the deployment: addresses, region, credentials
 */
export async function operatorEnvironment(deployment: Deployment): Promise<Record<string, string>> {
  const { services } = deployment;
  await services.describe({ stacks: await outputsOf(deployment), functions: await functionsOf(deployment) });
  const given = Object.entries(services.env).filter(([name]) => name.startsWith('AWS_'));
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Those without a description: the others are for people, and name resources that are not made here. */
async function outputsOf({ assembly, property }: Deployment) {
  const stacks = assembly.stacks.map(async (stack) => {
    const forPrograms = Object.entries(stack.template.Outputs ?? {}).filter(
      ([, { Description }]) => Description === undefined,
    );
    const outputs = forPrograms.map(async ([id, { Value }]) => {
      const output: Resource = { stack, id, type: 'Output', properties: { Value } };
      return [id, String(await property(output, 'Value'))] as const;
    });
    return [stack.name, Object.fromEntries(await Promise.all(outputs))] as const;
  });
  return Object.fromEntries(await Promise.all(stacks));
}

/** Whose environment says how they read the provider. */
const HANDLERS = ['collect.handler', 'sync-identities.handler'];

async function functionsOf({ resourcesOf, property }: Deployment) {
  const scheduled = resourcesOf('AWS::Lambda::Function').filter(({ properties }) =>
    HANDLERS.includes(String(properties.Handler)),
  );
  const functions = scheduled.map(async (resource) => {
    const { FunctionName } = named.parse({ FunctionName: await property(resource, 'FunctionName') });
    const { Variables } = environment.parse(await property(resource, 'Environment'));
    return [FunctionName, Variables] as const;
  });
  return Object.fromEntries(await Promise.all(functions));
}
