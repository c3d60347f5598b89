import type { ErrorCode } from '../functions/core/errors.ts';

/** How every command ends. Few, so that a script can rely on them. */
export const EXIT = {
  fine: 0,
  /** It could not be done; one sentence on stderr says why and what to do. Also: the question was answered with no. */
  trouble: 1,
  /** The call itself is wrong. */
  usage: 2,
  /** What was named does not exist. */
  notFound: 3,
  /** It collides with what exists. */
  conflict: 4,
  /** Ctrl-C, as a shell reports it. */
  interrupted: 130,
} as const;

/** For the end of a command's help. */
export const EXIT_CODES =
  'Exit codes: 0 fine, 1 trouble or answered with no, 2 usage, 3 there is no such\nthing, 4 it collides with what exists, 130 interrupted.';

/** The exit code for what a port or the core threw. */
export function exitCodeOf(code: ErrorCode): number {
  if (code === 'not-found') return EXIT.notFound;
  if (code === 'conflict') return EXIT.conflict;
  return EXIT.trouble;
}
