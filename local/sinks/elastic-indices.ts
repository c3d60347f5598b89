import { randomUUID } from 'node:crypto';
import { matches } from './elastic-auth.ts';

export interface ElasticDocument {
  /** The index that holds it: for a data stream, the backing index. */
  readonly index: string;
  readonly id: string;
  readonly version: number;
  /** JSON text as sent: no number has been through a double. */
  readonly source: string;
}

/** An index and its documents by `_id`. */
export interface ElasticIndex {
  readonly name: string;
  readonly uuid: string;
  readonly documents: Map<string, ElasticDocument>;
  nextSequence: number;
}

/** A name's meaning: a data stream's newest backing index is the one that is written to. */
export interface ElasticTarget {
  readonly name: string;
  readonly isDataStream: boolean;
  readonly backing: [ElasticIndex, ...ElasticIndex[]];
}

export interface IndicesOptions {
  /** Names or patterns of data streams: as if an index template with `data_stream` matched them. */
  readonly dataStreams: readonly string[];
  /** Whether an index that nothing describes is created by writing to it. */
  readonly autoCreate: boolean;
}

/** The indices and data streams of a cluster: created when they are first written to. */
export class ElasticIndices {
  readonly #targets = new Map<string, ElasticTarget>();
  readonly #options: IndicesOptions;
  readonly #now: () => number;

  constructor(options: IndicesOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Where a write to this name goes; `undefined` where there is no such index and none may be created. */
  forWriting(name: string): ElasticTarget | undefined {
    const known = this.#targets.get(name);
    if (known !== undefined) return known;
    const isDataStream = matches(this.#options.dataStreams, name);
    if (!isDataStream && !this.#options.autoCreate) return undefined;
    const first = newIndex(isDataStream ? this.#backingName(name, 1) : name);
    const target: ElasticTarget = { name, isDataStream, backing: [first] };
    this.#targets.set(name, target);
    return target;
  }

  /** What a name or pattern stands for, in the order of creation. */
  find(pattern: string): ElasticTarget[] {
    return [...this.#targets.values()].filter(({ name }) => matches([pattern], name));
  }

  /** Give a data stream a new backing index: an `_id` of an earlier one is free again. */
  rollOver(name: string): void {
    const target = this.#targets.get(name);
    if (!target?.isDataStream) throw new Error(`there is no data stream ${name} to roll over`);
    target.backing.push(newIndex(this.#backingName(name, target.backing.length + 1)));
  }

  #backingName(stream: string, generation: number): string {
    const day = new Date(this.#now()).toISOString().slice(0, 10).replaceAll('-', '.');
    return `.ds-${stream}-${day}-${String(generation).padStart(6, '0')}`;
  }
}

export function writeIndex({ backing }: ElasticTarget): ElasticIndex {
  return backing.at(-1) ?? backing[0];
}

function newIndex(name: string): ElasticIndex {
  return { name, uuid: randomUUID(), documents: new Map(), nextSequence: 0 };
}
