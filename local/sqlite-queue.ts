import type { StatementSync } from 'node:sqlite';
import { LONGEST_HIDING_MS } from '../functions/core/delivery/visibility.ts';
import type { DeadLetter, OperatorQueue, QueueStanding } from '../functions/core/operate/ports.ts';
import type { ReceivedMessage } from '../functions/core/ports.ts';
import type { MessageVisibility } from '../functions/core/ports-delivery.ts';
import { throwIfAborted } from './aborted.ts';
import type { Database } from './sqlite.ts';

export interface SqliteQueueSettings {
  /** Queues of different names share the database and nothing else. */
  readonly name: string;
  /** How long a received message stays hidden from other receivers. */
  readonly visibilityMs: number;
  /** A message received this often without being removed is set aside as a dead letter by the next receive. */
  readonly maxReceives: number;
  /** No message is hidden longer, whatever the clock said when it was: default 15 minutes, or `visibilityMs`. */
  readonly longestHidingMs?: number;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * One destination's queue in SQLite, as SQS has it. A receipt is the message's id with its receive count: it stops
 * being the current one when the message is received again.
 */
export class SqliteQueue implements OperatorQueue, MessageVisibility {
  readonly #database: Database;
  readonly #settings: SqliteQueueSettings;
  readonly #insert: StatementSync;
  readonly #anyVisible: StatementSync;
  readonly #setAside: StatementSync;
  readonly #take: StatementSync;
  readonly #delete: StatementSync;
  readonly #hide: StatementSync;
  readonly #showAll: StatementSync;
  readonly #count: StatementSync;
  readonly #standing: StatementSync;
  readonly #selectDead: StatementSync;
  readonly #redrive: StatementSync;

