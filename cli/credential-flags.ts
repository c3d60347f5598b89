import { z } from 'zod';

/** `ORGLOG_USERNAME` and `ORGLOG_PASSWORD`, as what they are needed for issued them: `its log interface`. */
export function credentialVariables(forWhat: string) {
  const name = `expected the name that the provider issued for ${forWhat}`;
  const password = 'expected the password that goes with the name';
  return z.object({
    ORGLOG_USERNAME: z
      .string(`not set: ${name}`)
      .min(1, `empty: ${name}`)
      .regex(/^[^:\p{Cc}]*$/u, 'expected no colon and no control character'),
    ORGLOG_PASSWORD: z
      .string(`not set: ${password}`)
      .min(1, `empty: ${password}`)
      .regex(/^\P{Cc}*$/u, 'expected no control character (a line break at its end?)'),
  });
}

/** The faults of variables: their names and what is expected, never their values. */
export function variableFaults(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map((issue) => `${String(issue.path[0])} (environment): ${issue.message}`);
}
