import { gunzipSync, gzipSync } from 'node:zlib';
import { collect } from '../../../functions/core/collect.ts';
import type { Clock, Compressor, Outbox, WriteRequest } from '../../../functions/core/ports.ts';
import type { RunEvent, RunPorts, RunReport, RunSettings } from '../../../functions/core/run.ts';
import { MemoryArchive } from '../../memory/memory-archive.ts';
import { MemoryCursorStore } from '../../memory/memory-cursor-store.ts';
import { Fuse } from './fuse.ts';
import { VirtualProvider, type VirtualProviderOptions } from './virtual-provider.ts';

export const MINUTE = 60_000;
export const NOON = Date.UTC(2026, 0, 2, 12);
export const DESTINATIONS = ['siem', 'lake'];
const ROW = { org: 'institution', stream: 'logs' };

/** Something that became true, in the order in which it did. */
export type Trace =
  | { readonly kind: 'put'; readonly key: string }
  | { readonly kind: 'sent'; readonly destination: string; readonly key: string; readonly body: string }
  | { readonly kind: 'recorded'; readonly announced: Readonly<Record<string, number>> };

export interface WorldOptions extends Partial<Omit<VirtualProviderOptions, 'now'>> {
  readonly settings?: Partial<RunSettings>;
  readonly destinations?: readonly string[];
  readonly startAt?: number;
  /** False leaves objects uncompressed: the core does not look into them but to remove overlaps. */
  readonly gzip?: boolean;
  readonly newCompressor?: () => Compressor;
  /** Jitter, and the epochs of new rows; 0.5 unless given. */
  readonly random?: () => number;
}

/** Everything a run meets, in memory and virtual time; what it holds survives the runs. */
export class World {
  now: number;
  readonly cursors = new MemoryCursorStore();
  readonly archive = new MemoryArchive();
  readonly provider: VirtualProvider;
  readonly trace: Trace[] = [];
  readonly events: RunEvent[] = [];
  readonly slept: number[] = [];
  /** Destinations whose queue refuses every message. */
  readonly refusing = new Set<string>();
  settings: RunSettings;
  private readonly destinations: readonly string[];
  private readonly gzip: boolean;
  private readonly newCompressor: () => Compressor;
  private readonly random: () => number;
  private runs = 0;

  constructor(options: WorldOptions = {}) {
    const {
      settings,
      destinations = DESTINATIONS,
      backlog = 0,
      produced,
      startAt = NOON,
      gzip = true,
    } = options;
    this.gzip = gzip;
    this.newCompressor = options.newCompressor ?? (() => instantCompressor(gzip));
    this.random = options.random ?? (() => 0.5);
    this.now = startAt;
    this.destinations = destinations;
    this.provider = new VirtualProvider({ now: () => this.now, backlog, ...(produced && { produced }) });
    this.settings = {
      org: ROW.org,
      baseUrl: 'https://provider.example',
      orgUrl: 'https://institution.edu/',
      filters: {},
      limit: 3,
      onStaleToken: 'continue',
      minIntervalMs: 0,
      batchBytes: 1,
      leaseMs: 4.5 * MINUTE,
      maxAttempts: 6,
      ...settings,
    };
  }

  /** One run, `afterMs` after the last one was started. */
  async run(fuse = new Fuse(), afterMs = 5 * MINUTE): Promise<RunReport> {
    if (this.runs > 0) this.now += afterMs;
    return this.start(fuse).report;
  }

  /** A run under way. */
  start(fuse = new Fuse()): { report: Promise<RunReport>; stopReading: AbortController } {
    const stopReading = new AbortController();
    const context = {
      owner: `run-${++this.runs}`,
      readUntil: this.now + 3.5 * MINUTE,
      stopReading: stopReading.signal,
      signal: new AbortController().signal,
    };
    return { report: collect(this.ports(fuse), this.settings, context), stopReading };
  }

  row() {
    return this.cursors.peek(ROW);
  }

  /** What the archive holds under the committed keys, in order. */
  committedLines(): string[] {
    return this.committedKeys().flatMap((key) => this.linesOf(key));
  }

  committedKeys(): string[] {
    const { sequence = 0, epoch = '' } = this.row() ?? {};
    const bySequence = (key: string) => Number(/-(\d{12})\.ndjson\.gz$/.exec(key)?.[1]);
    return [...this.archive.objects.keys()]
      .filter((key) => key.includes(`/${epoch}-`) && bySequence(key) <= sequence)
      .sort((a, b) => bySequence(a) - bySequence(b));
  }

  linesOf(key: string): string[] {
    const object = this.archive.objects.get(key);
    if (object === undefined) throw new Error(`nothing is archived at ${key}`);
    const plain = this.gzip ? gunzipSync(object.bytes) : object.bytes;
    return plain.toString().split('\n').slice(0, -1);
  }

  /** Keys announced to a destination, repeats included. */
  announced(destination: string): string[] {
    return this.trace.flatMap((entry) =>
      entry.kind === 'sent' && entry.destination === destination ? [entry.key] : [],
    );
  }

  private ports(fuse: Fuse): RunPorts {
    const clock: Clock = {
      now: () => this.now,
      sleep: async (delayMs) => {
        this.slept.push(delayMs);
        this.now += delayMs;
      },
    };
    return {
      cursors: fuse.guard(this.tracedCursors()),
      archive: fuse.guard(this.tracedArchive()),
      outboxes: new Map(this.destinations.map((id) => [id, fuse.guard(this.outbox(id))])),
      source: fuse.guard(this.provider),
      clock,
      random: this.random,
      newCompressor: this.newCompressor,
      observe: (event) => this.events.push(event),
    };
  }

  private tracedCursors() {
    return {
      acquire: this.cursors.acquire.bind(this.cursors),
      read: this.cursors.read.bind(this.cursors),
      write: async (request: WriteRequest, signal: AbortSignal) => {
        const answer = await this.cursors.write(request, signal);
        if (answer === 'written' && request.set.announced)
          this.trace.push({ kind: 'recorded', announced: request.set.announced });
        return answer;
      },
    };
  }

  private tracedArchive() {
    return {
      bucket: this.archive.bucket,
      region: this.archive.region,
      head: this.archive.head.bind(this.archive),
      get: this.archive.get.bind(this.archive),
      put: async (...args: Parameters<MemoryArchive['put']>) => {
        const stored = await this.archive.put(...args);
        if (stored !== 'exists') this.trace.push({ kind: 'put', key: args[0].key });
        return stored;
      },
    };
  }

  private outbox(destination: string): Outbox {
    return {
      send: async (body) => {
        if (this.refusing.has(destination)) throw new Error(`${destination} refuses`);
        const key = decodeURIComponent(JSON.parse(body).Records[0].s3.object.key);
        this.trace.push({ kind: 'sent', destination, key, body });
      },
    };
  }
}

/** Compresses at the end and at once, so that a simulation depends on no thread. */
function instantCompressor(gzip: boolean): Compressor {
  const written: Buffer[] = [];
  return {
    write: async (bytes) => {
      written.push(Buffer.from(bytes));
    },
    get size() {
      return written.reduce((sum, bytes) => sum + bytes.length, 0);
    },
    finish: async () => (gzip ? [gzipSync(Buffer.concat(written))] : written),
    discard: () => {},
  };
}
