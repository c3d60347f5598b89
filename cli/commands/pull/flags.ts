import type { Command } from 'commander';
import { z } from 'zod';
import { addAwsOptions } from '../../aws-options.ts';
import { filters, repeatable, whole } from '../../flags.ts';
import { providerFlags } from '../../provider-connection.ts';

const ORG_URL = "expected a URL: the organization's, exactly as the provider has it";

/** What `orglog pull` takes. */
export const pullFlags = {
  orgUrl: z.string(ORG_URL).refine((text) => URL.canParse(text), ORG_URL),
  filter: filters.prefault([]),
  limit: whole(1, 1000).prefault('1000'),
  fromToken: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'expected a token of the provider, at most 200 printable characters')
    .optional(),
  output: z.string().min(1, 'expected the path of a file').optional(),
  append: z.boolean().default(false),
  ...providerFlags,
};

export type PullOrder = z.output<z.ZodObject<typeof pullFlags>>;

export function addPullOptions(command: Command): void {
  command
    .option('--org-url <url>', "the organization's orgUrl, trailing slash and all")
    .option('--filter <name=value>', 'service, logType, logSubtype or tenant; repeatable', repeatable)
    .option('--from-token <token>', 'go on from here (default: one hour ago)')
    .option('--limit <n>', 'events per page, 1 to 1000 (default: 1000)')
    .option('--output <file>', 'a new file, in place of standard output')
    .option('--append', 'add to the end of that file, if it is there')
    .optionsGroup('Connection:')
    .option('--base-url <url>', "the provider's address (default: ORGLOG_BASE_URL)")
    .option('--secret <id>', 'credential from Secrets Manager, not the environment');
  addAwsOptions(command);
}
