import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { CursorRow } from '../core/ports.ts';

const epochMs = z.int();
const sequence = z.int().check(z.nonnegative());
const text = z.string();
const maybe = z.exactOptional;

const cursorItem = z.object({
  org: text,
  stream: text,
  epoch: text,
  source: text,
  token: maybe(text),
  sequence,
  days: z.record(text, sequence),
  announced: z.record(text, sequence),
  gaps: z.array(
    z.object({
      from: epochMs,
      to: epochMs,
      reason: z.enum(['stale-token', 'no-token', 'no-overlap', 'object-missing']),
      token: maybe(text),
    }),
  ),
  rereads: z.boolean(),
  refusedToken: maybe(text),
  newestEventAt: maybe(epochMs),
  lastReadAt: maybe(epochMs),
  caughtUp: z.boolean(),
  paused: z.boolean(),
  lease: maybe(z.object({ owner: text, expiresAt: epochMs })),
});

/**
 * A stored item as a row. Operators edit items by hand when things go wrong; what they got wrong must not become a
 * wrong cursor. Attributes unknown here are left out.
 */
export function parseCursorItem(item: Record<string, unknown>, table: string): CursorRow {
  const result = cursorItem.safeParse(item);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new OrglogError(
    'storage',
    `The row ${String(item.org)}/${String(item.stream)} of the table ${table} cannot be read (${faults.join('; ')}): correct it, or restore it from a backup`,
  );
}
