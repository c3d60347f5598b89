import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AssetManifestArtifact, CloudAssembly } from 'aws-cdk-lib/cx-api';
import { SETTINGS_FILE } from '../../infra/settings/load.ts';
import type { Template } from '../infra/synthesize.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const run = promisify(execFile);
const APP = fileURLToPath(new URL('../../infra/app.ts', import.meta.url));

export interface Stack {
  readonly name: string;
  readonly template: Template;
}

/** What `cdk deploy` would send to AWS. */
export interface Assembly extends AsyncDisposable {
  /** In the order in which they are deployed. */
  readonly stacks: readonly Stack[];
  /** Key in the assets' bucket, as the templates name it → the folder that is packed and uploaded under it. */
  readonly assets: ReadonlyMap<string, string>;
}

/** Runs the app as `cdk` runs it (cdk.json), in a folder with this settings file. */
export async function synthesizeApp(settings: object): Promise<Assembly> {
  await using stack = new AsyncDisposableStack();
  const { path: cwd } = stack.use(await temporaryFolder());
  const outdir = join(cwd, 'cdk.out');
  await writeFile(join(cwd, SETTINGS_FILE), JSON.stringify(settings));
  await run(process.execPath, [APP], { cwd, env: { ...process.env, CDK_OUTDIR: outdir }, timeout: 60_000 });

  const assembly = new CloudAssembly(outdir);
  const manifests = assembly.artifacts.filter((one) => AssetManifestArtifact.isAssetManifestArtifact(one));
  const files = manifests.flatMap(({ contents }) => Object.values(contents.files ?? {}));
  const assets = files.flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }): [string, string] => [
      objectKey,
      join(outdir, source.path ?? ''),
    ]),
  );
  const stacks = await Promise.all(
    assembly.stacks.map(async ({ stackName, templateFullPath }) => ({
      name: stackName,
      template: JSON.parse(await readFile(templateFullPath, 'utf8')) as Template,
    })),
  );
  const owned = stack.move();
  return { stacks, assets: new Map(assets), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
