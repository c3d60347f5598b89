import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OrglogError } from '../../functions/core/errors.ts';
import { crossFaults } from './cross-checks.ts';
import { describeFault, type Fault, type Path } from './faults.ts';
import { withPrivateCas } from './private-ca.ts';
import { type Settings, settingsSchema } from './schema.ts';

export const SETTINGS_FILE = 'orglog.config.json';
export const EXAMPLE_FILE = 'orglog.config.example.json';

export interface LoadedSettings {
  readonly file: string;
  /** Whether these are the committed example's: good for looking, not for deploying. */
  readonly isExample: boolean;
  readonly settings: Settings;
}

/**
 * The settings of the project in `folder`: `orglog.config.json`, or the committed example where there is none yet, so
 * that a clean checkout synthesizes.
 *
 * @param named another file to read instead, as `-c settings=<file>` names it
 * @throws OrglogError `configuration`, every fault at once
 */
export function loadSettings(folder: string, named?: string): LoadedSettings {
  const file = named ?? (existsSync(join(folder, SETTINGS_FILE)) ? SETTINGS_FILE : EXAMPLE_FILE);
  let text: string;
  try {
    text = readFileSync(resolve(folder, file), 'utf8');
  } catch (error) {
    throw new OrglogError('configuration', `${file} cannot be read in ${folder}: name a file that is there`, {
      cause: error,
    });
  }
  const settings = parseSettings(text, file, dirname(resolve(folder, file)));
  return { file, isExample: basename(file) === EXAMPLE_FILE, settings };
}

/**
 * @param folder where files that the settings name are looked for
 * @throws OrglogError `configuration`: each fault with its path in the file, what was found and what is expected
 */
export function parseSettings(text: string, file: string, folder = '.'): Settings {
  const json = parseJson(text, file);
  const parsed = settingsSchema.safeParse(json);
  const faults = [...(parsed.error?.issues ?? []).flatMap(issueFaults), ...crossFaults(json)];
  if (parsed.success) {
    const read = withPrivateCas(parsed.data, folder);
    faults.push(...read.faults);
    if (faults.length === 0) return read.settings;
  }
  const list = faults.map((fault) => `\n  ${describeFault(json, fault)}`).join('');
  throw new OrglogError(
    'configuration',
    `${file} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}; nothing was synthesized:${list}`,
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OrglogError(
      'configuration',
      `${file} is not JSON: ${why}. Expected no comments and no trailing commas`,
    );
  }
}

/** A misspelt member is a fault of its own, at its own path. */
function issueFaults(issue: { code?: string; path: Path; message: string; keys?: string[] }): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({ path: [...issue.path, key], expected: issue.message }));
  }
  return [{ path: issue.path, expected: issue.message }];
}
