import { createServer } from 'node:http';
import type { Account } from './account.ts';
import { type Listening, listen } from './listen.ts';
import type { Wire } from './wire.ts';

/** Lambda's REST protocol, as much as is called: GetFunctionConfiguration, of which the environment is true. */
export async function startLambda(wire: Wire, { functions }: Account): Promise<Listening> {
  const classify = () => ({ service: 'lambda', operation: 'GetFunctionConfiguration' });
  const listener = wire.wrap(classify, (request, response) => {
    request.resume();
    const name = /^\/2015-03-31\/functions\/([^/?]+)\/configuration$/.exec(request.url ?? '')?.[1];
    const answer = (status: number, body: object, errorType?: string) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(errorType === undefined ? {} : { 'x-amzn-errortype': errorType }),
      });
      response.end(JSON.stringify(body));
    };
    if (request.method !== 'GET' || name === undefined) {
      const Message = `${request.method} ${request.url} is not served here`;
      return answer(400, { Type: 'User', Message }, 'InvalidRequestException');
    }
    const Variables = functions.get(decodeURIComponent(name));
    if (Variables === undefined) {
      const Message = `Function not found: ${name}`;
      return answer(404, { Type: 'User', Message }, 'ResourceNotFoundException');
    }
    answer(200, { FunctionName: decodeURIComponent(name), Environment: { Variables } });
  });
  return await listen(createServer(listener));
}
