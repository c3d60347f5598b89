import type { Archive, CursorStore, Outbox } from '../functions/core/ports.ts';

/** Where a collector keeps what it collects: a folder, or AWS as the process's `AWS_*` variables name it. */
export type Backend =
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'aws'; readonly table: string; readonly bucket: string; readonly queueUrl: string };

export interface Stores extends AsyncDisposable {
  readonly cursors: CursorStore;
  readonly archive: Archive;
  readonly outbox: Outbox;
}

/** Modules are loaded for the one backend alone: the other's memory is not its to answer for. */
export async function openBackend(backend: Backend): Promise<Stores> {
  return backend.kind === 'embedded' ? await openEmbedded(backend.folder) : await openAws(backend);
}

async function openEmbedded(folder: string): Promise<Stores> {
  const { Database } = await import('../local/sqlite.ts');
  const { FileArchive } = await import('../local/file-archive.ts');
  const { SqliteCursorStore } = await import('../local/sqlite-cursor-store.ts');
  const { SqliteQueue } = await import('../local/sqlite-queue.ts');
  const database = new Database(`${folder}/orglog.sqlite`);
  return {
    cursors: new SqliteCursorStore(database),
    archive: await FileArchive.open(`${folder}/archive`),
    outbox: new SqliteQueue(database, { name: 'siem', visibilityMs: 30_000, maxReceives: 4, now: Date.now }),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

async function openAws({ table, bucket, queueUrl }: Extract<Backend, { kind: 'aws' }>): Promise<Stores> {
  const { newClients } = await import('../test/aws/clients.ts');
  const { dynamoDbCursorStore } = await import('../functions/adapters/dynamodb-cursor-store.ts');
  const { s3Archive } = await import('../functions/adapters/s3-archive.ts');
  const { sqsQueue } = await import('../functions/adapters/sqs-queue.ts');
  const { dynamodb, s3, sqs, secretsManager } = newClients(process.env);
  return {
    cursors: dynamoDbCursorStore({ client: dynamodb, table }),
    archive: s3Archive({ client: s3, bucket, region: process.env.AWS_REGION ?? 'us-east-1' }),
    outbox: sqsQueue({ client: sqs, url: queueUrl }),
    async [Symbol.asyncDispose]() {
      for (const client of [dynamodb, s3, sqs, secretsManager]) client.destroy();
    },
  };
}
