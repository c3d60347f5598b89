import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Account } from './account.ts';
import { type Listening, listen } from './listen.ts';
import type { Wire } from './wire.ts';

const NAMESPACE = 'https://iam.amazonaws.com/doc/2010-05-08/';

/**
 * IAM's query protocol, as much as is called: GetRole, and SimulatePrincipalPolicy of what the principal's policies
 * allow (nothing denies).
 */
export async function startIam(wire: Wire, { roles }: Account): Promise<Listening> {
  const listener = wire.wrap(
    () => ({ service: 'iam', operation: 'iam' }),
    async (request, response) => {
      const query = new URLSearchParams(await text(request).catch(() => ''));
      const answer = (status: number, body: string) => {
        response.writeHead(status, { 'content-type': 'text/xml' });
        response.end(body);
      };
      const arn = query.get('PolicySourceArn') ?? '';
      const role = roles.get(query.get('RoleName') ?? arn.slice(arn.lastIndexOf('/') + 1));
      if (role === undefined) return answer(404, refused('NoSuchEntity', 'there is no such principal'));
      switch (query.get('Action')) {
        case 'GetRole':
          return answer(200, result('GetRole', `<Role><Arn>${role.arn}</Arn></Role>`));
        case 'SimulatePrincipalPolicy': {
          if (role.mayNotBeSimulated) return answer(403, refused('AccessDenied', 'not authorized'));
          const members = listOf(query, 'ActionNames').flatMap((action) =>
            listOf(query, 'ResourceArns').map((resource) => {
              const allowed = role.allowed.some(
                ({ actions, resources }) =>
                  actions.some((pattern) => matches(pattern, action)) &&
                  resources.some((pattern) => matches(pattern, resource)),
              );
              const decision = allowed ? 'allowed' : 'implicitDeny';
              return `<member><EvalActionName>${action}</EvalActionName><EvalResourceName>${resource}</EvalResourceName><EvalDecision>${decision}</EvalDecision></member>`;
            }),
          );
          const results = `<IsTruncated>false</IsTruncated><EvaluationResults>${members.join('')}</EvaluationResults>`;
          return answer(200, result('SimulatePrincipalPolicy', results));
        }
        default:
          return answer(400, refused('InvalidAction', `${query.get('Action')} is not served here`));
      }
    },
  );
  return await listen(createServer(listener));
}

/** Whether a pattern of IAM's takes this text. */
function matches(pattern: string, text: string): boolean {
  const form = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${form}$`).test(text);
}

function listOf(query: URLSearchParams, name: string): string[] {
  return [...query].filter(([key]) => key.startsWith(`${name}.member.`)).map(([, value]) => value);
}

function result(operation: string, body: string): string {
  return `<${operation}Response xmlns="${NAMESPACE}"><${operation}Result>${body}</${operation}Result></${operation}Response>`;
}

function refused(code: string, message: string): string {
  return `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
