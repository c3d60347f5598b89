import { z } from 'zod';
import { asOrglogError } from '../../../functions/core/errors.ts';
import type { SystemStatus } from '../../../functions/core/operate/status.ts';
import { whole } from '../../flags.ts';
import type { Work } from './command.ts';
import { type StatusView, statusLines } from './status-lines.ts';

const SECONDS = 15;
const HOME_AND_CLEAR = '\x1b[H\x1b[J';

/** `--watch`, or with the seconds between two looks. */
export const watchFlag = z
  .union([z.literal(true).transform(() => SECONDS), whole(1, 86_400)], 'expected seconds, from 1 to 86400')
  .optional();

/**
 * Looks again and again, until the signal fires or nobody reads any more. On a terminal each look replaces the one
 * before. Once it could look, trouble is told and does not end it.
 */
export async function watchStatus(
  { remark, output, world, signal }: Work,
  seconds: number,
  view: Omit<StatusView, 'status' | 'remark'>,
  take: (signal: AbortSignal) => Promise<SystemStatus>,
): Promise<void> {
  const { systemClock } = await import('../../../functions/adapters/system-clock.ts');
  for (let looks = 0; !output.closed; looks++) {
    try {
      const status = await take(signal);
      if (output.json) await output.records([{ title: view.title, ...status }]);
      else {
        const lines = statusLines({ ...view, remark: remark(), status }, output);
        if (output.live) world.out.write(HOME_AND_CLEAR);
        await output.lines(output.live ? lines : [...lines, '']);
      }
    } catch (error) {
      if (!signal.aborted && looks === 0) throw error;
      if (!signal.aborted) output.note(`no news: ${asOrglogError(error, 'unavailable').message}`);
    }
    // Ctrl-C is the way to end it.
    await systemClock.sleep(seconds * 1_000, signal).catch(() => {});
    if (signal.aborted) return;
  }
}