  /** The database stays the caller's to close. */
  constructor(database: Database, settings: SqliteQueueSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#insert = database.prepare(
      'INSERT INTO messages (queue, body, queued_at, visible_at) VALUES (?, ?, ?, ?)',
    );
    // A clock that ran wild may have left times that lie further ahead than any hiding can last; and what nobody
    // received was never hidden.
    const shown = '(visible_at <= ? OR visible_at > ? OR receives = 0)';
    const visible = `queue = ? AND dead = 0 AND ${shown}`;
    this.#anyVisible = database.prepare(`SELECT 1 FROM messages WHERE ${visible} LIMIT 1`);
    this.#setAside = database.prepare(`UPDATE messages SET dead = 1 WHERE ${visible} AND receives >= ?`);
    this.#take = database.prepare(
      `UPDATE messages SET visible_at = ?, receives = receives + 1
       WHERE id IN (SELECT id FROM messages WHERE ${visible} ORDER BY id LIMIT ?)
       RETURNING id, body, receives`,
    );
    const current = 'id = ? AND receives = ? AND queue = ? AND dead = 0';
    this.#delete = database.prepare(`DELETE FROM messages WHERE ${current}`);
    this.#hide = database.prepare(`UPDATE messages SET visible_at = ? WHERE ${current}`);
    this.#showAll = database.prepare(
      'UPDATE messages SET visible_at = min(visible_at, ?), receives = 0 WHERE queue = ? AND dead = 0 AND receives > 0',
    );
    this.#count = database.prepare(
      'SELECT dead, count(*) AS count FROM messages WHERE queue = ? GROUP BY dead',
    );
    this.#standing = database.prepare(
      `SELECT dead, count(*) AS count, coalesce(sum(${shown}), 0) AS visible, min(queued_at) AS oldest
       FROM messages WHERE queue = ? GROUP BY dead`,
    );
    this.#selectDead = database.prepare(
      'SELECT body, queued_at, receives FROM messages WHERE queue = ? AND dead = 1 ORDER BY id LIMIT ?',
    );
    this.#redrive = database.prepare(
      'UPDATE messages SET dead = 0, receives = 0, queued_at = ?, visible_at = ? WHERE queue = ? AND dead = 1',
    );
  }

  async send(body: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Sending to queue ${this.#settings.name}`);
    const { name } = this.#settings;
    const now = this.#settings.now();
    this.#database.run('Sending a message', () => this.#insert.run(name, body, now, now));
  }

  async receive(max: number, signal: AbortSignal): Promise<ReceivedMessage[]> {
    throwIfAborted(signal, `Receiving from queue ${this.#settings.name}`);
    const { name, visibilityMs, maxReceives } = this.#settings;
    const now = this.#settings.now();
    const action = 'Receiving messages';
    // A consumer that polls an empty queue takes no write lock and causes no sync.
    const latest = this.#latest(now);
    if (this.#database.run(action, () => this.#anyVisible.get(name, now, latest)) === undefined) return [];
    const rows = this.#database.transaction(action, () => {
      this.#setAside.run(name, now, latest, maxReceives);
      return this.#take.all(now + visibilityMs, name, now, latest, max);
    });
    // RETURNING promises no order; oldest first is what a reader of the logs expects.
    return rows
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map((row) => ({
        body: String(row.body),
        receipt: `${row.id}.${row.receives}`,
        receiveCount: Number(row.receives),
      }));
  }

  async remove(receipt: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Removing from queue ${this.#settings.name}`);
    const [id = '', receives = ''] = receipt.split('.');
    this.#database.run('Removing a message', () => this.#delete.run(id, receives, this.#settings.name));
  }

  async extendVisibility(receipt: string, delayMs: number, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Hiding a message of queue ${this.#settings.name}`);
    const { name, now } = this.#settings;
    const [id = '', receives = ''] = receipt.split('.');
    this.#database.run('Hiding a message', () => this.#hide.run(now() + delayMs, id, receives, name));
  }

  /**
   * Begins anew with every message that was received: visible at once, and as if received for the first time. Only
   * where no consumer is alive: the receipts of earlier ones lapse or come to mean a later receive.
   */
  showAll(): void {
    const { name, now } = this.#settings;
    this.#database.run('Showing messages', () => this.#showAll.run(now(), name));
  }

  async depth(signal: AbortSignal): Promise<{ readonly waiting: number; readonly dead: number }> {
    throwIfAborted(signal, `Counting queue ${this.#settings.name}`);
    const rows = this.#database.run('Counting messages', () => this.#count.all(this.#settings.name));
    const count = (dead: number): number => Number(rows.find((row) => row.dead === dead)?.count ?? 0);
    return { waiting: count(0), dead: count(1) };
  }

  async standing(signal: AbortSignal): Promise<QueueStanding> {
    throwIfAborted(signal, `Counting queue ${this.#settings.name}`);
    const now = this.#settings.now();
    const { name } = this.#settings;
    const latest = this.#latest(now);
    const rows = this.#database.run('Counting messages', () => this.#standing.all(now, latest, name));
    const waiting = rows.find((row) => row.dead === 0);
    const visible = Number(waiting?.visible ?? 0);
    return {
      visible,
      inFlight: Number(waiting?.count ?? 0) - visible,
      ...(waiting !== undefined && { oldestAgeSeconds: Math.max(0, now - Number(waiting.oldest)) / 1000 }),
      dead: Number(rows.find((row) => row.dead === 1)?.count ?? 0),
    };
  }

  async peekDead(max: number, signal: AbortSignal): Promise<readonly DeadLetter[]> {
    throwIfAborted(signal, `Reading the dead letters of queue ${this.#settings.name}`);
    const rows = this.#database.run('Reading dead letters', () =>
      this.#selectDead.all(this.#settings.name, max),
    );
    return rows.map(({ body, queued_at: queuedAt, receives }) => ({
      body: String(body),
      queuedAt: Number(queuedAt),
      receiveCount: Number(receives),
    }));
  }

  /** As SQS does, the letters start anew: queued now, and never received. */
  async redrive(signal: AbortSignal): Promise<number> {
    throwIfAborted(signal, `Redriving the dead letters of queue ${this.#settings.name}`);
    const now = this.#settings.now();
    const { changes } = this.#database.run('Redriving dead letters', () =>
      this.#redrive.run(now, now, this.#settings.name),
    );
    return Number(changes);
  }

  /** When a message that is hidden now shows again at the latest. */
  #latest(now: number): number {
    const { visibilityMs, longestHidingMs = Math.max(visibilityMs, LONGEST_HIDING_MS) } = this.#settings;
    return now + longestHidingMs;
  }
}
