import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  EventSourceMapping,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FunctionCode } from './bundle-function.ts';
import { CredentialSecret, sinksCredential } from './credential-secret.ts';
import { deliverEnvironment } from './deliver-environment.ts';
import { acknowledgeDeliverPolicy, deliverPolicy } from './deliver-policy.ts';
import { DELIVERY_TIMEOUT } from './destination-queue.ts';
import type { Names } from './names.ts';
import type { PushDestination } from './settings/push.ts';
import type { Settings } from './settings/schema.ts';

export interface DeliverFunctionProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly destination: PushDestination;
  readonly code: FunctionCode;
  readonly key: IKey;
  /** The destination's. */
  readonly queue: IQueue;
}

/** Four requests of 5 MB in the making, and a share of a processor that keeps up with a sink. */
const MEMORY_MB = 512;

/** The most that SQS gives at once; what a run has no time for goes back without a wait, its progress kept. */
const BATCH_SIZE = 10;

/** Everything that empties one push queue into its sink: function, role, secret, log, and Lambda's reading of the queue. */
export class DeliverFunction extends Construct {
  readonly destination: PushDestination;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: DeliverFunctionProps) {
    super(scope, id);
    const { names, settings, destination, code, key, queue } = props;
    this.destination = destination;
    const secret = new CredentialSecret(this, 'Credential', {
      names,
      secretName: names.sinkSecret(destination.id),
      purpose: sinksCredential(destination.id, destination.kind),
    });
    // It names the key by its alias, which must be there first.
    secret.node.addDependency(key);

    const policy = { names, key, destination: destination.id };
    const role = new Role(this, 'Role', {
      description: `orglog: delivers to ${destination.id}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { deliver: deliverPolicy(this, policy) },
    });
    acknowledgeDeliverPolicy(role, policy);
    this.function = new LambdaFunction(this, 'Function', {
      functionName: names.deliverFunction(destination.id),
      description: `Delivers events to ${destination.id} (${destination.kind})`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: DELIVERY_TIMEOUT,
      code: Code.fromAsset(code.folder),
      handler: code.handler,
      environment: deliverEnvironment({ names, settings, destination }),
      role,
      logGroup: this.#logGroup(names, settings),
    });
    new EventSourceMapping(this, 'Source', {
      target: this.function,
      eventSourceArn: queue.queueArn,
      batchSize: BATCH_SIZE,
      // Without it, Lambda would remove messages that the function names as failed.
      reportBatchItemFailures: true,
      // Here rather than reserved for the function: what a reservation throttles has been received, and counts.
      maxConcurrency: destination.push.concurrency,
    });
    acknowledgeChoices(this.function);
  }

  #logGroup(names: Names, { retention }: Settings): LogGroup {
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: names.deliverLogGroup(this.destination.id),
      retention: retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(logGroup, {
      'NIST.800.53.R5-CloudWatchLogGroupEncrypted':
        'CloudWatch encrypts every group; the lines hold counts, ids and times, never an event or a credential.',
    });
    return logGroup;
  }
}

function acknowledgeChoices(deliver: LambdaFunction): void {
  acknowledge(deliver, {
    'NIST.800.53.R5-LambdaConcurrency':
      'The mapping to its queue bounds it; a reservation would throttle messages that are received already.',
    'NIST.800.53.R5-LambdaDLQ': 'It is invoked by its queue only, which has dead letters of its own.',
    'NIST.800.53.R5-LambdaInsideVPC':
      'It calls the sink and AWS over TLS and is called by nobody: a network of its own would add an exit to pay for.',
  });
}
