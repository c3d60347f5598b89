import { parseArgs } from 'node:util';
import { z } from 'zod';
import { OrglogError } from '../../functions/core/errors.ts';

const whole = (low: number, high: number, standard: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(low).max(high))
    .prefault(String(standard));

const flags = z.object({
  /** 0: any free port. */
  port: whole(0, 65_535, 0),
  file: z.string().min(1).default(':memory:'),
  /** Backlog for a log that is still empty, spread over the last `window-minutes`. */
  events: whole(0, 100_000_000, 0),
  /** Below 60, a read without a token still meets all of the backlog. */
  'window-minutes': whole(1, 90 * 24 * 60, 50),
  /** Mean rate of the events that go on coming; 0: none. */
  'live-per-hour': whole(0, 360_000, 0),
  /** Identities in `prod`, where there are none yet. */
  identities: whole(0, 10_000_000, 0),
  seed: whole(0, 0xffff_ffff, 1),
  'org-url': z.url().default('https://login.institution.edu/'),
  'org-domain': z.string().min(1).default('institution.edu'),
  tenant: z.string().min(1).optional(),
  /** Each answer comes this much later. */
  'delay-ms': whole(0, 3_600_000, 0),
});

const environment = z.object({
  ORGLOG_USERNAME: z
    .string('is required')
    .min(1, 'must not be empty')
    .regex(/^[^:]*$/, 'must not hold a colon'),
  ORGLOG_PASSWORD: z.string('is required').min(1, 'must not be empty'),
});

export type Flags = z.output<typeof flags> & z.output<typeof environment>;

/** Read flags and environment. Throws an `OrglogError` (`configuration`) that lists every fault at once. */
export function parseFlags(argv: readonly string[], env: NodeJS.ProcessEnv): Flags {
  const values = readArguments(argv);
  const given = flags.safeParse(values);
  const secrets = environment.safeParse(env);
  const faults = [
    ...(given.error?.issues ?? []).map((issue) => {
      const name = String(issue.path[0]);
      return `--${name} ${JSON.stringify(values[name])}: ${issue.message}`;
    }),
    // A secret's value is never shown.
    ...(secrets.error?.issues ?? []).map(
      (issue) => `${String(issue.path[0])} (environment): ${issue.message}`,
    ),
  ];
  if (!given.success || !secrets.success) {
    throw new OrglogError('configuration', `the provider stand-in cannot start:\n  ${faults.join('\n  ')}`);
  }
  return { ...given.data, ...secrets.data };
}

function readArguments(argv: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(
    Object.keys(flags.shape).map((name) => [name, { type: 'string' as const }]),
  );
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const names = Object.keys(flags.shape).map((name) => `--${name}`);
    throw new OrglogError('configuration', `${reason}; the flags are ${names.join(', ')}`, { cause: error });
  }
}
