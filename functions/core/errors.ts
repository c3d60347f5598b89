/**
 * The errors that leave a port or the core. `message` says what happened, with which value, and what to do; `code` is
 * for programs (alarms, exit codes). Messages are logged and printed: never put a secret or an event into one.
 */
export type ErrorCode =
  | 'busy'
  | 'configuration'
  | 'conflict'
  | 'credentials-refused'
  | 'forbidden'
  | 'invalid-request'
  | 'lease-lost'
  | 'log-stuck'
  | 'not-authorized'
  | 'not-found'
  | 'object-conflict'
  | 'source-changed'
  | 'stale-token'
  | 'storage'
  | 'time-out'
  | 'token-refused'
  | 'unavailable';

export class OrglogError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OrglogError';
    this.code = code;
  }
}

/** Whatever was thrown, as one of ours: an unknown error keeps its message under `fallback`. */
export function asOrglogError(error: unknown, fallback: ErrorCode): OrglogError {
  if (error instanceof OrglogError) return error;
  return new OrglogError(fallback, error instanceof Error ? error.message : String(error), { cause: error });
}

/** An object under a key of ours that no run of ours wrote. */
export function foreignObject(key: string): OrglogError {
  return new OrglogError(
    'object-conflict',
    `the archive holds an object at ${key} whose metadata is not orglog's: nothing else may write there. Find out who did, move it away, and the next run goes on`,
  );
}
