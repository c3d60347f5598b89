import { collect } from '../../functions/core/collect.ts';
import { objectKey } from '../../functions/core/keys.ts';
import type { Compressor } from '../../functions/core/ports.ts';
import type { RunReport, RunSettings } from '../../functions/core/run.ts';
import { createRandom, mixSeeds, type Random } from '../../local/provider/random.ts';
import { status, VirtualProvider } from '../core/simulation/virtual-provider.ts';
import { MemoryArchive } from '../memory/memory-archive.ts';
import type { MemoryCursorStore } from '../memory/memory-cursor-store.ts';
import { type Call, metered } from './metered-ports.ts';
import type { VirtualTime } from './virtual-time.ts';

/** As deployed: infra/cost/model.ts counts with two. */
export const DESTINATIONS = ['splunk', 'elastic'] as const;
/** Small, so that many pages need few events. */
export const PAGE_EVENTS = 10;
const LEASE_MS = 280_000;
const READ_MS = 200_000;
/** The longest run makes this many calls, more or less. */
const CALLS_OF_A_RUN = 11;

export type How = RunReport['outcome'] | 'died';

export interface OrganizationOptions {
  readonly id: string;
  readonly time: VirtualTime;
  readonly cursors: MemoryCursorStore;
  readonly seed: number;
  /** Whether its provider fails now and then. */
  readonly isTroubled: boolean;
}

/** One of many organizations: a provider of its own, a folder of the archive, and a row in the table that all share. */
export class Organization {
  readonly id: string;
  readonly calls = new Map<Call, number>();
  readonly #time: VirtualTime;
  readonly #cursors: MemoryCursorStore;
  readonly #random: Random;
  readonly #provider: VirtualProvider;
  readonly #archive = new MemoryArchive();
  readonly #announced = new Map<string, Set<string>>(DESTINATIONS.map((id) => [id, new Set()]));
  #runs = 0;
  /** Runs that hold the lease, and are alive. */
  #holders = 0;
  /** How often two held it at once. */
  conflicts = 0;

  constructor({ id, time, cursors, seed, isTroubled }: OrganizationOptions) {
    this.id = id;
    this.#time = time;
    this.#cursors = cursors;
    this.#random = createRandom(seed);
    this.#provider = new VirtualProvider({ now: time.now, backlog: 3 });
    if (isTroubled) {
      const trouble = createRandom(mixSeeds(seed, 1));
      this.#provider.script = () => (trouble.chance(0.03) ? status(503) : undefined);
    }
  }

  /** Events that the provider logs now. */
  happen(count: number): void {
    this.#provider.append(count);
  }

  /** One run. @param mayDie whether it dies at some call */
  async run(mayDie: boolean): Promise<{ readonly how: How; readonly report?: RunReport }> {
    const died = Promise.withResolvers<{ how: How }>();
    let holds = false;
    const letGo = () => {
      if (holds) this.#holders--;
      holds = false;
    };
    const ports = metered(
      {
        cursors: this.#cursors,
        archive: this.#archive,
        source: this.#provider,
        outboxes: new Map(DESTINATIONS.map((id) => [id, { send: async (body) => this.#hear(id, body) }])),
      },
      {
        clock: this.#time,
        random: this.#random,
        onCall: (call) => this.calls.set(call, (this.calls.get(call) ?? 0) + 1),
        ...(mayDie && { diesAt: this.#random.whole(0, CALLS_OF_A_RUN) }),
        onDeath: () => {
          letGo();
          died.resolve({ how: 'died' });
        },
      },
    );
    const cursors: typeof ports.cursors = {
      ...ports.cursors,
      acquire: async (request, signal) => {
        const acquired = await ports.cursors.acquire(request, signal);
        if (acquired.kind === 'held') {
          holds = true;
          if (++this.#holders > 1) this.conflicts++;
        }
        return acquired;
      },
      // It is given up by the time the next one can have it.
      write: (request, signal) => {
        if (request.release) letGo();
        return ports.cursors.write(request, signal);
      },
    };
    const never = new AbortController().signal;
    const context = {
      owner: `${this.id}-${++this.#runs}`,
      readUntil: this.#time.now() + READ_MS,
      ...{ stopReading: never, signal: never },
    };
    const all = { ...ports, cursors, ...REST, clock: this.#time, random: () => this.#random.next() };
    const ended = collect(all, { ...SETTINGS, org: this.id }, context).then((report) => {
      letGo();
      return { how: report.outcome, report };
    });
    return await Promise.race([ended, died.promise]);
  }

  /** What is not as it must be after the last run, in words. */
  get faults(): string[] {
    const row = this.#cursors.peek({ org: this.id, stream: 'logs' });
    if (row === undefined) return [`${this.id} has no row`];
    const lines: string[] = [];
    const keys: string[] = [];
    for (let sequence = 1; sequence <= row.sequence; sequence++) {
      const key = objectKey(row, sequence) ?? '';
      keys.push(key);
      const object = this.#archive.objects.get(key);
      if (object === undefined) return [`${this.id}: batch ${sequence} is gone`];
      lines.push(...Buffer.from(object.bytes).toString().split('\n').slice(0, -1));
    }
    const faults: string[] = [];
    if (lines.join('\n') !== this.#provider.lines.join('\n')) {
      faults.push(
        `${this.id}: ${lines.length} events archived of ${this.#provider.lines.length}, or not in order`,
      );
    }
    for (const [destination, heard] of this.#announced) {
      const missed = keys.filter((key) => !heard.has(key)).length;
      if (missed > 0) faults.push(`${this.id}: ${missed} batches not announced to ${destination}`);
    }
    if (this.conflicts > 0) faults.push(`${this.id}: two runs held the lease at once`);
    return faults;
  }

  #hear(destination: string, body: string): void {
    this.#announced.get(destination)?.add(decodeURIComponent(JSON.parse(body).Records[0].s3.object.key));
  }
}

const SETTINGS: Omit<RunSettings, 'org'> = {
  baseUrl: 'https://provider.example',
  orgUrl: 'https://institution.edu/',
  filters: {},
  limit: PAGE_EVENTS,
  onStaleToken: 'halt',
  minIntervalMs: 240_000,
  batchBytes: 8 * 1024 * 1024,
  leaseMs: LEASE_MS,
  maxAttempts: 5,
};

const REST = { newCompressor: instantCompressor, observe: () => {} };

/** Hands over what it was given, at once: virtual time waits for no thread. */
function instantCompressor(): Compressor {
  const written: Buffer[] = [];
  return {
    write: async (bytes) => {
      written.push(Buffer.from(bytes));
    },
    size: 0,
    finish: async () => written,
    discard: () => {},
  };
}
