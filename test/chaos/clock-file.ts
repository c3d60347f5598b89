import { renameSync, writeFileSync } from 'node:fs';

const PRELOAD = import.meta.resolve('./shifted-clock.ts');

/** The clock of some processes of chaos, which may be set while they run: shifted-clock.ts. */
export class ClockFile {
  readonly #path: string;
  #offsetMs = 0;
  readonly #settings: { readonly atMs: number; readonly offsetMs: number }[] = [];

  constructor(path: string) {
    this.#path = path;
    this.set(0);
  }

  /** Flags of Node for a process that goes by this clock. */
  readonly flags: readonly string[] = ['--disable-warning=ExperimentalWarning', '--import', PRELOAD];

  get env(): { readonly CHAOS_CLOCK_FILE: string } {
    return { CHAOS_CLOCK_FILE: this.#path };
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** How far it is ahead of the machine's. */
  set(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#settings.push({ atMs: Date.now(), offsetMs });
    // Whoever reads it finds one number or the other.
    writeFileSync(`${this.#path}.next`, String(offsetMs));
    renameSync(`${this.#path}.next`, this.#path);
  }

  /** The machine's time when this clock, which was set ahead only, showed that; epoch ms. */
  trueTimeOf(shownMs: number): number {
    const setting = this.#settings.findLast(({ atMs, offsetMs }) => atMs + offsetMs <= shownMs);
    return shownMs - (setting?.offsetMs ?? 0);
  }
}
