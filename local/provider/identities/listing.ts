import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Place, StoredIdentity } from './record.ts';
import { COLUMNS, type IdentityStore } from './store.ts';
import { folded } from './words.ts';

/** What can be sorted by, and the column that holds it. */
const SORTED = {
  id: 'id',
  uid: 'uid',
  sn: 'sn',
  givenName: 'given_name',
  mail: 'mail',
  createTime: 'created_ms',
  lastUpdateTime: 'updated_ms',
} as const;

export type SortedBy = keyof typeof SORTED;

export interface PageRequest {
  /** From 1. */
  readonly pageIndex: number;
  readonly pageSize: number;
  readonly sortedBy: SortedBy;
  readonly sortOrder: 'asc' | 'desc';
}

export interface Search {
  readonly term: string;
  /** Whether hosted credentials are looked at as well. */
  readonly hosted: boolean;
}

export interface StoredIdentityPage {
  readonly items: readonly StoredIdentity[];
  readonly totalItems: number;
}

/** Which identities are listed: a table to read rows from, and what must hold of them. */
interface Selection {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SQLInputValue[];
  /** The columns of `from` that name the identity and say when it was created. */
  readonly row: string;
  readonly created: string;
}

const FOUND = '(instr(i.words, ?) > 0 OR (? AND instr(i.hosted_words, ?) > 0))';

/** Pages of identities by every sort key. Ties are broken by order of creation; descending is ascending backwards. */
export class IdentityListing {
  readonly #db: DatabaseSync;
  readonly #store: IdentityStore;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #counts = new Map<string, number>();
  #countedAt = -1;

  constructor(db: DatabaseSync, store: IdentityStore) {
    this.#db = db;
    this.#store = store;
  }

  /** How many there are at a place. */
  count(place: Place): number {
    return this.#count(this.#everyone(place));
  }

  page(place: Place, request: PageRequest, search: Search | undefined): StoredIdentityPage {
    return this.#page(search ? this.#matching(place, search) : this.#everyone(place), request);
  }

  /** Those that hold a collection of an authority: any, or the one with this uid. */
  pageOfHolders(
    place: Place,
    { authority, uid }: { readonly authority: string; readonly uid: string | undefined },
    request: PageRequest,
  ): StoredIdentityPage {
    const space = this.#store.space(place);
    if (uid === undefined) {
      return this.#page(
        {
          from: 'identity_members m',
          where: 'm.space = ? AND m.authority = ?',
          values: [space, authority],
          row: 'm.identity',
          created: 'm.created_ms',
        },
        request,
      );
    }
    return this.#page(
      {
        from: 'identity_links l JOIN identities i ON i.id = l.identity',
        where: 'l.space = ? AND l.authority = ? AND l.uid = ?',
        values: [space, authority, uid],
        row: 'i.id',
        created: 'i.created_ms',
      },
      request,
    );
  }

  /** Identifiers of all that match, in order of creation. */
  search(place: Place, search: Search): string[] {
    const { from, where, values } = this.#matching(place, search);
    const sql = `SELECT i.uid FROM ${from} WHERE ${where} ORDER BY i.created_ms, i.id`;
    return this.#statement(sql)
      .all(...values)
      .map(({ uid }) => String(uid));
  }

  #everyone(place: Place): Selection {
    return {
      from: 'identities i',
      where: 'i.space = ?',
      values: [this.#store.space(place)],
      row: 'i.id',
      created: 'i.created_ms',
    };
  }

  #matching(place: Place, { term, hosted }: Search): Selection {
    const everyone = this.#everyone(place);
    const text = folded(term);
    return {
      ...everyone,
      where: `${everyone.where} AND ${FOUND}`,
      values: [...everyone.values, text, Number(hosted), text],
    };
  }

  #page(selection: Selection, { pageIndex, pageSize, sortedBy, sortOrder }: PageRequest): StoredIdentityPage {
    const totalItems = this.#count(selection);
    const start = (pageIndex - 1) * pageSize;
    const count = Math.max(0, Math.min(pageSize, totalItems - start));
    if (count === 0) return { items: [], totalItems };
    // Rows that are left out are walked over one by one: from the nearer end, so over half of them at most.
    const fromEnd = start > totalItems / 2;
    const direction = (sortOrder === 'asc') === fromEnd ? 'DESC' : 'ASC';
    const skipped = fromEnd ? totalItems - start - count : start;
    const sql = rowsOf(selection, sortedBy, direction);
    const rows = this.#statement(sql).all(...selection.values, count, skipped);
    const items = rows.map((row) => this.#store.toIdentity(row));
    return { items: fromEnd ? items.reverse() : items, totalItems };
  }

  /** Counting looks at every row: it is done once for as long as nothing changes. */
  #count({ from, where, values }: Selection): number {
    if (this.#countedAt !== this.#store.generation) this.#counts.clear();
    this.#countedAt = this.#store.generation;
    const key = JSON.stringify([from, where, values]);
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const row = this.#statement(`SELECT count(*) AS count FROM ${from} WHERE ${where}`).get(...values);
    const count = Number(row?.count);
    this.#counts.set(key, count);
    return count;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

// The inner query walks an index (by creation time) or sorts bare keys; whole rows are read for the page alone.
function rowsOf(
  { from, where, row, created }: Selection,
  sortedBy: SortedBy,
  direction: 'ASC' | 'DESC',
): string {
  const inOrder = (column: string, id: string) => `${column} ${direction}, ${id} ${direction}`;
  const outer = inOrder(`i.${SORTED[sortedBy]}`, 'i.id');
  const joined = from.includes('identities i') ? from : `${from} JOIN identities i ON i.id = ${row}`;
  const [source, inner] =
    sortedBy === 'createTime'
      ? [from, inOrder(created, row)]
      : [joined, inOrder(`i.${SORTED[sortedBy]}`, row)];
  return `
    SELECT ${COLUMNS} FROM identities i
    WHERE i.id IN (SELECT ${row} FROM ${source} WHERE ${where} ORDER BY ${inner} LIMIT ? OFFSET ?)
    ORDER BY ${outer}`;
}
