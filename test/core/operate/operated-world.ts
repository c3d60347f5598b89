import { gzipSync } from 'node:zlib';
import { objectKey } from '../../../functions/core/keys.ts';
import type {
  DeployedDestination,
  DeployedOrganization,
  Deployment,
  OperatorQueue,
} from '../../../functions/core/operate/ports.ts';
import type { CursorRow, ObjectMetadata } from '../../../functions/core/ports.ts';
import { never } from '../../contracts/support.ts';
import { MemoryArchive } from '../../memory/memory-archive.ts';
import { MemoryLedger } from '../../memory/memory-ledger.ts';
import { MemoryQueue } from '../../memory/memory-queue.ts';
import { World, type WorldOptions } from '../simulation/world.ts';

export const PUSHED: DeployedDestination = { id: 'siem', kind: 'splunk', delivery: 'push' };
export const PULLED: DeployedDestination = { id: 'lake', kind: 'elastic', delivery: 'pull' };

/** A system that the real collector runs in, seen through the operator's ports. */
export class OperatedWorld extends World {
  override readonly archive: MemoryArchive = new MemoryArchive(() => this.now);
  readonly ledger = new MemoryLedger();
  readonly queues: ReadonlyMap<string, MemoryQueue> = new Map(
    [PUSHED, PULLED].map(({ id }) => [
      id,
      new MemoryQueue({ visibilityMs: 30_000, maxReceives: 3, now: () => this.now }),
    ]),
  );
  organizations: readonly DeployedOrganization[];

  constructor(options: WorldOptions = {}) {
    super(options);
    const { org, baseUrl, orgUrl, filters, limit, onStaleToken } = this.settings;
    this.organizations = [
      {
        ...{ id: org, baseUrl, orgUrl, filters, limit, onStaleToken },
        everyMs: 5 * 60_000,
        secret: 'orglog/logs/institution',
        identities: [],
      },
    ];
  }

  get organization(): DeployedOrganization {
    const [first] = this.organizations;
    if (first === undefined) throw new Error('there is no organization');
    return first;
  }

  /** As the operator's commands are given it. */
  get system(): Pick<
    Deployment,
    'organizations' | 'destinations' | 'cursors' | 'archive' | 'ledger' | 'queue'
  > & { queue(destination: string): OperatorQueue } {
    const { organizations, cursors, archive, ledger } = this;
    const destinations = [PUSHED, PULLED];
    const queue = (destination: string) => this.queueOf(destination);
    return { organizations, destinations, cursors, archive, ledger, queue };
  }

  /** For ports that read the provider. */
  get reading() {
    const clock = {
      now: () => this.now,
      sleep: async (delayMs: number) => {
        this.now += delayMs;
      },
    };
    const { cursors, archive, provider: source } = this;
    return { cursors, archive, source, clock, random: () => 0.5 };
  }

  queueOf(destination: string): MemoryQueue {
    const queue = this.queues.get(destination);
    if (queue === undefined) throw new Error(`there is no queue of ${destination}`);
    return queue;
  }

  /** The row, which must be there. */
  get cursor(): CursorRow {
    const row = this.row();
    if (row === undefined) throw new Error('there is no row');
    return row;
  }

  /** Runs, five minutes apart, each with so many new events before it. */
  async collectAll(events: readonly number[]): Promise<void> {
    for (const count of events) {
      this.provider.append(count);
      await this.run();
    }
  }

  keyOf(sequence: number): string {
    const key = objectKey(this.cursor, sequence);
    if (key === undefined) throw new Error(`nothing is committed as ${sequence}`);
    return key;
  }

  /** An object is written anew behind the collector's back. */
  async rewrite(
    key: string,
    change: {
      readonly bytes?: (bytes: Uint8Array) => Uint8Array;
      readonly metadata?: ObjectMetadata;
      readonly to?: string;
    },
  ): Promise<void> {
    const object = this.archive.objects.get(key);
    if (object === undefined) throw new Error(`nothing is archived at ${key}`);
    this.archive.lose(key);
    const { bytes = (same: Uint8Array) => same, metadata = {}, to = key } = change;
    const { contentType } = object;
    const body = [bytes(Uint8Array.from(object.bytes))];
    await this.archive.put(
      { key: to, body, contentType, metadata: { ...object.metadata, ...metadata } },
      never,
    );
  }

  async putForeign(key: string): Promise<void> {
    const body = [gzipSync('something\n')];
    await this.archive.put({ key, body, contentType: '', metadata: {} }, never);
  }
}

/** Every step of an iteration. */
export async function all<T>(steps: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const step of steps) list.push(step);
  return list;
}

/** The one step of this kind. */
export async function stepOf<T extends { readonly kind: string }, K extends T['kind']>(
  steps: AsyncIterable<T>,
  kind: K,
): Promise<Extract<T, { kind: K }>> {
  const found = (await all(steps)).filter((step) => step.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} steps are ${kind}`);
  return found[0] as Extract<T, { kind: K }>;
}
