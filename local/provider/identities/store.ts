import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { IdentityEnvironment } from '../../../functions/core/identities/identity.ts';
import { accountOf } from './hosted.ts';
import {
  isSame,
  type NewIdentity,
  type Place,
  type StoredCollection,
  type StoredIdentity,
} from './record.ts';
import { wordsOf } from './words.ts';

// An identity is one row, its collections inside it as JSON. `links` finds it by a collection, `members` lists those
// that hold a collection of an authority in the order of their creation without looking at any other identity.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS identity_spaces (
    id INTEGER PRIMARY KEY,
    org_url TEXT NOT NULL,
    environment TEXT NOT NULL,
    UNIQUE (org_url, environment)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    uid TEXT NOT NULL UNIQUE,
    mail TEXT,
    given_name TEXT,
    sn TEXT,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    collections TEXT NOT NULL,
    words TEXT NOT NULL,
    hosted_words TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS identities_by_creation ON identities (space, created_ms, id);
  CREATE INDEX IF NOT EXISTS identities_by_mail ON identities (space, lower(mail));
  CREATE TABLE IF NOT EXISTS identity_links (
    space INTEGER NOT NULL,
    authority TEXT NOT NULL,
    uid TEXT NOT NULL,
    identity INTEGER NOT NULL,
    account TEXT,
    PRIMARY KEY (space, authority, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS links_by_account ON identity_links (space, account) WHERE account IS NOT NULL;
  CREATE TABLE IF NOT EXISTS identity_members (
    space INTEGER NOT NULL,
    authority TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    PRIMARY KEY (space, authority, created_ms, identity)
  ) STRICT, WITHOUT ROWID;
`;

/** The columns that `toIdentity` reads. */
export const COLUMNS = `i.id, i.space, i.uid, i.mail, i.given_name AS givenName, i.sn,
  i.created_ms AS createdMs, i.updated_ms AS updatedMs, i.collections`;

const CHUNK = 500;

/**
 * The identity half of the stand-in's state. It keeps what it is given: who may do what, and what contradicts what is
 * there, is for others to decide. Callers open the transaction.
 */
export class IdentityStore {
  readonly #statements;
  readonly #spaces = new Map<string, number>();
  readonly #places = new Map<number, Place>();
  #generation = 0;

  constructor(db: DatabaseSync, orgUrls: readonly string[]) {
    db.exec(SCHEMA);
    const addSpace = db.prepare(
      'INSERT INTO identity_spaces (org_url, environment) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    const space = db.prepare('SELECT id FROM identity_spaces WHERE org_url = ? AND environment = ?');
    for (const orgUrl of orgUrls) {
      for (const environment of ['test', 'prod'] satisfies IdentityEnvironment[]) {
        addSpace.run(orgUrl, environment);
        const id = Number(space.get(orgUrl, environment)?.id);
        this.#spaces.set(`${environment} ${orgUrl}`, id);
        this.#places.set(id, { orgUrl, environment });
      }
    }
    this.#statements = {
      insert: db.prepare(
        `INSERT INTO identities (space, uid, mail, given_name, sn, created_ms, updated_ms, collections, words,
           hosted_words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      update: db.prepare(
        `UPDATE identities SET mail = ?, given_name = ?, sn = ?, updated_ms = ?, collections = ?, words = ?,
           hosted_words = ? WHERE id = ?`,
      ),
      remove: db.prepare('DELETE FROM identities WHERE id = ?'),
      link: db.prepare('INSERT INTO identity_links VALUES (?, ?, ?, ?, ?)'),
      unlink: db.prepare('DELETE FROM identity_links WHERE space = ? AND authority = ? AND uid = ?'),
      join: db.prepare('INSERT INTO identity_members VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
      leave: db.prepare(
        'DELETE FROM identity_members WHERE space = ? AND authority = ? AND created_ms = ? AND identity = ?',
      ),
      byUid: db.prepare(`SELECT ${COLUMNS} FROM identities i WHERE uid = ?`),
      byMail: db.prepare(
        'SELECT uid FROM identities WHERE space = ? AND lower(mail) = lower(?) ORDER BY created_ms, id',
      ),
      byLink: db.prepare(
        `SELECT i.uid FROM identity_links l JOIN identities i ON i.id = l.identity
         WHERE l.space = ? AND l.authority = ? AND l.uid = ?`,
      ),
      byAccount: db.prepare(
        `SELECT i.uid FROM identity_links l INDEXED BY links_by_account JOIN identities i ON i.id = l.identity
         WHERE l.space = ? AND l.account = ?`,
      ),
      chunk: db.prepare(
        `SELECT ${COLUMNS} FROM identities i NOT INDEXED WHERE space = ? AND id > ? ORDER BY id LIMIT ${CHUNK}`,
      ),
      from: db.prepare(
        `SELECT ${COLUMNS} FROM identities i NOT INDEXED WHERE space = ? AND id >= ? ORDER BY id LIMIT 1`,
      ),
      highest: db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'identities'`),
    };
  }

  /** Another number after each change: for those who keep counts. */
  get generation(): number {
    return this.#generation;
  }

  /** The number of a place. Throws an `OrglogError` (`configuration`) for an organization that is not known. */
  space({ orgUrl, environment }: Place): number {
    const space = this.#spaces.get(`${environment} ${orgUrl}`);
    if (space !== undefined) return space;
    throw new OrglogError(
      'configuration',
      `the provider stand-in has no identities of ${orgUrl} (${environment}): name an organization it was started with`,
    );
  }

  insert(identity: NewIdentity): StoredIdentity {
    const space = this.space(identity);
    const words = wordsOf(identity);
    const { lastInsertRowid } = this.#statements.insert.run(
      space,
      identity.uid,
      identity.mail,
      identity.givenName,
      identity.sn,
      identity.createdMs,
      identity.updatedMs,
      JSON.stringify(identity.collections),
      words.open,
      words.hosted,
    );
    const stored = { ...identity, row: Number(lastInsertRowid) };
    for (const collection of identity.collections) this.#link(space, stored, collection);
    this.#generation += 1;
    return stored;
  }

  /** Put `after` in the place of `before`: two states of one identity. */
  replace(before: StoredIdentity, after: StoredIdentity): void {
    const space = this.space(before);
    const words = wordsOf(after);
    this.#statements.update.run(
      after.mail,
      after.givenName,
      after.sn,
      after.updatedMs,
      JSON.stringify(after.collections),
      words.open,
      words.hosted,
      after.row,
    );
    const gone = before.collections.filter((each) => !after.collections.some((other) => isSame(each, other)));
    const come = after.collections.filter((each) => !before.collections.some((other) => isSame(each, other)));
    for (const { authority, uid } of gone) {
      this.#statements.unlink.run(space, authority, uid);
      if (after.collections.some((each) => each.authority === authority)) continue;
      this.#statements.leave.run(space, authority, before.createdMs, before.row);
    }
    for (const collection of come) this.#link(space, after, collection);
    this.#generation += 1;
  }

  remove(identity: StoredIdentity): void {
    this.replace(identity, { ...identity, collections: [] });
    this.#statements.remove.run(identity.row);
  }

  find(uid: string): StoredIdentity | undefined {
    const row = this.#statements.byUid.get(uid);
    return row && this.toIdentity(row);
  }

  /** Identifiers of those with this address, whatever its letter case. */
  withMail(place: Place, mail: string): string[] {
    return this.#statements.byMail.all(this.space(place), mail).map(({ uid }) => String(uid));
  }

  /** Identifier of the one that holds this collection. */
  holderOf(
    place: Place,
    { authority, uid }: Pick<StoredCollection, 'authority' | 'uid'>,
  ): string | undefined {
    return textOf(this.#statements.byLink.get(this.space(place), authority, uid)?.uid);
  }

  /** Identifier of the one that the hosted credential for this address is linked to. */
  holderOfAccount(place: Place, email: string): string | undefined {
    return textOf(this.#statements.byAccount.get(this.space(place), email.toLowerCase())?.uid);
  }

  /** All of a place in the order of their creation. What is added while it is read is read too. */
  *all(place: Place): Generator<StoredIdentity> {
    const space = this.space(place);
    let after = 0;
    for (;;) {
      const rows = this.#statements.chunk.all(space, after);
      for (const row of rows) yield this.toIdentity(row);
      if (rows.length < CHUNK) return;
      after = Number(rows.at(-1)?.id);
    }
  }

  /** The first of a place at this row or after it. */
  atOrAfter(place: Place, row: number): StoredIdentity | undefined {
    const found = this.#statements.from.get(this.space(place), row);
    return found && this.toIdentity(found);
  }

  /** The highest row ever used: the next identity gets one above it. */
  get highestRow(): number {
    return Number(this.#statements.highest.get()?.seq ?? 0);
  }

  toIdentity(row: Record<string, SQLOutputValue>): StoredIdentity {
    const place = this.#places.get(Number(row.space));
    if (place === undefined) throw new Error(`an identity lies in space ${row.space}, which nobody has`);
    return {
      ...place,
      row: Number(row.id),
      uid: String(row.uid),
      mail: textOf(row.mail) ?? null,
      givenName: textOf(row.givenName) ?? null,
      sn: textOf(row.sn) ?? null,
      createdMs: Number(row.createdMs),
      updatedMs: Number(row.updatedMs),
      collections: JSON.parse(String(row.collections)),
    };
  }

  #link(space: number, { row, createdMs }: StoredIdentity, collection: StoredCollection): void {
    const { authority, uid } = collection;
    this.#statements.link.run(space, authority, uid, row, accountOf(collection));
    this.#statements.join.run(space, authority, createdMs, row);
  }
}

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
