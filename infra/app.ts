import { OrglogError } from '../functions/core/errors.ts';
import { bundleFunctions } from './bundle-function.ts';
import { addStacks, orglogApp } from './orglog-app.ts';
import { EXAMPLE_FILE, loadSettings, SETTINGS_FILE } from './settings/load.ts';

/**
 * What `cdk` runs (cdk.json), and the only reader of its context:
 *
 * - `settings`: a file to read instead of orglog.config.json
 * - `deploy`: set by `npm run deploy`; the example's settings are then refused before anything is bundled or asked
 */
try {
  const app = orglogApp();
  const named: unknown = app.node.tryGetContext('settings');
  const loaded = loadSettings(process.cwd(), typeof named === 'string' ? named : undefined);
  if (loaded.isExample) noticeExample(app.node.tryGetContext('deploy') !== undefined);
  addStacks(app, loaded, await bundleFunctions());
  app.synth();
} catch (error) {
  if (!(error instanceof OrglogError)) throw error;
  // Its message says it all: a stack trace would only bury it.
  console.error(error.message);
  process.exitCode = 1;
}

function noticeExample(deploying: boolean): void {
  const notice = `These are the settings of ${EXAMPLE_FILE}: copy it to ${SETTINGS_FILE} and make them yours`;
  if (deploying) throw new OrglogError('configuration', `${notice}; the example is not deployed`);
  console.error(`${notice} before you deploy.`);
}
