import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod/mini';
import { OrglogError } from '../../core/errors.ts';
import { callAws, isAwsError } from '../aws-errors.ts';

/** A stack's outputs, as infra/outputs.ts writes them. */
export type StackOutputs = Readonly<Record<string, string>>;

/**
 * Needs `cloudformation:DescribeStacks` on the stack.
 *
 * @throws OrglogError `not-found` where the account and region have no such stack
 */
export async function stackOutputs(
  client: CloudFormationClient,
  { stack, region }: { readonly stack: string; readonly region: string },
  signal: AbortSignal,
): Promise<StackOutputs> {
  const permission = 'cloudformation:DescribeStacks';
  const call = { service: 'CloudFormation', permission, resource: `stack ${stack}` };
  const command = new DescribeStacksCommand({ StackName: stack });
  return await callAws(call, signal, async () => {
    try {
      const { Stacks: [found] = [] } = await client.send(command, { abortSignal: signal });
      const outputs = found?.Outputs ?? [];
      return Object.fromEntries(
        outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      );
    } catch (error) {
      // It has no name of its own for a stack that is not there.
      if (!isAwsError(error, 'ValidationError') || !error.message.includes('does not exist')) throw error;
      throw new OrglogError(
        'not-found',
        `This account has no stack ${stack} in ${region}: deploy it (\`npm run deploy\`), or name the right one with --stack, --profile and --region`,
        { cause: error },
      );
    }
  });
}

const foundation = z.object({
  ArchiveBucket: z.string(),
  CursorTable: z.string(),
  LedgerTable: z.string(),
  CollectorStacks: json(z.array(z.int())),
});

const destination = json(
  z.object({
    id: z.string(),
    kind: z.string(),
    delivery: z.enum(['pull', 'push']),
    queue: z.url(),
    deadLetters: z.url(),
  }),
);

const organization = json(
  z.object({
    id: z.string(),
    function: z.string(),
    everyMinutes: z.int(),
    identities: z.array(z.enum(['test', 'prod'])),
  }),
);

/** What the foundation says of itself. @throws OrglogError `configuration` where it says something else */
export function readFoundation(stack: string, outputs: StackOutputs) {
  return {
    ...parse(stack, foundation, outputs),
    destinations: numbered(outputs, 'Destination').map((value) => parse(stack, destination, value)),
  };
}

/** The organizations of one stack of collectors. @throws OrglogError as above */
export function readCollectors(stack: string, outputs: StackOutputs) {
  return numbered(outputs, 'Organization').map((value) => parse(stack, organization, value));
}

/** The values of `<name>1`, `<name>2`, … in this order. */
function numbered(outputs: StackOutputs, name: string): string[] {
  const values: string[] = [];
  for (let n = 1; ; n += 1) {
    const value = outputs[`${name}${n}`];
    if (value === undefined) return values;
    values.push(value);
  }
}

function json<S extends z.ZodMiniType>(shape: S) {
  const parsed = z.transform((input: string, context): unknown => {
    try {
      return JSON.parse(input);
    } catch {
      context.issues.push({ code: 'custom', message: 'no JSON', input });
      return z.NEVER;
    }
  });
  return z.pipe(z.pipe(z.string(), parsed), shape);
}

function parse<S extends z.ZodMiniType>(stack: string, schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new OrglogError(
    'configuration',
    `The outputs of the stack ${stack} are not what this version of orglog writes (${faults.join('; ')}): deploy this version, or use the version that was deployed`,
  );
}
