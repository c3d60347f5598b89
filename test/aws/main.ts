/**
 * The AWS services on loopback, in a process of their own: prints one JSON line with their addresses, and ends when
 * its standard input does, so that it never outlives whoever started it.
 *
 * Control (`control` in that line): `GET /__counts`, `POST /__reset`, `POST /__faults` with
 * `{"operation": "PutObject", "fault": {"kind": "lose-answer"}, "times": 1}`, `POST /__account` with what account.ts
 * knows.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Account } from './account.ts';
import { startCloudFormation } from './cloudformation.ts';
import { startCloudWatch } from './cloudwatch.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startLambda } from './lambda.ts';
import { listen } from './listen.ts';
import { startS3AndSqs } from './s3-sqs.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { type Fault, Wire } from './wire.ts';

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
const dynamodb = stack.use(await startDynamoDb(wire));
const s3AndSqs = stack.use(await startS3AndSqs(wire));
const secretsManager = stack.use(await startSecretsManager(wire));
const cloudFormation = stack.use(await startCloudFormation(wire, account));
const cloudWatch = stack.use(await startCloudWatch(wire, account));
const lambda = stack.use(await startLambda(wire, account));
const controlServer = stack.use(await listen(control));

process.stdout.write(
  `${JSON.stringify({
    DYNAMODB: dynamodb.url,
    S3: s3AndSqs.url,
    SQS: s3AndSqs.url,
    SECRETS_MANAGER: secretsManager.url,
    CLOUDFORMATION: cloudFormation.url,
    CLOUDWATCH: cloudWatch.url,
    LAMBDA: lambda.url,
    control: controlServer.url,
  })}\n`,
);

const ended = Promise.withResolvers<void>();
process.stdin.resume().once('close', () => ended.resolve());
await ended.promise;
