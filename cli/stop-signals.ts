/** npm hands a terminal's Ctrl-C on to a process that has had it from the terminal: that is one wish, not two. */
const SAME_WISH_MS = 250;

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export interface StopSignals extends Disposable {
  /** Fires at the first SIGINT or SIGTERM, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
}

/** Ctrl-C and SIGTERM as a wish to stop cleanly; a second one ends the process at once. */
export function stopSignals(): StopSignals {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const ask = () => {
    askedAt ??= performance.now();
    if (performance.now() - askedAt > SAME_WISH_MS) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on('SIGINT', ask).on('SIGTERM', ask);
  process.stdout.on('error', () => controller.abort());
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', ask).off('SIGTERM', ask);
    },
  };
}
