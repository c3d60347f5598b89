import type { Services } from '../aws/services.ts';
import type { Assembly, Stack } from './assembly.ts';
import { deployByCloudFormation } from './cloudformation.ts';
import { type Made, resolve } from './resolve.ts';
import { MAKERS } from './resources.ts';

/** The account of the services of test/aws: queue URLs, composed from it, name the queues that were made. */
export const ACCOUNT = '000000000000';

/** A resource in its template. */
export interface Resource {
  readonly stack: Stack;
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** An assembly whose resources are made. */
export interface Deployment {
  readonly assembly: Assembly;
  readonly services: Services;
  resourcesOf(...types: readonly string[]): Resource[];
  /** A property by its path, with everything in it worked out; `undefined` where the template has none. */
  property(resource: Resource, ...path: readonly string[]): Promise<unknown>;
  /** What a resource became. */
  made(resource: Resource): Promise<Made>;
}

/**
 * Makes every table, bucket, queue and secret of the templates, as they describe them; where
 * `ORGLOG_TEST_CLOUDFORMATION` names a CloudFormation, it makes what it can of them, and of all else.
 */
export async function deploy(assembly: Assembly, services: Services): Promise<Deployment> {
  const pseudo = {
    'AWS::AccountId': ACCOUNT,
    'AWS::Partition': 'aws',
    'AWS::Region': services.region,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const all = assembly.stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).map(([id, { Type: type, Properties: properties = {} }]) => ({
      stack,
      id,
      type,
      properties,
    })),
  );
  const making = new Map<Resource, Promise<Made>>();
  const elsewhere = process.env.ORGLOG_TEST_CLOUDFORMATION;
  const find =
    elsewhere === undefined ? undefined : await deployByCloudFormation(assembly, services, elsewhere);

  const deployment: Deployment = {
    assembly,
    services,
    resourcesOf: (...types) => all.filter(({ type }) => types.includes(type)),
    property: ({ stack, properties }, ...path) =>
      resolve(path.reduce<unknown>(memberOf, properties), {
        pseudo,
        made(id) {
          const referred = all.find((one) => one.stack === stack && one.id === id);
          if (referred === undefined) throw new Error(`${stack.name} has no resource ${id}`);
          return deployment.made(referred);
        },
      }),
    made(resource) {
      const { stack, id, type } = resource;
      const made = making.get(resource) ?? find?.(stack.name, id, type) ?? make(deployment, resource);
      making.set(resource, made);
      return made;
    },
  };
  await Promise.all(deployment.resourcesOf(...Object.keys(MAKERS)).map(deployment.made));
  return deployment;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

async function make(deployment: Deployment, resource: Resource): Promise<Made> {
  const { id, type, properties } = resource;
  const maker = MAKERS[type];
  if (maker === undefined)
    throw new Error(`${id}, ${type}, is not made here: see test/artefact/resources.ts`);
  const { applied, withoutCounterpart } = maker;
  const unknown = Object.keys(properties).filter(
    (name) => !applied.includes(name) && !withoutCounterpart.includes(name),
  );
  if (unknown.length > 0) {
    throw new Error(`${id}, ${type}, has ${unknown.join(', ')}: see test/artefact/resources.ts`);
  }
  const given = applied.filter((name) => name in properties);
  const resolved = await Promise.all(
    given.map(async (name) => [name, await deployment.property(resource, name)] as const),
  );
  return await maker.make(Object.fromEntries(resolved), deployment.services.clients);
}
