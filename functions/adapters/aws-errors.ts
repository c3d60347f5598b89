import { OrglogError } from '../core/errors.ts';

/** One call, as an operator would look for it: in a policy, and in the console. */
export interface AwsCall {
  /** `DynamoDB`, `S3`, … */
  readonly service: string;
  /** What the caller needs to be allowed, for example `dynamodb:UpdateItem`. */
  readonly permission: string;
  /** With its kind, for example `table orglog-cursors`. */
  readonly resource: string;
  /** What else may be missing where the call is denied. */
  readonly alsoAllow?: string;
  /** What to do where there is no such resource, if not the usual. */
  readonly ifMissing?: string;
  /** The SDK's words may quote what was answered: left out where an answer holds a secret, with the cause. */
  readonly secret?: boolean;
}

const MISSING = new Set([
  'AWS.SimpleQueueService.NonExistentQueue',
  'NoSuchBucket',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
]);

const REFUSED = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AllAccessDisabled',
  'DecryptionFailure',
  'Forbidden',
  'KMSAccessDeniedException',
  'KmsAccessDenied',
  'NotAuthorized',
]);

const BAD_CREDENTIALS = new Set([
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
  'UnrecognizedClientException',
]);

const OTHER_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
]);

const TIMED_OUT = new Set(['ETIMEDOUT', 'RequestTimeout', 'TimeoutError']);

/**
 * Do one call: rejects with an `OrglogError` only, and as soon as `signal` fires, even where the SDK is waiting to try
 * again (its own waits cannot be interrupted).
 */
export async function callAws<T>(call: AwsCall, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw timeUp(call, signal);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(timeUp(call, signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([attempt(), aborted]);
  } catch (error) {
    throw translateAwsError(error, call, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * What an SDK error means to us: `configuration` needs an operator, `time-out` and `storage` mend themselves (the next
 * run tries again). Unknown means failed.
 */
export function translateAwsError(error: unknown, call: AwsCall, signal?: AbortSignal): OrglogError {
  if (error instanceof OrglogError) return error;
  if (signal?.aborted) return timeUp(call, signal);
  const { name, status, detail } = describe(error);
  const options = call.secret ? undefined : { cause: error };
  const said = call.secret ? '' : `: ${detail}`;
  const failed = `${call.service} failed at ${call.permission} on the ${call.resource}`;
  if (MISSING.has(name)) {
    return new OrglogError(
      'configuration',
      `${call.service} knows no ${call.resource} in this account and region (${name}): ${call.ifMissing ?? 'deploy it, or correct its name in the environment'}`,
      options,
    );
  }
  if (REFUSED.has(name) || (status === 403 && !BAD_CREDENTIALS.has(name))) {
    return new OrglogError(
      'configuration',
      `${call.service} denied ${call.permission} on the ${call.resource} (${name}): allow it${call.alsoAllow === undefined ? '' : `, ${call.alsoAllow}`} and the use of its KMS key to the role that runs this${said}`,
      options,
    );
  }
  if (BAD_CREDENTIALS.has(name)) {
    return new OrglogError(
      'configuration',
      `${call.service} did not accept our AWS credentials at ${call.permission} on the ${call.resource} (${name}): check the role, or AWS_ACCESS_KEY_ID and its companions${said}`,
      options,
    );
  }
  if (OTHER_REGION.has(name) || status === 301) {
    return new OrglogError(
      'configuration',
      `${failed} (${name}): it lies in another region; set AWS_REGION to that one${said}`,
      options,
    );
  }
  if (TIMED_OUT.has(name)) {
    return new OrglogError(
      'time-out',
      `${failed}: no answer in time (${name}); the next run tries again`,
      options,
    );
  }
  return new OrglogError(
    'storage',
    `${failed} (${status === undefined ? name : `${name}, status ${status}`}): the next run tries again; if it persists, see the service's health${said}`,
    options,
  );
}

function timeUp(call: AwsCall, signal: AbortSignal): OrglogError {
  return new OrglogError(
    'time-out',
    `${call.permission} on the ${call.resource} was given up before an answer came: the run's time was up, or it was asked to stop; the next run looks whether it took effect`,
    { cause: signal.reason },
  );
}

/** Network errors are known by `code`; S3's answers to HEAD have no body, so only the status tells. */
function describe(error: unknown): { name: string; status?: number; detail: string } {
  if (!(error instanceof Error)) return { name: 'unknown error', detail: String(error) };
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  const generic = error.name === 'Error' || error.name === 'AggregateError';
  const name = generic && typeof code === 'string' ? code : error.name;
  const status = $metadata?.httpStatusCode;
  const detail = error.message === '' ? name : error.message;
  return status === undefined ? { name, detail } : { name, status, detail };
}

/** Whether the SDK's error has this name: the SDK's own classes would be more to bundle. */
export function isAwsError<E extends object = object>(error: unknown, name: string): error is Error & E {
  return error instanceof Error && error.name === name;
}
