import { elasticFiles } from './elastic.ts';
import type { GeneratedFile } from './file.ts';
import { splunkFiles } from './splunk.ts';

/** What each SIEM's folder is given. */
const GENERATORS: readonly (() => readonly GeneratedFile[])[] = [elasticFiles, splunkFiles];

/** Every generated file under `siem/`, sorted by path. */
export function generatedFiles(): GeneratedFile[] {
  return GENERATORS.flatMap((generate) => generate()).sort((a, b) => (a.path < b.path ? -1 : 1));
}
