import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { cached } from './cache.ts';
import { command, javaOf } from './command.ts';
import { freePort, type Service, startDaemon } from './daemon.ts';
import { mavenArchive, mavenJars } from './packages.ts';

const version = '3.0.0';
const NOBODY = 65_534;

/** Modules of every download of OpenSearch, which the minimal archive leaves out, and what each goes on from. */
const MODULES = [
  {
    name: 'lang-painless',
    from: 'lang-painless',
    plugin: 'org.opensearch.painless.PainlessModulePlugin',
    extended: '',
  },
  {
    name: 'lang-mustache',
    from: 'lang-mustache-client',
    plugin: 'org.opensearch.script.mustache.MustacheModulePlugin',
    extended: '',
  },
  {
    name: 'ingest-common',
    from: 'ingest-common',
    plugin: 'org.opensearch.ingest.common.IngestCommonModulePlugin',
    extended: 'lang-painless',
  },
] as const;

/** One node, with the ingest processors and Painless. */
export const openSearch: Service = {
  name: 'OpenSearch',
  version,
  async up() {
    const { home } = await javaOf(21);
    const home21 = home === undefined ? {} : { OPENSEARCH_JAVA_HOME: home };
    const folder = await distribution();
    const made = await temporaryFolder();
    // It refuses to run as root, and writes into its own folder.
    await cp(folder, join(made.path, 'opensearch'), { recursive: true });
    const cwd = join(made.path, 'opensearch');
    const [http, transport] = [await freePort(), await freePort()];
    await writeFile(
      join(cwd, 'config', 'opensearch.yml'),
      `network.host: 127.0.0.1
http.port: ${http}
transport.port: ${transport}
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
`,
    );
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await command('chown', ['-R', `${NOBODY}:${NOBODY}`, made.path]);
    const url = `http://127.0.0.1:${http}`;
    const daemon = await startDaemon({
      program: join(cwd, 'bin', 'opensearch'),
      args: [],
      cwd,
      env: { ...home21, OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m' },
      ...(isRoot && { user: NOBODY }),
      url,
    });
    return {
      url,
      env: { ORGLOG_TEST_OPENSEARCH: url },
      async down() {
        await daemon.down();
        await made[Symbol.asyncDispose]();
      },
    };
  },
};

async function distribution(): Promise<string> {
  const zip = await mavenArchive(
    `opensearch-zip-${version}`,
    `org.opensearch.distribution.integ-test-zip:opensearch:${version}`,
  );
  const bare = join(zip, `opensearch-${version}`);
  return await cached(`opensearch-${version}`, async (folder) => {
    await cp(bare, folder, { recursive: true });
    const there = new Set(await readdir(join(bare, 'lib')));
    for (const { name, from, plugin, extended } of MODULES) {
      const jars = join(
        await mavenJars(`opensearch-${name}-${version}`, [`org.opensearch.plugin:${from}:${version}`]),
        'jars',
      );
      const module = join(folder, 'modules', name);
      await mkdir(module);
      for (const jar of await readdir(jars))
        if (!there.has(jar)) await cp(join(jars, jar), join(module, jar));
      await writeFile(
        join(module, 'plugin-descriptor.properties'),
        `description=${name}
name=${name}
version=${version}
opensearch.version=${version}
java.version=21
classname=${plugin}
extended.plugins=${extended}
has.native.controller=false
`,
      );
    }
  });
}
