import { join } from 'node:path';
import { startProvider } from '../../local/provider/server.ts';
import { type Elasticsearch, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

const TOKEN = 'token-of-splunk';
const API_KEY = 'key-of-elastic';

/** An event identifier with the event's text: what a sink holds, once for each time it does. */
export type Arrived = readonly [eventId: string, line: string];

/** A data folder, and both sinks outside of the process that pushes: they outlive it. */
export interface PushBed extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly splunk: SplunkHec;
  readonly elastic: Elasticsearch;
  /** The credentials of both. */
  readonly env: Record<string, string>;
  /** `orglog local` pushing to both. */
  readonly args: readonly string[];
  /** The log of the folder's provider stand-in, in order. */
  log(): Promise<string[]>;
  inSplunk(): Arrived[];
  inElastic(): Arrived[];
}

export async function pushBed(): Promise<PushBed> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  const splunk = opened.use(await startSplunkHec({ tokens: [{ token: TOKEN }] }));
  const elastic = opened.use(await startElasticsearch({ credentials: [{ apiKey: API_KEY }] }));
  const all = opened.move();
  return {
    ...{ folder, splunk, elastic },
    env: { ORGLOG_SPLUNK_TOKEN: TOKEN, ORGLOG_ELASTIC_API_KEY: API_KEY },
    args: ['local', '--data-dir', folder.path, '--push', `splunk=${splunk.url},elastic=${elastic.url}`],
    async log() {
      await using provider = await startProvider({
        file: join(folder.path, 'provider.sqlite'),
        organizations: [],
        credentials: [],
      });
      return [...provider.lines('https://institution.edu/')];
    },
    inSplunk: () =>
      splunk.events.map(({ event, fields }) => [String(JSON.parse(fields.event_id ?? '')), event] as const),
    inElastic: () =>
      elastic
        .documents('logs-orglog.events-default')
        .map(({ id, source }) => [id, String(JSON.parse(source).event.original)] as const),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Texts in the order that the identifiers give: by batch, then by line. */
export function inOrder(arrived: readonly Arrived[]): string[] {
  const place = ([id]: Arrived) => id.split(':').slice(-2).map(Number);
  return arrived
    .map((each) => ({ at: place(each), line: each[1] }))
    .sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0) || (a.at[1] ?? 0) - (b.at[1] ?? 0))
    .map(({ line }) => line);
}

/** Each identifier's first arrival, and how many there were beyond those. */
export function withoutRepeats(arrived: readonly Arrived[]): { once: Arrived[]; repeats: number } {
  const once = [...new Map(arrived)];
  return { once, repeats: arrived.length - once.length };
}
