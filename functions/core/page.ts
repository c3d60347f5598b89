import { glanceAt } from './log-event.ts';
import { scanPage } from './page-scan.ts';

/** One page of the log, ready to be archived. */
export interface Page {
  /** Its events, one a line. */
  readonly lines: Buffer;
  /** Memory that the page holds on to: its whole body, white space and all, of which `lines` is a part. */
  readonly heldBytes: number;
  readonly count: number;
  /** Absent when missing, null, or nothing that could be a token. */
  readonly token?: string;
  /** Epoch ms of the first event, and of the newer of first and last. */
  readonly firstAt?: number;
  readonly newestAt?: number;
  /** What does not fit the document (what → how often), from every event's bracket and a sample of two. */
  readonly drift: ReadonlyMap<string, number>;
}

/** A token is at most 200 printable ASCII characters; anything else counts as missing. */
const TOKEN = /^[\x21-\x7e]{1,200}$/;

/**
 * Turn a response body into a page; the body's memory becomes the page's.
 *
 * @throws MalformedPage when it is no JSON page.
 */
export function readPage(body: Buffer): Page {
  const scanned = scanPage(body);
  const drift = new Map<string, number>();
  const note = (what: string, times = 1) => drift.set(what, (drift.get(what) ?? 0) + times);

  if (scanned.nonObjects > 0) note('an event is not an object', scanned.nonObjects);
  if (!scanned.utf8) note('a page is not UTF-8');
  if (scanned.statedCount !== scanned.count) note('count is not the number of logEvents');
  const { nextToken } = scanned;
  const token = typeof nextToken === 'string' && TOKEN.test(nextToken) ? nextToken : undefined;
  if (token === undefined && nextToken !== undefined && nextToken !== null) note('nextToken is no token');

  const first = scanned.first && glanceAt(scanned.first);
  const last = scanned.count > 1 && scanned.last ? glanceAt(scanned.last) : undefined;
  for (const what of [...(first?.drift ?? []), ...(last?.drift ?? [])]) note(what);
  const times = [first?.at, last?.at].filter((at) => at !== undefined);

  return {
    lines: scanned.lines,
    heldBytes: body.length,
    count: scanned.count,
    drift,
    ...(token !== undefined && { token }),
    ...(first?.at !== undefined && { firstAt: first.at }),
    ...(times.length > 0 && { newestAt: Math.max(...times) }),
  };
}
