import { createHash } from 'node:crypto';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { BOUNDS, type Bounds } from '../../../functions/core/identities/bounds.ts';
import type { FeedEvent } from '../../../functions/core/identities/feed.ts';
import type { Identity } from '../../../functions/core/identities/identity.ts';
import type {
  SyncEvent,
  SyncPorts,
  SyncReport,
  SyncSettings,
} from '../../../functions/core/identities/ports.ts';
import { fromToken } from '../../../functions/core/identities/position.ts';
import { syncIdentities } from '../../../functions/core/identities/sync.ts';
import type { Archive, Compressor, Outbox } from '../../../functions/core/ports.ts';
import { MemoryArchive } from '../../memory/memory-archive.ts';
import { MemoryCursorStore } from '../../memory/memory-cursor-store.ts';
import { Fuse } from '../simulation/fuse.ts';
import { VirtualDirectory } from './virtual-directory.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const NOON = Date.UTC(2026, 0, 2, 12);
export const DESTINATIONS = ['siem', 'lake'];
export const ROW = { org: 'institution', stream: 'identities.prod' };

export interface SyncWorldOptions {
  readonly settings?: Partial<SyncSettings>;
  readonly pageSize?: number;
  readonly windowPages?: number;
  readonly partitionSize?: number;
}

/** Everything a sync meets, in memory and virtual time; what it holds survives the runs. */
export class SyncWorld {
  now = NOON;
  readonly cursors = new MemoryCursorStore();
  readonly archive = new MemoryArchive();
  readonly directory: VirtualDirectory;
  readonly events: SyncEvent[] = [];
  /** Keys announced, repeats included, by destination. */
  readonly sent = new Map<string, string[]>(DESTINATIONS.map((id) => [id, []]));
  readonly refusing = new Set<string>();
  settings: SyncSettings;
  bounds: Partial<Bounds>;
  /** Wraps the archive of the runs to come. */
  wrapArchive: (archive: Archive) => Archive = (archive) => archive;
  pseudonymKey = 'k1';
  private runs = 0;

  constructor(options: SyncWorldOptions = {}) {
    const { pageSize = 2, windowPages = 2, partitionSize = 4, settings } = options;
    this.directory = new VirtualDirectory(() => this.now, pageSize);
    this.bounds = { windowPages, partitionSize };
    this.settings = {
      org: ROW.org,
      environment: 'prod',
      baseUrl: 'https://provider.example',
      everyMs: DAY,
      redact: [],
      pseudonymKeyId: 'k1',
      snapshots: 'first',
      batchBytes: 1,
      leaseMs: 4.5 * MINUTE,
      ...settings,
    };
  }

  /** Another world in which all that was until now has been, and that goes on by itself. */
  async fork(): Promise<SyncWorld> {
    const fork = new SyncWorld({ settings: this.settings });
    fork.bounds = this.bounds;
    fork.now = this.now;
    fork.runs = this.runs;
    fork.directory.become(this.directory);
    const row = this.row();
    if (row) fork.cursors.poke(row);
    const { signal } = new AbortController();
    for (const [key, { bytes, contentType, metadata }] of this.archive.objects) {
      await fork.archive.put({ key, body: [bytes], contentType, metadata }, signal);
    }
    for (const [id, keys] of this.sent) fork.sent.set(id, [...keys]);
    return fork;
  }

  /** One run, `afterMs` after the last one was started. */
  async run(fuse = new Fuse(), afterMs = 15 * MINUTE): Promise<SyncReport> {
    if (this.runs > 0) this.now += afterMs;
    return this.start(fuse).report;
  }

  /** A run under way. */
  start(fuse = new Fuse()): { report: Promise<SyncReport>; stopReading: AbortController } {
    const stopReading = new AbortController();
    const context = {
      owner: `run-${++this.runs}`,
      readUntil: this.now + 3.5 * MINUTE,
      stopReading: stopReading.signal,
      signal: new AbortController().signal,
    };
    return {
      report: syncIdentities(this.ports(fuse), this.settings, context, { ...BOUNDS, ...this.bounds }),
      stopReading,
    };
  }

