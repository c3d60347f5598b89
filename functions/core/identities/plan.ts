import * as z from 'zod/mini';
import { OrglogError } from '../errors.ts';
import type { IdentityEnvironment } from './identity.ts';
import type { FinishedWalk } from './position.ts';

/** What one walk is made by, written before its first page is read: a run that goes on with it changes nothing. */
export interface Plan {
  readonly walk: number;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly environment: IdentityEnvironment;
  /** Whose records they are, by the credential; absent in plans of before it was asked for. */
  readonly orgDomain?: string;
  /** Whether the credential may read hosted credentials; absent as `orgDomain` is. */
  readonly hosted?: boolean;
  /** Whose collections are read, sorted. */
  readonly authorities: readonly string[];
  /** A power of two. */
  readonly partitions: number;
  readonly redaction: Redaction;
  /** Whether every snapshot is announced whole, or only a first one. */
  readonly snapshots: 'first' | 'every';
  /** The walk that this one is compared with. */
  readonly previous?: FinishedWalk;
}

export interface Redaction {
  /** Members and attributes whose values are pseudonyms, sorted. */
  readonly names: readonly string[];
  /** Names the secret that they are made with. */
  readonly pseudonymKeyId: string;
}

const PLAN = z.lazy(() => {
  const count = z.int().check(z.nonnegative());
  return z.object({
    walk: count,
    startedAt: count,
    environment: z.enum(['test', 'prod']),
    orgDomain: z.exactOptional(z.string()),
    hosted: z.exactOptional(z.boolean()),
    authorities: z.array(z.string()),
    partitions: z.int().check(z.positive()),
    redaction: z.object({ names: z.array(z.string()), pseudonymKeyId: z.string() }),
    snapshots: z.enum(['first', 'every']),
    previous: z.exactOptional(z.object({ walk: count, startedAt: count })),
  });
});

/** @throws OrglogError object-conflict for what is no plan */
export function parsePlan(text: string, key: string): Plan {
  const parsed = PLAN.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  throw new OrglogError(
    'object-conflict',
    `the archive holds something else than a walk's plan at ${key}: nothing else may write there. Find out who did, move it away, and the next run goes on`,
  );
}

/** Without repeats and in one order: two plans that mean the same say the same. */
export function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** Whether what was redacted under one can be mixed with what is redacted under the other. */
export function sameRedaction(a: Redaction, b: Redaction): boolean {
  return a.pseudonymKeyId === b.pseudonymKeyId && JSON.stringify(a.names) === JSON.stringify(b.names);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
