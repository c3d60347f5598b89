import { CommanderError } from 'commander';
import { asOrglogError } from '../functions/core/errors.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';

/** A command that was called wrongly: every fault of the call at once. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(command: string, faults: readonly string[]) {
    super(
      `${command}: ${faults.length === 1 ? 'one fault' : `${faults.length} faults`} in what it was given:\n${faults
        .map((fault) => `  ${fault}`)
        .join('\n')}\nSee \`${command} --help\`.`,
    );
    this.faults = faults;
  }
}

/** A command that ended before its end, with nothing broken: a no, a Ctrl-C. */
export class EndedEarly extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How the command ends after a failure (exit-codes.ts). Tells about it, without a stack. */
export function exitCodeFor(error: unknown, tell: (text: string) => void): number {
  // Commander has told already; it throws for --help and --version, too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (error instanceof UsageError) {
    tell(error.message);
    return EXIT.usage;
  }
  if (error instanceof EndedEarly) {
    tell(`orglog: ${error.message}`);
    return error.exitCode;
  }
  const { code, message } = asOrglogError(error, 'unavailable');
  // The core does not know where a credential is kept.
  const where = code === 'credentials-refused' ? '. It comes from ORGLOG_USERNAME and ORGLOG_PASSWORD' : '';
  tell(`orglog: ${message}${where}`);
  return exitCodeOf(code);
}
