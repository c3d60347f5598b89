/**
 * The stand-ins of AWS (test/aws) in a process of their own, behind a wire that delays and fails. Goes by the clock that
 * CHAOS_CLOCK_FILE names: that is how time passes at its queues. Says its addresses first; then listens for
 * `ServicesOrder` messages. Ends when its parent does.
 */
import type { RequestListener } from 'node:http';
import { startDynamoDb } from '../aws/dynamodb.ts';
import { startS3AndSqs } from '../aws/s3-sqs.ts';
import { startSecretsManager } from '../aws/secrets-manager.ts';
import { type Classify, type Fault, Wire } from '../aws/wire.ts';
import type { BefallenFault, ServicesOrder } from './services-process.ts';

/** Unlike `Date.now`, true whatever this process's clock says; epoch ms. */
const trueNow = () => performance.timeOrigin + performance.now();

class LateWire extends Wire {
  delayMs = 0;
  readonly befallen: BefallenFault[] = [];
  /** What is still to befall each operation, as the wire itself has it. */
  readonly #coming = new Map<string, string[]>();

  override reset(): void {
    super.reset();
    this.#coming.clear();
    this.delayMs = 0;
  }

  override fail(operation: string, fault: Fault, times: number): void {
    super.fail(operation, fault, times);
    const coming = this.#coming.get(operation) ?? [];
    coming.push(...Array.from({ length: times }, () => fault.kind));
    this.#coming.set(operation, coming);
  }

  override wrap(classify: Classify, listener: RequestListener): RequestListener {
    const wrapped = super.wrap(classify, listener);
    return (request, response) => {
      const carryOut = () => {
        const { operation } = classify(request);
        const kind = this.#coming.get(operation)?.shift();
        if (kind !== undefined) this.befallen.push({ operation, kind, atMs: trueNow() });
        wrapped(request, response);
      };
      if (this.delayMs === 0) carryOut();
      else setTimeout(carryOut, this.delayMs);
    };
  }
}

const wire = new LateWire();
const dynamodb = await startDynamoDb(wire);
const s3AndSqs = await startS3AndSqs(wire);
const secretsManager = await startSecretsManager(wire);

process.on('message', ({ id, order }: { id: number; order: ServicesOrder }) => {
  if (order.kind === 'fail') wire.fail(order.operation, order.fault, order.times);
  else if (order.kind === 'latency') wire.delayMs = order.delayMs;
  else if (order.kind === 'calm') wire.reset();
  process.send?.({ id, befallen: order.kind === 'tell' ? wire.befallen : [] });
});
process.on('disconnect', () => process.exit());
process.send?.({
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
  AWS_ENDPOINT_URL_S3: s3AndSqs.url,
  AWS_ENDPOINT_URL_SQS: s3AndSqs.url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
});
