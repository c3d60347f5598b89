import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from './cache.ts';
import { command, requireProgram } from './command.ts';

/** A Maven artefact: `group:artifact:version`. */
export type Coordinates = `${string}:${string}:${string}`;

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** A folder with these jars and all that they need, named without versions where `stripVersion`. */
export async function mavenJars(
  name: string,
  artefacts: readonly Coordinates[],
  { stripVersion = false } = {},
): Promise<string> {
  return await cached(name, async (folder) => {
    await requireProgram('mvn', '--version');
    const pom = join(folder, 'pom.xml');
    await writeFile(pom, pomOf(artefacts));
    await command('mvn', [
      ...['--quiet', '--batch-mode', '--file', pom, `${PLUGIN}:copy-dependencies`],
      ...[`-DoutputDirectory=${join(folder, 'jars')}`, `-Dmdep.stripVersion=${stripVersion}`],
    ]);
  });
}

/** A folder with one archive of Maven's, unpacked. */
export async function mavenArchive(name: string, coordinates: Coordinates): Promise<string> {
  return await cached(name, async (folder) => {
    await requireProgram('mvn', '--version');
    await requireProgram('unzip', '-v');
    const copy = [
      `-Dartifact=${coordinates}:zip`,
      `-DoutputDirectory=${folder}`,
      '-Dmdep.useBaseVersion=true',
    ];
    await command('mvn', ['--quiet', '--batch-mode', `${PLUGIN}:copy`, ...copy]);
    const [, artifact, version] = coordinates.split(':');
    await command('unzip', ['-q', join(folder, `${artifact}-${version}.zip`), '-d', folder]);
  });
}

/** A folder for PYTHONPATH with what `requirements/NAME.txt` lists. */
export async function pythonPackages(name: string): Promise<string> {
  const file = fileURLToPath(new URL(`./requirements/${name}.txt`, import.meta.url));
  const python = await requireProgram('python3', '--version');
  const hash = createHash('sha256')
    .update(python)
    .update(await readFile(file))
    .digest('hex');
  return await cached(`${name}-${hash.slice(0, 12)}`, async (folder) => {
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', folder];
    await command('python3', ['-m', 'pip', 'install', ...options, '--requirement', file]);
  });
}

/** A program built from a Go module. Returns its path. */
export async function goProgram(path: string, version: string): Promise<string> {
  const program = path.split('/').at(-1) ?? '';
  const folder = await cached(`${program}-${version}`, async (made) => {
    await requireProgram('go', 'version');
    await command('go', ['install', `${path}@${version}`], { env: { GOBIN: made }, timeoutMs: 900_000 });
  });
  return join(folder, program);
}

function pomOf(artefacts: readonly Coordinates[]): string {
  const dependencies = artefacts.map((coordinates) => {
    const [group, artifact, version] = coordinates.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>orglog</groupId><artifactId>services</artifactId>
<version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>
`;
}
