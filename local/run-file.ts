import { z } from 'zod';
import { OrglogError } from '../functions/core/errors.ts';
import { pathsIn } from './backend.ts';
import { readText, replaceFile } from './durable-files.ts';
import { storageError } from './storage-errors.ts';

const text = z.string().min(1);

const organization = z.object({
  id: text,
  /** `stand-in`: the log is the folder's own. */
  baseUrl: text,
  orgUrl: text,
  filters: z.object({
    service: text.exactOptional(),
    logType: text.exactOptional(),
    logSubtype: text.exactOptional(),
    tenant: text.exactOptional(),
  }),
  everyMs: z.int().positive(),
  limit: z.int().positive(),
  /** Environments whose identity records are walked. */
  identities: z.array(z.enum(['test', 'prod'])).default([]),
});

const content = z.object({
  /** All that were ever collected into the folder, as they last were. */
  organizations: z.array(organization),
  /** Those of the last run. */
  destinations: z.array(z.object({ id: text, kind: text, delivery: z.enum(['pull', 'push']) })),
  /** Of the stand-in's last run: it listens there only while that goes on. */
  standInUrl: z.url().exactOptional(),
});

/** What runs, or last ran, in a data folder. Holds no credential. */
export type RunFile = Readonly<z.infer<typeof content>>;

/** What a session notes of itself. */
export interface Running extends Pick<RunFile, 'destinations' | 'standInUrl'> {
  readonly organization: RunFile['organizations'][number];
}

/** Writes down what runs in a claimed folder, for commands of other processes. @throws OrglogError `storage` */
export async function noteRun(folder: string, { organization, ...rest }: Running): Promise<void> {
  await change(folder, (before) => {
    const others = before?.organizations.filter(({ id }) => id !== organization.id) ?? [];
    return { organizations: [...others, organization], ...rest };
  });
}

/** The stand-in of the last run listens no more, and that of the next one not yet. @throws OrglogError `storage` */
export async function forgetStandIn(folder: string): Promise<void> {
  await change(folder, (before) => {
    if (before?.standInUrl === undefined) return undefined;
    const { standInUrl: _, ...rest } = before;
    return rest;
  });
}

async function change(
  folder: string,
  next: (before: RunFile | undefined) => RunFile | undefined,
): Promise<void> {
  const path = pathsIn(folder).run;
  try {
    const run = next(parse(await readText(path)));
    if (run !== undefined) await replaceFile(path, `${JSON.stringify(run, null, 2)}\n`);
  } catch (error) {
    throw storageError(error, 'Noting what is run', path);
  }
}

/**
 * What runs, or last ran, in a data folder; `undefined` where nothing was noted.
 * @throws OrglogError `storage` where it cannot be read
 */
export async function readRun(folder: string): Promise<RunFile | undefined> {
  const path = pathsIn(folder).run;
  let found: string | undefined;
  try {
    found = await readText(path);
  } catch (error) {
    throw storageError(error, 'Reading what was run', path);
  }
  if (found === undefined) return undefined;
  const run = parse(found);
  if (run !== undefined) return run;
  throw new OrglogError(
    'storage',
    `${path} cannot be understood: remove it, and start \`orglog local --data-dir ${folder}\` once, which writes it anew`,
  );
}

function parse(json: string | undefined): RunFile | undefined {
  try {
    return content.parse(JSON.parse(json ?? ''));
  } catch {
    return undefined;
  }
}
