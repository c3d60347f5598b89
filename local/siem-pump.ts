import { asOrglogError, type OrglogError } from '../functions/core/errors.ts';
import type { Clock } from '../functions/core/ports.ts';
import type { LocalSiem, Taken } from './siem.ts';

/** How long a consumer waits where nobody wakes it, and after the SIEM's own file failed. */
const PAUSE_MS = 2_000;
/** Between two tries of a message that cannot be read: the queue counts them, and gives up at its limit. */
const UNREADABLE_PAUSE_MS = 50;

export interface SiemPumpOptions {
  readonly siem: LocalSiem;
  readonly clock: Clock;
  /** Whether trouble with the SIEM's file is waited out, rather than thrown. */
  readonly patient: boolean;
  readonly onTaken: (taken: Exclude<Taken, { kind: 'nothing-waits' }>) => void;
  readonly onTrouble: (error: OrglogError) => void;
}

/** Keeps the SIEM consuming beside the collector. */
export class SiemPump {
  readonly #options: SiemPumpOptions;
  #wake: () => void = () => {};

  constructor(options: SiemPumpOptions) {
    this.#options = options;
  }

  /** Something was queued. */
  wake(): void {
    this.#wake();
  }

  /**
   * Take in what is queued, until `noMore` fires and the queue is empty.
   * @throws OrglogError when the SIEM's file fails, and is not waited for or no longer
   */
  async run(noMore: AbortSignal, signal: AbortSignal): Promise<void> {
    const { siem, patient, onTaken, onTrouble } = this.#options;
    for (;;) {
      try {
        const taken = await siem.takeNext(signal);
        if (taken.kind !== 'nothing-waits') onTaken(taken);
        if (taken.kind === 'unreadable') await this.#rest(UNREADABLE_PAUSE_MS, signal);
        if (taken.kind !== 'nothing-waits') continue;
        if (noMore.aborted) return;
      } catch (error) {
        if (!patient || noMore.aborted) throw error;
        onTrouble(asOrglogError(error, 'storage'));
      }
      await this.#rest(PAUSE_MS, AbortSignal.any([noMore, signal]));
    }
  }

  /** Until woken, stopped or late, whichever is first. */
  async #rest(delayMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#options.clock.sleep(delayMs, AbortSignal.any([woken.signal, signal])).catch(() => {});
  }
}
