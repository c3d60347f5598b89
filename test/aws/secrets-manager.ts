import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { type Listening, listen } from './listen.ts';
import { jsonOperation, type Wire } from './wire.ts';

const input = z.object({
  Name: z.string().optional(),
  SecretId: z.string().optional(),
  SecretString: z.string().optional(),
  SecretBinary: z.string().optional(),
});

const SERVED = new Set(['DeleteSecret', 'DescribeSecret', 'GetSecretValue', 'PutSecretValue']);

interface Secret {
  readonly ARN: string;
  readonly Name: string;
  readonly VersionId: string;
  /** Epoch seconds. */
  readonly LastChangedDate: number;
  readonly SecretString?: string | undefined;
  readonly SecretBinary?: string | undefined;
}

/** As much of Secrets Manager's JSON 1.1 protocol as is called: create, describe, put, get, delete; in memory. */
export async function startSecretsManager(wire: Wire): Promise<Listening> {
  const secrets = new Map<string, Secret>();
  const classify = (request: IncomingMessage) => ({
    service: 'secretsmanager',
    operation: jsonOperation(request) ?? 'other',
  });

  function answer(operation: string | undefined, body: unknown): { status: number; body: object } {
    const { Name, SecretId, SecretString, SecretBinary } = input.parse(body);
    const found = [...secrets.values()].find((secret) => secret.Name === SecretId || secret.ARN === SecretId);
    const store = (name: string, arn: string) => {
      const LastChangedDate = Date.now() / 1000;
      const VersionId = crypto.randomUUID();
      const secret = { ARN: arn, Name: name, VersionId, LastChangedDate, SecretString, SecretBinary };
      secrets.set(name, secret);
      return { status: 200, body: { ARN: arn, Name: name, VersionId: secret.VersionId } };
    };
    if (operation === 'CreateSecret' && Name !== undefined) {
      if (secrets.has(Name)) return refused('ResourceExistsException', `the secret ${Name} already exists.`);
      return store(Name, `arn:aws:secretsmanager:us-east-1:000000000000:secret:${Name}-${randomSuffix()}`);
    }
    if (!SERVED.has(operation ?? '')) {
      return refused('InvalidRequestException', `${operation} is not served here`);
    }
    if (found === undefined) {
      return refused('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    if (operation === 'PutSecretValue') return store(found.Name, found.ARN);
    if (operation === 'DeleteSecret') {
      secrets.delete(found.Name);
      return { status: 200, body: { ARN: found.ARN, Name: found.Name, DeletionDate: Date.now() / 1000 } };
    }
    const hasValue = found.SecretString !== undefined || found.SecretBinary !== undefined;
    if (operation === 'DescribeSecret') {
      const { ARN, Name, LastChangedDate, VersionId } = found;
      const VersionIdsToStages = hasValue ? { [VersionId]: ['AWSCURRENT'] } : undefined;
      return { status: 200, body: { ARN, Name, LastChangedDate, VersionIdsToStages } };
    }
    if (!hasValue) {
      const what = 'secret value for staging label: AWSCURRENT';
      return refused('ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);
    }
    const { LastChangedDate: CreatedDate, ...value } = found;
    return { status: 200, body: { ...value, VersionStages: ['AWSCURRENT'], CreatedDate } };
  }

  const listener = wire.wrap(classify, async (request, response) => {
    const body = await json(request).catch(() => ({}));
    const { status, body: content } = answer(jsonOperation(request), body);
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': crypto.randomUUID(),
    });
    response.end(JSON.stringify(content));
  });
  return await listen(createServer(listener));
}

function refused(type: string, message: string): { status: number; body: object } {
  return { status: 400, body: { __type: type, Message: message } };
}

function randomSuffix(): string {
  return crypto.randomUUID().slice(0, 6);
}
