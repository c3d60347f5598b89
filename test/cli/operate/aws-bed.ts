import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { openAwsDeployment } from '../../../functions/adapters/operator/deployment.ts';
import { findFunction, only, referringTo, scheduledEvent, startFunction } from '../../artefact/functions.ts';
import { deployInstitution } from '../../artefact/institution.ts';
import { operatorEnvironment } from '../../artefact/operator.ts';
import type { Services } from '../../aws/services.ts';
import { never } from '../../contracts/support.ts';
import type { OperateBed } from './bed.ts';

const PASSWORD = 'correct horse';

/** What the templates make, with the deployed collect function at work in it; whoever is pushed to takes nothing. */
export async function awsBed(services: Services): Promise<OperateBed> {
  await using opened = new AsyncDisposableStack();
  const nowhere = { url: 'http://127.0.0.1:1' };
  const institution = opened.use(await deployInstitution(services, { splunk: nowhere, elastic: nowhere }));
  const { deployment: made, provider } = institution;
  institution.accept(PASSWORD);
  await institution.store(PASSWORD);
  const fn = findFunction(made, { handler: 'collect.handler' });
  const schedule = only(referringTo(made, fn, 'AWS::Scheduler::Schedule', 'Target'));
  const container = opened.use(await startFunction(made, fn));
  const collect = async (count: number) => {
    institution.produce(count, 40);
    const { outcome } = await container.invoke(await scheduledEvent(made, schedule));
    const { body } = outcome as { body?: { outcome?: string } };
    if (body?.outcome !== 'caught-up') throw new Error(`the run ended otherwise: ${JSON.stringify(outcome)}`);
    // As if the next run came a period later.
    await institution.aPeriodLater();
  };
  for (let run = 0; run < 3; run++) await collect(40);
  const env = await operatorEnvironment(made);
  const deployment = opened.use(await openAwsDeployment({ env }, never));
  const { s3, sqs } = services.clients;
  const urlOf = async (name: RegExp): Promise<string> => {
    for (const queue of made.resourcesOf('AWS::SQS::Queue')) {
      if (name.test(String(await made.property(queue, 'QueueName')))) return (await made.made(queue)).ref;
    }
    throw new Error(`no queue matches ${name}`);
  };
  const all = opened.move();
  return {
    ...{ deployment, provider, env, collect },
    pushed: 'splunk',
    system: ['--stack', 'orglog'],
    async bury(destination) {
      const QueueUrl = await urlOf(new RegExp(`-${destination}$`));
      const DeadUrl = await urlOf(new RegExp(`-${destination}-dead`));
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        if (Messages.length === 0) return;
        for (const { Body, ReceiptHandle } of Messages) {
          await sqs.send(new SendMessageCommand({ QueueUrl: DeadUrl, MessageBody: Body }));
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },
    async lose(Key) {
      await s3.send(new DeleteObjectCommand({ Bucket: deployment.archive.bucket, Key }));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
