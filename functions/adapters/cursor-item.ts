import * as z from 'zod';
import { OrglogError } from '../core/errors.ts';
import type { CursorRow } from '../core/ports.ts';

const epochMs = z.number().int();
const sequence = z.number().int().min(0);

const cursorItem = z.object({
  org: z.string(),
  stream: z.string(),
  epoch: z.string(),
  source: z.string(),
  token: z.string().exactOptional(),
  sequence,
  days: z.record(z.string(), sequence),
  announced: z.record(z.string(), sequence),
  gaps: z.array(
    z.object({
      from: epochMs,
      to: epochMs,
      reason: z.enum(['stale-token', 'no-token', 'no-overlap', 'object-missing']),
      token: z.string().exactOptional(),
    }),
  ),
  rereads: z.boolean(),
  refusedToken: z.string().exactOptional(),
  newestEventAt: epochMs.exactOptional(),
  lastReadAt: epochMs.exactOptional(),
  caughtUp: z.boolean(),
  paused: z.boolean(),
  lease: z.object({ owner: z.string(), expiresAt: epochMs }).exactOptional(),
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
