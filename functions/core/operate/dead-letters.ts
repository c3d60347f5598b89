import { announced } from '../delivery/announced.ts';
import { objectKey } from '../keys.ts';
import type { LedgerRow } from '../ports-delivery.ts';
import { CALLS_AT_ONCE, mapAhead } from './ahead.ts';
import type { DeadLetter, DeployedDestination, Deployment } from './ports.ts';

/** A dead letter, as far as it can be told what it was about. */
export interface DeadLetterView extends Pick<DeadLetter, 'queuedAt' | 'receiveCount'> {
  /** Absent where the message is none of ours. */
  readonly object?: {
    readonly key: string;
    readonly org: string;
    readonly stream: string;
    readonly sequence: number;
    /** Whether the archive still has it: without it no delivery can succeed. */
    readonly archived: boolean;
    /** Whether it lies under the key that the cursor computes; absent where the cursor no longer knows. */
    readonly committed?: boolean;
  };
  /** Push only: how far it came. */
  readonly delivered?: Pick<LedgerRow, 'lines' | 'done'>;
  /** Why it gave up, as far as that can be known, and what helps. */
  readonly why: string;
  /** Whether sending it back can help as things are. */
  readonly worthRedriving: boolean;
}

type DeadLetterPorts = Pick<Deployment, 'archive' | 'cursors' | 'ledger' | 'queue'>;

/**
 * What lies in a destination's dead-letter queue, and why: at most `max`, which stay there (on SQS a sample). What is
 * to be seen before `OperatorQueue.redrive` sends them back.
 */
export async function* deadLetters(
  ports: DeadLetterPorts,
  destination: DeployedDestination,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<DeadLetterView> {
  const letters = await ports.queue(destination.id).peekDead(max, signal);
  yield* mapAhead(letters, CALLS_AT_ONCE, (letter) => viewOf(letter, ports, destination, signal));
}

async function viewOf(
  { body, queuedAt, receiveCount }: DeadLetter,
  { archive, cursors, ledger }: DeadLetterPorts,
  destination: DeployedDestination,
  signal: AbortSignal,
): Promise<DeadLetterView> {
  const announcement = announced(body, archive.bucket);
  if (announcement.kind === 'unreadable')
    return { queuedAt, receiveCount, why: announcement.reason, worthRedriving: false };
  const { key, org, idPrefix, refusedLine } = announcement.object;
  const head = await archive.head(key, signal);
  const progress =
    destination.delivery === 'push'
      ? await ledger.read({ destination: destination.id, key }, signal)
      : undefined;
  const { stream, sequence } = streamOf(key, idPrefix);
  const row = await cursors.read({ org, stream }, signal);
  const expected = row && objectKey(row, sequence);
  const archived = head !== undefined;
  return {
    queuedAt,
    receiveCount,
    object: {
      ...{ key, org, stream, sequence, archived },
      ...(expected !== undefined && refusedLine === undefined && { committed: expected === key }),
    },
    ...(progress && { delivered: { lines: progress.lines, done: progress.done } }),
    ...whyOf(destination, archived, progress, receiveCount),
  };
}

/** The row's stream, which keys spell as a folder and its environment. */
function streamOf(key: string, idPrefix: string): { readonly stream: string; readonly sequence: number } {
  const [, kind = '', , sequence] = idPrefix.split(':');
  const environment = /\/env=([A-Za-z0-9._-]+)\//.exec(key)?.[1];
  return {
    stream: environment === undefined ? kind : `${kind}.${environment}`,
    sequence: Number(sequence),
  };
}

function whyOf(
  { id, delivery }: DeployedDestination,
  archived: boolean,
  progress: LedgerRow | undefined,
  receiveCount: number,
): Pick<DeadLetterView, 'why' | 'worthRedriving'> {
  if (!archived) {
    const why =
      "its object is gone from the archive: bring it back from the bucket's versions, then redrive; until then it would fail again";
    return { why, worthRedriving: false };
  }
  if (delivery === 'pull') {
    const why = `received ${times(receiveCount)} and never removed: the consumer of ${id} could not read the object or pass it on. See its own log and its permissions, then redrive`;
    return { why, worthRedriving: true };
  }
  if (progress?.done) {
    return { why: 'it was delivered all the same: redriving it does no harm', worthRedriving: true };
  }
  const came =
    progress === undefined
      ? 'nothing of it was delivered'
      : `its first ${progress.lines} lines were delivered, then no more`;
  const why = `${came} (tried ${times(receiveCount)}): ${id} was down, refused its credential or its index, or refused event after event. Mend that, then redrive: it goes on where it stopped`;
  return { why, worthRedriving: true };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
