import { z } from 'zod';
import { type Container, type FunctionConfiguration, startContainer } from '../runtime/container.ts';
import { ACCOUNT, type Deployment, type Resource } from './deployment.ts';

/** Which function: by its `Handler`, or by a part of its logical id. */
export type Which = { readonly handler: string } | { readonly id: RegExp };

/** @throws Error unless exactly one function is meant */
export function findFunction({ resourcesOf }: Pick<Deployment, 'resourcesOf'>, which: Which): Resource {
  const functions = resourcesOf('AWS::Lambda::Function');
  const found = functions.filter(({ id, properties }) =>
    'id' in which ? which.id.test(id) : properties.Handler === which.handler,
  );
  const [one, ...more] = found;
  if (one !== undefined && more.length === 0) return one;
  const names = functions.map(({ id, properties }) => `${id} (${properties.Handler})`);
  throw new Error(`${found.length} of these functions are meant: ${names.join(', ')}`);
}

const described = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
  FunctionName: z.string(),
  Handler: z.string(),
  MemorySize: z.int(),
  Runtime: z.string(),
  Timeout: z.int(),
});

/** A function as it would be deployed. */
export async function configurationOf(
  deployment: Deployment,
  resource: Resource,
): Promise<FunctionConfiguration> {
  const names = Object.keys(described.shape);
  const properties = await Promise.all(
    names.map(async (name) => [name, await deployment.property(resource, name)] as const),
  );
  const { Code, Environment, ...rest } = described.parse(Object.fromEntries(properties));
  const folder = deployment.assembly.assets.get(Code.S3Key);
  if (folder === undefined)
    throw new Error(`${resource.id} names ${Code.S3Key}, which no stack would upload`);
  return {
    name: rest.FunctionName,
    handler: rest.Handler,
    runtime: rest.Runtime,
    memoryMb: rest.MemorySize,
    timeoutSeconds: rest.Timeout,
    environment: Environment.Variables,
    folder,
  };
}

/** A new container of a function, on the services that the deployment is on. */
export async function startFunction(deployment: Deployment, resource: Resource): Promise<Container> {
  const { region, env } = deployment.services;
  const environment = Object.entries(env).flatMap(([name, value = '']) =>
    /^AWS_(ENDPOINT_URL|ACCESS_KEY_ID$|SECRET_ACCESS_KEY$|SESSION_TOKEN$)/.test(name) ? [[name, value]] : [],
  );
  return await startContainer(await configurationOf(deployment, resource), {
    region,
    account: ACCOUNT,
    environment: Object.fromEntries(environment),
  });
}

/** Those resources of one type whose property refers to this one: a function's schedules, its asynchronous settings. */
export function referringTo(
  { resourcesOf }: Deployment,
  { stack, id }: Resource,
  type: string,
  property: string,
): Resource[] {
  return resourcesOf(type).filter((resource) => {
    const text = JSON.stringify(resource.properties[property] ?? null);
    return resource.stack === stack && (text.includes(`{"Ref":"${id}"}`) || text.includes(`["${id}",`));
  });
}

/** The one resource in a list that should have one. */
export function only(resources: readonly Resource[]): Resource {
  const [one, ...more] = resources;
  if (one === undefined || more.length > 0)
    throw new Error(`expected one resource, found ${resources.length}`);
  return one;
}

/** What EventBridge Scheduler sends: the target's input, or, where that is not given, an event of its own. */
export async function scheduledEvent(deployment: Deployment, schedule: Resource): Promise<unknown> {
  const input = await deployment.property(schedule, 'Target', 'Input');
  if (input !== undefined) return JSON.parse(String(input));
  const { region } = deployment.services;
  return {
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: ACCOUNT,
    time: new Date().toISOString(),
    region,
    resources: [`arn:aws:scheduler:${region}:${ACCOUNT}:schedule/default/${schedule.id}`],
    detail: '{}',
  };
}

/** The actions that the function's role allows anywhere. */
export function actionsOf({ resourcesOf }: Deployment, { stack, properties }: Resource): Set<string> {
  const role = resourcesOf('AWS::IAM::Role').find(
    (one) => one.stack === stack && JSON.stringify(properties.Role).includes(`"${one.id}"`),
  );
  const policies = z
    .array(
      z.object({
        PolicyDocument: z.object({
          Statement: z.array(z.object({ Action: z.union([z.string(), z.array(z.string())]) })),
        }),
      }),
    )
    .parse(role?.properties.Policies);
  return new Set(
    policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action)),
  );
}
