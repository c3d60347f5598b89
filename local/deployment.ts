import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import { OrglogError } from '../functions/core/errors.ts';
import type {
  DeployedOrganization,
  Deployment,
  OperatorQueue,
  OperatorSecrets,
} from '../functions/core/operate/ports.ts';
import type { Credential, CredentialSource, LogSource } from '../functions/core/ports.ts';
import { openQueue, pathsIn } from './backend.ts';
import { ENVIRONMENT_SECRET, environmentSecrets, fixedSecret } from './environment-secrets.ts';
import { FileArchive } from './file-archive.ts';
import { isAtWork, lockFolder } from './folder-lock.ts';
import { LazySource } from './lazy-source.ts';
import { type RunFile, readRun } from './run-file.ts';
import { Database } from './sqlite.ts';
import { SqliteCursorStore } from './sqlite-cursor-store.ts';
import { SqliteLedger } from './sqlite-ledger.ts';
import { STAND_IN, STAND_IN_CREDENTIAL, serveStandIn } from './stand-in.ts';

/** A data folder of `orglog local` as the operator's commands see it, whether or not that is at work in it. */
export interface LocalDeployment extends Deployment {
  /** Whether an `orglog local` is at work in the folder now. */
  isAtWork(): boolean;
  /**
   * Keeps every other process from working in the folder, until disposed of; again and again, if need be.
   * @throws OrglogError `busy` while one does
   */
  claim(): Disposable;
}

type Organization = RunFile['organizations'][number];

/**
 * Opens what `orglog local` keeps in a folder; nothing is made that is not there.
 *
 * @param environment where the provider's credential is looked for
 * @throws OrglogError `not-found` where the folder holds no data, `configuration` where it does not say what it
 * collects, `storage` where it cannot be read
 */
export async function openLocalDeployment(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LocalDeployment> {
  const paths = pathsIn(folder);
  const run = await whatRuns(folder);
  await using opened = new AsyncDisposableStack();
  const database = opened.use(new Database(paths.state));
  const archive = await FileArchive.open(paths.archive);
  const isStandIn = run.organizations.some(({ baseUrl }) => baseUrl === STAND_IN);
  const secrets = isStandIn ? fixedSecret(STAND_IN_CREDENTIAL) : environmentSecrets(environment);
  const claims = opened.use(new Claims(folder));
  const queues = new Map<string, OperatorQueue>(
    run.destinations.map(({ id }) => [id, openQueue(database, id)]),
  );
  const organizations = run.organizations.map(deployed);
  const all = opened.move();
  return {
    title: `data folder ${folder}`,
    organizations,
    destinations: run.destinations,
    cursors: new SqliteCursorStore(database),
    archive,
    ledger: new SqliteLedger(database),
    secrets,
    queue(destination) {
      const queue = queues.get(destination);
      if (queue !== undefined) return queue;
      throw new OrglogError(
        'not-found',
        `${folder} has no destination ${destination}: it has ${[...queues.keys()].join(', ')}`,
      );
    },
    source: (organization, credential) => {
      const credentials = credentialsOf(organization, secrets, credential);
      return organization.baseUrl === STAND_IN
        ? new LazySource(() => openStandInSource(folder, claims, organization, credentials))
        : openSource(organization.baseUrl, organization, credentials);
    },
    isAtWork: () => isAtWork(folder) && !claims.isHeld,
    claim: () => claims.take(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function whatRuns(folder: string): Promise<RunFile> {
  const start = `\`orglog local --data-dir ${folder}\``;
  const paths = pathsIn(folder);
  const run = await readRun(folder);
  if (!existsSync(paths.state)) {
    throw new OrglogError(
      'not-found',
      `${resolve(folder)} holds no data of orglog: run ${start} first, or name the right folder with --data-dir`,
    );
  }
  if (run !== undefined) return run;
  throw new OrglogError(
    'configuration',
    `${resolve(folder)} does not say what is collected into it (an earlier version of orglog filled it): start ${start} once, with the flags it always had`,
  );
}

function deployed(organization: Organization): DeployedOrganization {
  const { id, baseUrl, orgUrl, filters, everyMs, limit, identities } = organization;
  return {
    ...{ id, baseUrl, orgUrl, filters, everyMs, limit, identities },
    onStaleToken: 'continue',
    secret: baseUrl === STAND_IN ? "the stand-in's own" : ENVIRONMENT_SECRET,
  };
}

function credentialsOf(
  { secret }: DeployedOrganization,
  secrets: OperatorSecrets,
  credential: Credential | undefined,
): CredentialSource {
  return {
    get: async (_options, signal) => credential ?? (await secrets.read(secret, signal)),
  };
}

function openSource(
  baseUrl: string,
  { orgUrl, filters }: DeployedOrganization,
  credentials: CredentialSource,
): LogSource & AsyncDisposable {
  return createHttpLogSource({ baseUrl, orgUrl, filters, credentials });
}

/** The running stand-in's log; where none runs, of one started from the folder's own file, with the folder claimed. */
async function openStandInSource(
  folder: string,
  claims: Claims,
  organization: DeployedOrganization,
  credentials: CredentialSource,
): Promise<LogSource & AsyncDisposable> {
  if (isAtWork(folder) && !claims.isHeld) {
    const url = (await readRun(folder))?.standInUrl;
    if (url !== undefined) return openSource(url, organization, credentials);
  }
  const file = pathsIn(folder).provider;
  if (!existsSync(file)) {
    throw new OrglogError(
      'not-found',
      `The stand-in's log ${file} is gone: put it back, or start anew in another folder`,
    );
  }
  await using opened = new AsyncDisposableStack();
  opened.use(claims.take());
  const provider = opened.use(await serveStandIn(file));
  const source = opened.use(openSource(provider.url, organization, credentials));
  const all = opened.move();
  return {
    readPage: (request, signal) => source.readPage(request, signal),
    permittedOrgUrls: (signal) => source.permittedOrgUrls(signal),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The folder's lock, held once however often this process claims it. */
class Claims implements Disposable {
  readonly #folder: string;
  #held = 0;
  #lock: Disposable | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get isHeld(): boolean {
    return this.#held > 0;
  }

  take(): Disposable {
    this.#lock ??= lockFolder(this.#folder);
    this.#held += 1;
    let released = false;
    return {
      [Symbol.dispose]: () => {
        if (released) return;
        released = true;
        this.#held -= 1;
        if (this.#held === 0) this[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
  }
}
