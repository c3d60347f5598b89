import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { OrglogError } from '../../core/errors.ts';
import type { IdentityAccess } from '../../core/operate/check-ports.ts';
import { callAws } from '../aws-errors.ts';

/** Those of functions/handlers/sync-identities-environment.ts that an operator needs. */
const variables = z.object({
  ORGLOG_ENVIRONMENT: z.enum(['test', 'prod']),
  ORGLOG_BASE_URL: z.string(),
  ORGLOG_SECRET_ID: z.string(),
  ORGLOG_UID_FIELD: z._default(z.string(), 'serviceUid'),
  ORGLOG_AUTHORITIES: z.exactOptional(z.string()),
});

const names = z.array(z.string());

/**
 * How a deployed function reads identity records. Needs `lambda:GetFunctionConfiguration` on it.
 *
 * @throws OrglogError `configuration` where there is no such function, or another version's
 */
export async function syncFunctionSettings(
  client: LambdaClient,
  name: string,
  signal: AbortSignal,
): Promise<IdentityAccess> {
  const permission = 'lambda:GetFunctionConfiguration';
  const call = { service: 'Lambda', permission, resource: `function ${name}` };
  const command = new GetFunctionConfigurationCommand({ FunctionName: name });
  const { Environment } = await callAws(call, signal, () => client.send(command, { abortSignal: signal }));
  const found = variables.safeParse(Environment?.Variables ?? {});
  if (!found.success)
    throw unreadable(
      name,
      found.error.issues.map(({ path }) => path.map(String).join('.')),
    );
  const { ORGLOG_AUTHORITIES: wanted, ...rest } = found.data;
  return {
    environment: rest.ORGLOG_ENVIRONMENT,
    baseUrl: rest.ORGLOG_BASE_URL,
    uidField: rest.ORGLOG_UID_FIELD,
    secret: rest.ORGLOG_SECRET_ID,
    ...(wanted !== undefined && { authorities: authoritiesIn(name, wanted) }),
  };
}

function authoritiesIn(name: string, text: string): readonly string[] {
  try {
    return names.parse(JSON.parse(text));
  } catch {
    throw unreadable(name, ['ORGLOG_AUTHORITIES']);
  }
}

function unreadable(name: string, variableNames: readonly string[]): OrglogError {
  return new OrglogError(
    'configuration',
    `The environment of the function ${name} is not what this version of orglog deploys (${variableNames.join(', ')}): deploy it anew`,
  );
}
