import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { AccountFunction } from './account-functions.ts';
import type { DeployedSystem } from './deployed-system.ts';
import { matches } from './filter-pattern.ts';

type Flags = Readonly<Record<string, string>>;
/** A command's answer; files are those of the shell. */
type AwsCommand = (
  flags: Flags,
  system: DeployedSystem,
  files: Map<string, string>,
) => Promise<unknown> | unknown;

/** Objects that somebody removed: a bucket keeps their versions. Key → how to put it there again. */
const removed = new Map<string, PutObjectCommand>();

/** Removes an object, as a hand or an expiry does. */
export async function loseObject({ services, deployment }: DeployedSystem, Key: string): Promise<void> {
  const at = { Bucket: deployment.archive.bucket, Key };
  const { Body, Metadata, ContentType } = await services.clients.s3.send(new GetObjectCommand(at));
  const bytes = await Body?.transformToByteArray();
  if (bytes === undefined) throw new Error(`${Key} is empty`);
  removed.set(Key, new PutObjectCommand({ ...at, Body: bytes, Metadata, ContentType }));
  await services.clients.s3.send(new DeleteObjectCommand(at));
}

/** As much of the AWS CLI as the runbook uses, on the account of the tests. */
const COMMANDS: Readonly<Record<string, AwsCommand>> = {
  'logs tail': ({ operand = '', 'filter-pattern': pattern }, { functions }) =>
    Object.values(functions)
      .filter(({ logGroup }) => logGroup === operand)
      .flatMap(({ log }) => log)
      .filter((line) => pattern === undefined || matches(pattern, line))
      .join('\n'),
  'lambda get-function-concurrency': (flags, system) => {
    const { concurrency } = functionNamed(flags, system);
    return concurrency === undefined ? {} : { ReservedConcurrentExecutions: concurrency };
  },
  'lambda delete-function-concurrency': (flags, system) => {
    functionNamed(flags, system).concurrency = undefined;
    return '';
  },
  'lambda list-event-source-mappings': (flags, system) => {
    if (functionNamed(flags, system) !== system.functions.deliver) return { EventSourceMappings: [] };
    return { EventSourceMappings: [{ UUID: MAPPING, State: system.mapping }] };
  },
  'lambda update-event-source-mapping': ({ uuid, enabled }, system) => {
    if (uuid !== MAPPING || enabled !== '') throw new Error(`no mapping ${uuid}`);
    system.mapping = 'Enabled';
    return { UUID: MAPPING, State: 'Enabling' };
  },
  'lambda invoke': async (flags, system) => await functionNamed(flags, system).invoke(new Map()),
  'scheduler list-schedules': (_flags, { schedules }) => ({
    Schedules: [...schedules].map(([name, State]) => ({
      Name: scheduleOf(name),
      State,
      Target: { Arn: `…:${name}` },
    })),
  }),
  'scheduler get-schedule': ({ name = '' }, { schedules }) => {
    const found = [...schedules.keys()].find((one) => scheduleOf(one) === name);
    if (found === undefined) throw new Error(`no schedule ${name}`);
    return { Name: name, Target: { Arn: `…:${found}` } };
  },
  'scheduler update-schedule': ({ state, 'cli-input-json': input = '' }, { schedules }, files) => {
    const { Name } = JSON.parse(fileNamed(input, files));
    const found = [...schedules.keys()].find((one) => scheduleOf(one) === Name);
    if (found === undefined || state !== 'ENABLED') throw new Error(`cannot make ${Name} ${state}`);
    schedules.set(found, state);
    return {};
  },
  'secretsmanager put-secret-value': ({ 'secret-id': SecretId, 'secret-string': text = '' }, system, files) =>
    system.services.clients.secretsManager.send(
      new PutSecretValueCommand({ SecretId, SecretString: fileNamed(text, files) }),
    ),
  'sqs get-queue-attributes': async ({ 'queue-url': url = '' }, { services }) => {
    const QueueUrl = url.slice(url.lastIndexOf('/') + 1);
    const request = new GetQueueAttributesCommand({
      QueueUrl: `http://queue/000000000000/${QueueUrl}`,
      AttributeNames: ['All'],
    });
    return (await services.clients.sqs.send(request)).Attributes;
  },
  's3api list-object-versions': ({ prefix = '' }) => ({
    DeleteMarkers: [...removed.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((Key) => ({ Key, VersionId: MARKER, IsLatest: true })),
  }),
  's3api delete-object': async ({ key = '', 'version-id': version, bucket }, { services, deployment }) => {
    const put = removed.get(key);
    if (put === undefined || version !== MARKER || bucket !== deployment.archive.bucket)
      throw new Error(`no marker ${version} of ${key} in ${bucket}`);
    await services.clients.s3.send(put);
    removed.delete(key);
    return {};
  },
};

export const MAPPING = '0b0a4b52-5d0c-4f2e-9a43-7d3d6ad1c7f1';
export const MARKER = 'the-version-of-the-marker';

/** Runs `aws …`. @param words without the first. @returns what it prints */
export async function aws(
  words: readonly string[],
  system: DeployedSystem,
  files: Map<string, string>,
): Promise<string> {
  const [service = '', operation = '', ...rest] = words;
  const command = COMMANDS[`${service} ${operation}`];
  if (command === undefined) throw new Error(`aws ${service} ${operation} is not known here`);
  const flags: Record<string, string> = {};
  for (let at = 0; at < rest.length; at++) {
    const [word = '', next] = [rest[at], rest[at + 1]];
    if (!word.startsWith('--')) flags.operand ??= word;
    else if (next === undefined || next.startsWith('--')) flags[word.slice(2)] = '';
    else {
      flags[word.slice(2)] = next;
      at += 1;
    }
  }
  const answer = await command(flags, system, files);
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
}

export function scheduleOf(functionName: string): string {
  return `${functionName}-schedule`;
}

function functionNamed({ 'function-name': name }: Flags, { functions }: DeployedSystem): AccountFunction {
  const found = Object.values(functions).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}

function fileNamed(value: string, files: Map<string, string>): string {
  const text = files.get(value.replace(/^file:\/\//, ''));
  if (!value.startsWith('file://') || text === undefined) throw new Error(`no file ${value}`);
  return text;
}
