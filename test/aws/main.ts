/**
 * The AWS services on loopback, in a process of their own: prints one JSON line with their addresses, and ends when
 * its standard input does, so that it never outlives whoever started it.
 *
 * Control (`control` in that line): `GET /__counts`, `POST /__reset`, `POST /__faults` with
 * `{"operation": "PutObject", "fault": {"kind": "lose-answer"}, "times": 1}`, `POST /__account` with what account.ts
 * knows.
 *
 * With `ORGLOG_TEST_AWS=wired`, a service that an `AWS_ENDPOINT_URL_*` names is not started but put behind the wire:
 * its requests are counted too, and meet the same faults.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Account } from './account.ts';
import { startCloudFormation } from './cloudformation.ts';
import { startCloudWatch } from './cloudwatch.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startIam } from './iam.ts';
import { startLambda } from './lambda.ts';
import { type Listening, listen } from './listen.ts';
import { startProxy } from './proxy.ts';
import { classifyS3OrSqs, startS3AndSqs } from './s3-sqs.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { type Classify, type Fault, jsonOperation, Wire } from './wire.ts';

const wire = new Wire();
const account = new Account();

const control = createServer(async (request, response) => {
  switch (`${request.method} ${request.url}`) {
    case 'GET /__counts':
      break;
    case 'POST /__reset':
      wire.reset();
      break;
    case 'POST /__faults': {
      const { operation, fault, times } = (await json(request)) as {
        operation: string;
        fault: Fault;
        times: number;
      };
      wire.fail(operation, fault, times);
      break;
    }
    case 'POST /__account':
      account.put(await json(request));
      break;
    default:
      response.statusCode = 404;
  }
  response.end(JSON.stringify(wire.counts()));
});

await using stack = new AsyncDisposableStack();
const jsonProtocol =
  (service: string): Classify =>
  (request) => ({ service, operation: jsonOperation(request) ?? 'other' });
const dynamodb = await start('DYNAMODB', jsonProtocol('dynamodb'), async () =>
  stack.use(await startDynamoDb(wire)),
);
let own: Promise<Listening> | undefined;
const ownS3AndSqs = () => {
  own ??= startS3AndSqs(wire).then((listening) => stack.use(listening));
  return own;
};
const s3 = await start('S3', classifyS3OrSqs, ownS3AndSqs);
const sqs = await start('SQS', classifyS3OrSqs, ownS3AndSqs);
const secretsManager = await start('SECRETS_MANAGER', jsonProtocol('secretsmanager'), async () =>
  stack.use(await startSecretsManager(wire)),
);
const cloudFormation = stack.use(await startCloudFormation(wire, account));
const cloudWatch = stack.use(await startCloudWatch(wire, account));
const iam = stack.use(await startIam(wire, account));
const lambda = stack.use(await startLambda(wire, account));
const controlServer = stack.use(await listen(control));

process.stdout.write(
  `${JSON.stringify({
    DYNAMODB: dynamodb.url,
    S3: s3.url,
    SQS: sqs.url,
    SECRETS_MANAGER: secretsManager.url,
    CLOUDFORMATION: cloudFormation.url,
    CLOUDWATCH: cloudWatch.url,
    IAM: iam.url,
    LAMBDA: lambda.url,
    control: controlServer.url,
  })}\n`,
);

const ended = Promise.withResolvers<void>();
process.stdin.resume().once('close', () => ended.resolve());
await ended.promise;

async function start(
  name: string,
  classify: Classify,
  startOwn: () => Promise<Listening>,
): Promise<Listening> {
  const given = process.env.ORGLOG_TEST_AWS === 'wired' ? process.env[`AWS_ENDPOINT_URL_${name}`] : undefined;
  return given === undefined ? await startOwn() : stack.use(await startProxy(wire, classify, given));
}
