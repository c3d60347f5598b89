import { verify } from '../../../functions/core/operate/verify.ts';
import { never } from '../../contracts/support.ts';
import { all, type OperatedWorld } from './operated-world.ts';

/** Days around all that is collected. */
export const WINDOW = { from: '2026-01-01', to: '2026-01-04' };

/** The audit's steps, apart. */
export async function audit(world: OperatedWorld, window = WINDOW) {
  const steps = await all(verify(world.system, world.cursor, window, never));
  const findings = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []));
  const [summary] = steps.flatMap((step) => (step.kind === 'summary' ? [step.summary] : []));
  if (summary === undefined) throw new Error('there is no summary');
  return { findings, summary, steps };
}

/** Some bits of the last byte of a compressed stream mean nothing. */
export function isUnchanged(world: OperatedWorld, key: string, lines: readonly string[]): boolean {
  try {
    return world.linesOf(key).join() === lines.join();
  } catch {
    return false;
  }
}
