import { describe, expect, it } from 'vitest';
import { type AwsCall, callAws, translateAwsError } from '../../functions/adapters/aws-errors.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import { never } from '../contracts/support.ts';
import { rejection } from './aws-suite.ts';

const call: AwsCall = { service: 'S3', permission: 's3:PutObject', resource: 'bucket b' };

function sdkError(name: string, status?: number, message = 'its words'): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
}

describe('AWS errors', () => {
  it.each([
    ['configuration', sdkError('NoSuchBucket', 404), 'deploy it'],
    ['configuration', sdkError('ResourceNotFoundException', 400), 'deploy it'],
    ['configuration', sdkError('AccessDenied', 403), 'allow it'],
    ['configuration', sdkError('Unknown', 403), 'allow it'],
    ['configuration', sdkError('InvalidAccessKeyId', 403), 'check the role'],
    ['configuration', sdkError('CredentialsProviderError'), 'check the role'],
    ['configuration', sdkError('PermanentRedirect', 301), 'AWS_REGION'],
    ['time-out', sdkError('TimeoutError'), 'no answer in time'],
    ['storage', sdkError('SlowDown', 503), 'SlowDown, status 503'],
    ['storage', sdkError('SomethingNew', 418), 'SomethingNew, status 418'],
    ['storage', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['storage', new AggregateError([], ''), 'AggregateError'],
    ['storage', 'a string', 'a string'],
  ] as const)('are %s: %s', (code, error, words) => {
    const translated = translateAwsError(error, call);
    expect(translated.code).toBe(code);
    expect(translated.message).toContain('bucket b');
    expect(translated.message).toContain(words);
    expect(translated.cause).toBe(error);
  });

  it('of ours pass unchanged', () => {
    const error = new OrglogError('lease-lost', 'gone');
    expect(translateAwsError(error, call)).toBe(error);
  });

  it('say what else may be missing where a call is denied', () => {
    const alsoAllow = 's3:ListBucket';
    expect(translateAwsError(sdkError('AccessDenied'), { ...call, alsoAllow }).message).toContain(alsoAllow);
  });

  it.each([
    'AccessDenied',
    'InvalidAccessKeyId',
    'PermanentRedirect',
    'TimeoutError',
    'SomethingNew',
    'NoSuchBucket',
  ])('of calls that answer with secrets quote nothing: %s', (name) => {
    const error = translateAwsError(sdkError(name, 400, 'xyzzy'), { ...call, secret: true });
    expect(error.message).not.toContain('xyzzy');
    expect(error.cause).toBeUndefined();
  });

  it('are time-outs once the signal has fired, whatever the SDK makes of it', () => {
    expect(translateAwsError(sdkError('AbortError'), call, AbortSignal.abort()).code).toBe('time-out');
  });

  it('do not wait for a call that does not hear of the signal', async () => {
    const controller = new AbortController();
    const pending = rejection(callAws(call, controller.signal, () => new Promise(() => {})));
    controller.abort();
    expect((await pending).code).toBe('time-out');
  });

  it('are not made where all is well', async () => {
    expect(await callAws(call, never, async () => 'answer')).toBe('answer');
  });
});
