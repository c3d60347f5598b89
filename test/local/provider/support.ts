import { request } from 'undici';
import type { LogEvent, RawEvent } from '../../../local/provider/event.ts';
import { type Provider, type ProviderOptions, startProvider } from '../../../local/provider/server.ts';

export const ORG_URL = 'https://login.institution.edu/';
export const OTHER_URL = 'https://login.college.example/';
/** Thursday noon, UTC. */
export const NOON = Date.UTC(2026, 0, 15, 12);
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export const USER = { username: 'reader', password: 'pass:word é', orgUrls: [ORG_URL] };
export const BOTH = { username: 'both', password: 'secret', orgUrls: [ORG_URL, OTHER_URL] };

/** A stand-in in memory with two organizations, and a clock that stands still unless told otherwise. */
export function start(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  return startProvider({
    file: ':memory:',
    organizations: [
      { orgUrl: ORG_URL, orgDomain: 'institution.edu', tenant: 'institution' },
      { orgUrl: OTHER_URL, orgDomain: 'college.example' },
    ],
    credentials: [USER, BOTH],
    now: () => NOON,
    ...options,
  });
}

/** All that a client needs to know of a stand-in. */
export type Address = Pick<Provider, 'url'>;

export interface Page {
  ref: string;
  next: string;
  nextToken?: string | null;
  count: number;
  logEvents: LogEvent[];
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export type Query = Record<string, string | number>;

export interface CallOptions {
  path?: string;
  query?: Query | string;
  /** Authorization header; default: the user that may read one organization. */
  authorization?: string | undefined;
}

export function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** One GET, as the collector would send it. */
export async function call(provider: Address, options: CallOptions = {}): Promise<Reply> {
  const { path = '/logs/v1/orgLogs', query = {} } = options;
  const authorization = 'authorization' in options ? options.authorization : basic(USER);
  const search = typeof query === 'string' ? query : toSearch(query);
  const { statusCode, headers, body } = await request(`${provider.url}${path}${search && `?${search}`}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status: statusCode, headers, text: await body.text() };
}

function toSearch(query: Query): string {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** One page of the organization's log; throws on anything but 200. */
export async function readPage(provider: Address, query: Query = {}): Promise<Page> {
  const reply = await call(provider, { query: { orgUrl: ORG_URL, ...query } });
  if (reply.status !== 200) throw new Error(`status ${reply.status}: ${reply.text}`);
  return JSON.parse(reply.text);
}

/** Follow the tokens from `query` until a read returns the token it was given. */
export async function readAll(provider: Address, query: Query = {}): Promise<Page[]> {
  const pages = [await readPage(provider, query)];
  for (;;) {
    const token = pages.at(-1)?.nextToken;
    if (token === null || token === undefined) return pages;
    const page = await readPage(provider, { ...query, nextToken: token });
    pages.push(page);
    if (page.nextToken === token) return pages;
  }
}

/** Numbered events, one second apart, the last one a second before `untilMs`. */
export function numbered(count: number, untilMs = NOON): (RawEvent & { json: string })[] {
  return Array.from({ length: count }, (_, index) => ({
    json: JSON.stringify({ number: index + 1 }),
    timeMs: untilMs - (count - index) * 1000,
  }));
}
