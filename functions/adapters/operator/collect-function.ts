import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { OrglogError } from '../../core/errors.ts';
import type { DeployedOrganization } from '../../core/operate/ports.ts';
import { callAws } from '../aws-errors.ts';

/** Those of functions/handlers/collect-environment.ts that an operator needs. */
const variables = z.object({
  ORGLOG_ORG: z.string(),
  ORGLOG_BASE_URL: z.string(),
  ORGLOG_ORG_URL: z.string(),
  ORGLOG_FILTERS: z.string(),
  ORGLOG_LIMIT: z.coerce.number(),
  ORGLOG_ON_STALE_TOKEN: z.enum(['continue', 'halt']),
  ORGLOG_SECRET_ID: z.string(),
});

const filters = z.strictObject({
  service: z.exactOptional(z.string()),
  logType: z.exactOptional(z.string()),
  logSubtype: z.exactOptional(z.string()),
  tenant: z.exactOptional(z.string()),
});

/** What the function itself was given: not what the settings say, which may not be deployed yet. */
export type FunctionSettings = Omit<DeployedOrganization, 'everyMs' | 'identities'>;

/** Needs `lambda:GetFunctionConfiguration` on the function. */
export async function collectFunctionSettings(
  client: LambdaClient,
  name: string,
  signal: AbortSignal,
): Promise<FunctionSettings> {
  const permission = 'lambda:GetFunctionConfiguration';
  const call = { service: 'Lambda', permission, resource: `function ${name}` };
  const command = new GetFunctionConfigurationCommand({ FunctionName: name });
  const { Environment } = await callAws(call, signal, () => client.send(command, { abortSignal: signal }));
  const environment = variables.safeParse(Environment?.Variables ?? {});
  if (!environment.success) throw unreadable(name, environment.error.issues);
  const found = environment.data;
  return {
    id: found.ORGLOG_ORG,
    baseUrl: found.ORGLOG_BASE_URL,
    orgUrl: found.ORGLOG_ORG_URL,
    filters: parsedFilters(name, found.ORGLOG_FILTERS),
    limit: found.ORGLOG_LIMIT,
    onStaleToken: found.ORGLOG_ON_STALE_TOKEN,
    secret: found.ORGLOG_SECRET_ID,
  };
}

function parsedFilters(name: string, text: string): FunctionSettings['filters'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(name, [{ path: ['ORGLOG_FILTERS'], message: 'no JSON' }]);
  }
  const result = filters.safeParse(value);
  if (result.success) return result.data;
  throw unreadable(name, [{ path: ['ORGLOG_FILTERS'], message: 'unknown filters' }]);
}

function unreadable(
  name: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): OrglogError {
  const faults = issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return new OrglogError(
    'configuration',
    `The environment of the function ${name} is not what this version of orglog deploys (${faults.join('; ')}): deploy it anew`,
  );
}
