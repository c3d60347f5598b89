import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundles, bundleFunctions } from '../../infra/bundle-function.ts';
import { addStacks, type OrglogStacks, orglogApp } from '../../infra/orglog-app.ts';
import type { Settings } from '../../infra/settings/schema.ts';
import { asText, type Intrinsic } from './intrinsics.ts';

export interface Resource {
  readonly Type: string;
  // Whatever CloudFormation takes there.
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { Value: Intrinsic; Description?: string; Export?: unknown }>>;
  readonly Rules?: Readonly<Record<string, unknown>>;
}

export interface Synthesized {
  /** Stack name → its template. */
  readonly templates: ReadonlyMap<string, Template>;
  /** Stack name → bytes of its file. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Stack name → names of the stacks that are deployed before it. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  readonly stacks: OrglogStacks;
}

// The CDK's check against CloudFormation's schemas takes longer than all else. It is made once, on templates that have
// every kind of resource, by the command itself (cli.test.ts).
process.env.CDK_VALIDATION = 'false';

let bundled: Promise<Bundles> | undefined;

/** The deployment of these settings, as `cdk synth` writes it. */
export async function synthesize(settings: Settings, { isExample = false } = {}): Promise<Synthesized> {
  bundled ??= bundleFunctions();
  const bundles = await bundled;
  const outdir = mkdtempSync(join(tmpdir(), 'orglog-synth-'));
  try {
    const app = orglogApp({ outdir });
    const stacks = addStacks(app, { file: 'orglog.config.json', isExample, settings }, bundles);
    const assembly = app.synth();
    const files = assembly.stacks.map(({ stackName, templateFullPath, dependencies }) => ({
      stackName,
      text: readFileSync(templateFullPath, 'utf8'),
      after: dependencies.map(({ id }) => id).filter((id) => !id.endsWith('.assets')),
    }));
    return {
      templates: new Map(
        files.map(({ stackName, text }): [string, Template] => [stackName, JSON.parse(text)]),
      ),
      bytes: new Map(files.map(({ stackName, text }) => [stackName, Buffer.byteLength(text)])),
      after: new Map(files.map(({ stackName, after }) => [stackName, after])),
      stacks,
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** A resource with the template that it is in: references are to be looked up there. */
export interface Located {
  readonly stack: string;
  readonly id: string;
  readonly resource: Resource;
  readonly template: Template;
}

export function resourcesOf({ templates }: Synthesized, ...types: string[]): Located[] {
  return [...templates].flatMap(([stack, template]) =>
    Object.entries(template.Resources)
      .filter(([, { Type }]) => types.length === 0 || types.includes(Type))
      .map(([id, resource]) => ({ stack, id, resource, template })),
  );
}

/** A property by its path, intrinsic functions worked out. */
export function property({ resource, template }: Located, ...path: (string | number)[]): unknown {
  const value = path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    resource.Properties,
  );
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isIntrinsic(value)
    ? asText(value, template)
    : value;
}

function isIntrinsic(value: object): value is Intrinsic & object {
  return 'Ref' in value || Object.keys(value).some((key) => key.startsWith('Fn::'));
}
