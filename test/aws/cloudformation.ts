import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Account } from './account.ts';
import { type Listening, listen } from './listen.ts';
import type { Wire } from './wire.ts';

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

/** CloudFormation's query protocol, as much as is called: DescribeStacks of one stack by its name. */
export async function startCloudFormation(wire: Wire, { stacks }: Account): Promise<Listening> {
  const classify = () => ({ service: 'cloudformation', operation: 'DescribeStacks' });
  const listener = wire.wrap(classify, async (request, response) => {
    const { Action, Version, StackName, ...others } = Object.fromEntries(
      new URLSearchParams(await text(request).catch(() => '')),
    );
    const more = Object.keys(others);
    const answer = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(body);
    };
    if (Action !== 'DescribeStacks' || Version !== '2010-05-15' || more.length > 0) {
      return answer(400, refused('InvalidAction', `${Action} with ${more.join(', ')} is not served here`));
    }
    const outputs = stacks.get(StackName ?? '');
    if (StackName === undefined || outputs === undefined) {
      return answer(400, refused('ValidationError', `Stack with id ${StackName} does not exist`));
    }
    answer(200, described(StackName, outputs));
  });
  return await listen(createServer(listener));
}

function described(name: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${escaped(key)}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="${NAMESPACE}"><DescribeStacksResult><Stacks><member>
<StackName>${escaped(name)}</StackName><CreationTime>2026-01-02T03:04:05.678Z</CreationTime>
<StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>
</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function refused(code: string, message: string): string {
  return `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error></ErrorResponse>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
