import type { Command } from 'commander';
import { z } from 'zod';
import { SAFE_ID } from '../../../functions/core/keys.ts';
import { repeatable } from '../../flags.ts';
import { timeAt } from './time.ts';

export const EXPECTED_TIME =
  'expected a time: 2026-01-02, 2026-01-02T03:04:05Z, or how long ago: 90m, 6h, 2d';

const id = (what: string) => {
  const expected = `expected the id of ${what}, as \`orglog status\` shows it`;
  return z.string(expected).regex(SAFE_ID, expected);
};

/** The id of an organization. */
export const org = id('an organization');

/** Ids of destinations; each counts once. */
export const destination = z.array(id('a destination')).transform((ids) => [...new Set(ids)]);

/** A moment, as epoch ms: the first one of a day. */
export const from = z.string(EXPECTED_TIME).transform(moment('start'));
/** A moment, as epoch ms: the last one of a day. */
export const to = z.string(EXPECTED_TIME).transform(moment('end'));

function moment(ofDay: 'start' | 'end') {
  return (text: string, context: z.RefinementCtx): number => {
    const at = timeAt(text, Date.now(), ofDay);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: EXPECTED_TIME });
    return z.NEVER;
  };
}

const STREAMS = ['logs', 'identities.test', 'identities.prod'] as const;

/** Of an organization: its log, or its identity feed in one environment. */
export const stream = z.enum(STREAMS, `expected one of ${STREAMS.join(', ')}`).default('logs');

export function addStream(command: Command): void {
  command.option('--stream <name>', 'logs (default), identities.test or identities.prod');
}

/** For the end of a help text that tells of times. */
export const ABOUT_TIMES =
  'Times are UTC unless they say otherwise: 2026-01-02 (a whole day),\n' +
  '2026-01-02T03:04Z, 2026-01-02T03:04:05+01:00; or how long ago: 90m, 6h, 2d; or now.';

export function addOrg(command: Command, meaning: string): void {
  command.option('--org <id>', meaning);
}

export function addDestinations(command: Command, meaning: string): void {
  command.option('--destination <id>', meaning, repeatable);
}

/** The fault of a stretch of time that ends before it begins. */
export function windowFaults({ from: begin, to: end }: Readonly<Record<string, unknown>>): string[] {
  const [first, last] = [from.safeParse(begin), to.safeParse(end)];
  if (!first.success || !last.success || first.data <= last.data) return [];
  return [`--to ${JSON.stringify(end)}: expected a time after --from`];
}