  /** Runs until no walk is under way. */
  async untilIdle(most = 60): Promise<SyncReport> {
    for (let i = 0; i < most; i++) {
      const report = await this.run();
      const idle = this.row() !== undefined && this.position().phase === 'idle';
      if (idle && report.outcome !== 'failed' && this.position().last !== undefined) return report;
    }
    throw new Error(`no walk ends: ${JSON.stringify(this.row())}`);
  }

  /** The next walk, to its end. */
  async nextWalk(): Promise<SyncReport> {
    this.now += DAY;
    return this.untilIdle();
  }

  row() {
    return this.cursors.peek(ROW);
  }

  position() {
    return fromToken(this.row()?.token);
  }

  /** Committed feed objects, in order. */
  feedKeys(): string[] {
    const sequence = this.row()?.sequence ?? 0;
    return [...this.archive.objects.keys()]
      .filter((key) => key.startsWith('identities/') && sequenceOf(key) <= sequence)
      .sort((a, b) => sequenceOf(a) - sequenceOf(b));
  }

  feed(): FeedEvent[] {
    return this.feedKeys().flatMap((key) => this.lines<FeedEvent>(key));
  }

  /** What happened, of one walk: `action serviceUid`. */
  happened(walk: number): string[] {
    return this.feed()
      .filter((event) => event.walk === walk)
      .map(({ action, serviceUid }) => `${action} ${serviceUid}`);
  }

  /** The snapshot of a finished walk, by partition. */
  snapshot(walk: number): Identity[] {
    const folder = `-${String(walk).padStart(6, '0')}/snapshot-`;
    const partitionIn = (key: string) => Number(/snapshot-(\d+)/.exec(key)?.[1]);
    return [...this.archive.objects.keys()]
      .filter((key) => key.includes(folder))
      .sort((a, b) => partitionIn(a) - partitionIn(b))
      .flatMap((key) => this.lines<Identity>(key));
  }

  lines<T>(key: string): T[] {
    const object = this.archive.objects.get(key);
    if (object === undefined) throw new Error(`nothing is archived at ${key}`);
    return gunzipSync(object.bytes)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T);
  }

  private ports(fuse: Fuse): SyncPorts {
    return {
      cursors: fuse.guard(this.cursors),
      archive: fuse.guard(this.wrapArchive(this.archive)),
      outboxes: new Map(DESTINATIONS.map((id) => [id, fuse.guard(this.outbox(id))])),
      source: fuse.guard(this.directory),
      clock: { now: () => this.now, sleep: async () => {} },
      random: () => 0.5,
      newCompressor: instantGzip,
      pseudonym: (value) =>
        createHash('sha256').update(`${this.pseudonymKey}:${value}`).digest('hex').slice(0, 12),
      observe: (event) => this.events.push(event),
    };
  }

  private outbox(destination: string): Outbox {
    return {
      send: async (body) => {
        if (this.refusing.has(destination)) throw new Error(`${destination} refuses`);
        this.sent.get(destination)?.push(decodeURIComponent(JSON.parse(body).Records[0].s3.object.key));
      },
    };
  }
}

function sequenceOf(key: string): number {
  return Number(/-(\d{12})\.ndjson\.gz$/.exec(key)?.[1]);
}

/** Compresses at the end and at once, so that a simulation depends on no thread. */
function instantGzip(): Compressor {
  const written: Buffer[] = [];
  return {
    write: async (bytes) => {
      written.push(Buffer.from(bytes));
    },
    get size() {
      return written.reduce((sum, bytes) => sum + bytes.length, 0);
    },
    finish: async () => [stored(Buffer.concat(written))],
    discard: () => {},
  };
}

/** A gzip member that stores its bytes (RFC 1952 around RFC 1951, 3.2.4): zlib's own set-up would be most of the time. */
function stored(bytes: Buffer): Buffer {
  if (bytes.length > 0xffff) return gzipSync(bytes);
  const head = Buffer.from([31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 11);
  head.writeUInt16LE(bytes.length ^ 0xffff, 13);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, tail]);
}
