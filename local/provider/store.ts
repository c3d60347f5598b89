import type { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../../functions/core/errors.ts';
import { inTransaction } from './database.ts';
import type { LogEvent, RawEvent } from './event.ts';
import { createTokenMint } from './token.ts';

// `high_ms` is the highest event time up to and including a record. It never falls along the log, so the first record
// at or after a time is found by one index look-up, however late some events arrived.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS organizations (
    id INTEGER PRIMARY KEY,
    org_url TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE IF NOT EXISTS events (
    org INTEGER NOT NULL,
    position INTEGER NOT NULL,
    high_ms INTEGER NOT NULL,
    service TEXT,
    log_type TEXT,
    log_subtype TEXT,
    tenant TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (org, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS events_by_time ON events (org, high_ms, position);
  CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY,
    org INTEGER NOT NULL,
    position INTEGER NOT NULL,
    issued_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

// A page is joined inside SQLite and handed over as bytes: several times faster than a thousand rows. The inner query
// has a LIMIT, so it is never merged with the outer one and its order is the order of the joined text.
const PAGE = `
  SELECT CAST(group_concat(json, ',') AS BLOB) AS bytes, count(*) AS count, max(position) AS last
  FROM (
    SELECT position, json FROM events
    WHERE org = :org AND position > :after
      AND (:service IS NULL OR service = :service)
      AND (:logType IS NULL OR log_type = :logType)
      AND (:logSubtype IS NULL OR log_subtype = :logSubtype)
      AND (:tenant IS NULL OR tenant = :tenant)
    ORDER BY position
    LIMIT :limit
  )
`;

export interface PageFilters {
  readonly service?: string | undefined;
  readonly logType?: string | undefined;
  readonly logSubtype?: string | undefined;
  readonly tenant?: string | undefined;
}

export interface StoredPage {
  /** The events' JSON texts joined by commas, UTF-8. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Position of the last record that was returned, or looked at in vain: reading on from here loses nothing. */
  readonly examined: number;
}

/**
 * The log half of the stand-in's state: each organization's events as JSON texts in the order of their arrival
 * (positions 1, 2, 3, …), and the tokens issued, each naming the position after which reading goes on.
 */
export class LogStore {
  readonly #db: DatabaseSync;
  readonly #mint = createTokenMint();
  readonly #statements;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
    this.#statements = {
      addOrganization: db.prepare('INSERT INTO organizations (org_url) VALUES (?) ON CONFLICT DO NOTHING'),
      organization: db.prepare('SELECT id FROM organizations WHERE org_url = ?'),
      end: db.prepare(
        'SELECT position, high_ms AS highMs FROM events WHERE org = ? ORDER BY position DESC LIMIT 1',
      ),
      insert: db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
      firstSince: db.prepare(
        'SELECT position FROM events WHERE org = ? AND high_ms >= ? ORDER BY high_ms, position LIMIT 1',
      ),
      page: db.prepare(PAGE),
      lines: db.prepare('SELECT json FROM events WHERE org = ? ORDER BY position'),
      issueToken: db.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?)'),
      token: db.prepare('SELECT position, issued_ms AS issuedMs FROM tokens WHERE token = ? AND org = ?'),
    };
  }

  /** Make an organization known; one that is known already keeps its log. */
  addOrganization(orgUrl: string): void {
    this.#statements.addOrganization.run(orgUrl);
  }

  /** Whether an organization is known under exactly this URL. */
  has(orgUrl: string): boolean {
    return this.#statements.organization.get(orgUrl) !== undefined;
  }

  /** Append events in the order given: all of them, or none when one cannot be stored. */
  append(orgUrl: string, events: Iterable<RawEvent>): void {
    const org = this.#organization(orgUrl);
    inTransaction(this.#db, () => {
      let { position, highMs } = this.#end(org);
      for (const event of events) {
        position += 1;
        highMs = Math.max(highMs, event.timeMs);
        this.#statements.insert.run(
          org,
          position,
          highMs,
          event.service ?? null,
          event.logType ?? null,
          event.logSubtype ?? null,
          event.tenant ?? null,
          event.json,
        );
      }
    });
  }

  /** How many events the log holds: also the position of its last record. */
  count(orgUrl: string): number {
    return this.#end(this.#organization(orgUrl)).position;
  }

  /** Highest event time in the log, epoch ms; `undefined` when it is empty. */
  newestMs(orgUrl: string): number | undefined {
    const { position, highMs } = this.#end(this.#organization(orgUrl));
    return position === 0 ? undefined : highMs;
  }

  /** Each event's JSON text, in log order. */
  *lines(orgUrl: string): Generator<string> {
    for (const row of this.#statements.lines.iterate(this.#organization(orgUrl))) yield String(row.json);
  }

  /** The position before the first record whose time is `sinceMs` or later; `undefined` when there is none. */
  positionBefore(orgUrl: string, sinceMs: number): number | undefined {
    const row = this.#statements.firstSince.get(this.#organization(orgUrl), sinceMs);
    return row === undefined ? undefined : Number(row.position) - 1;
  }

  /** At most `limit` matching events after a position. */
  page(orgUrl: string, after: number, limit: number, filters: PageFilters): StoredPage {
    const org = this.#organization(orgUrl);
    const row = this.#statements.page.get({
      org,
      after,
      limit,
      service: filters.service ?? null,
      logType: filters.logType ?? null,
      logSubtype: filters.logSubtype ?? null,
      tenant: filters.tenant ?? null,
    });
    const count = Number(row?.count ?? 0);
    return {
      bytes: row?.bytes instanceof Uint8Array ? row.bytes : new Uint8Array(),
      count,
      examined: count === limit ? Number(row?.last) : Math.max(after, this.#end(org).position),
    };
  }

  /** Issue a token for going on after a position, and remember it. */
  issueToken(orgUrl: string, position: number, nowMs: number): string {
    const token = this.#mint(nowMs);
    this.#statements.issueToken.run(token, this.#organization(orgUrl), position, nowMs);
    return token;
  }

  /** What a token refers to; `undefined` for one that was never issued for this organization. */
  findToken(orgUrl: string, token: string): { position: number; issuedMs: number } | undefined {
    const row = this.#statements.token.get(token.toLowerCase(), this.#organization(orgUrl));
    return row && { position: Number(row.position), issuedMs: Number(row.issuedMs) };
  }

  #organization(orgUrl: string): number {
    const row = this.#statements.organization.get(orgUrl);
    if (row === undefined) {
      throw new OrglogError(
        'configuration',
        `the provider stand-in has no organization ${orgUrl}: name one it was started with`,
      );
    }
    return Number(row.id);
  }

  #end(org: number): { position: number; highMs: number } {
    const row = this.#statements.end.get(org);
    return { position: Number(row?.position ?? 0), highMs: Number(row?.highMs ?? 0) };
  }
}

/** What is stored of an event: its compact JSON, and what filters compare. */
export function toRawEvent(event: LogEvent): RawEvent {
  return {
    json: JSON.stringify(event),
    timeMs: Date.parse(event.timeStampISO),
    service: event.service,
    logType: event.logType,
    logSubtype: event.logSubtype,
    tenant: event.tenant,
  };
}
