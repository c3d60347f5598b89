import { setTimeout as delay } from 'node:timers/promises';
import { OrglogError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';

/** The machine's clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(delayMs, signal) {
    try {
      await delay(delayMs, undefined, { signal });
    } catch (error) {
      throw new OrglogError(
        'time-out',
        `a wait of ${delayMs} ms was given up: the time for it is over, or the program was asked to stop`,
        { cause: error },
      );
    }
  },
};
