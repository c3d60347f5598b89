import { z } from 'zod';
import type { ReplayWindow } from '../../../functions/core/operate/replay.ts';
import { destination, from, org, stream, to, windowFaults } from './flags.ts';

const EXPECTED_BATCHES = 'expected numbers of batches, for example 120-180 or 120';

/** `120-180`, both included, or one number. */
const batches = z
  .string()
  .regex(/^\d{1,12}(-\d{1,12})?$/, EXPECTED_BATCHES)
  .transform((text) => {
    const [first = '', last = first] = text.split('-');
    return { firstSequence: Number(first), lastSequence: Number(last) };
  })
  .refine(
    ({ firstSequence, lastSequence }) => firstSequence >= 1 && firstSequence <= lastSequence,
    EXPECTED_BATCHES,
  );

export const replayFlags = {
  org,
  from: from.optional(),
  to: to.optional(),
  batches: batches.optional(),
  stream,
  destination: destination.optional(),
  dryRun: z.boolean().default(false),
};

export type ReplayOrder = z.output<z.ZodObject<typeof replayFlags>>;

export function replayFaults(raw: Readonly<Record<string, unknown>>): readonly string[] {
  const { from: begin, to: end, batches: numbers } = raw;
  if (numbers !== undefined) {
    return [
      ...(begin === undefined ? [] : ['--from: expected without --batches']),
      ...(end === undefined ? [] : ['--to: expected without --batches']),
    ];
  }
  return [
    ...(begin === undefined ? ['--from: missing; expected a time, or --batches'] : []),
    ...(end === undefined ? ['--to: missing; expected a time (now is one), or --batches'] : []),
    ...windowFaults(raw),
  ];
}

/** What the options name; `replayFaults` has seen to it that they name one. */
export function windowOf({ batches: numbers, from: begin = 0, to: end = begin }: ReplayOrder): ReplayWindow {
  return numbers ?? { from: begin, to: end };
}
