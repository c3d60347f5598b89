/** Values of `logType` (logs-v1.md, enumerations), and `emailMFA`, which deployed providers use beyond the document. */
export const LOG_TYPES = [
  'account',
  'authentication',
  'cas',
  'create',
  'email',
  'MFA',
  'oidc',
  'password',
  'sending',
  'emailMFA',
] as const;

/** Values of `logSubtype` (logs-v1.md, enumerations). */
export const LOG_SUBTYPES = [
  'authenticationSuccess',
  'authorize',
  'error',
  'expiredCode',
  'failure',
  'idToken',
  'invalidCode',
  'login',
  'logout',
  'manage',
  'noEmail',
  'queued',
  'request',
  'samlValidate',
  'send',
  'sent',
  'serviceValidate',
  'success',
  'token',
  'userinfo',
  'validate',
] as const;

/** Values of `service` (logs-v1.md, enumerations). */
export const SERVICES = ['bridge', 'gateway', 'idGeneration', 'idp', 'mail', 'proxy'] as const;

export type LogType = (typeof LOG_TYPES)[number];
export type LogSubtype = (typeof LOG_SUBTYPES)[number];
export type Service = (typeof SERVICES)[number];

/** One log event, members in the order in which the stand-in writes them (logs-v1.md, "Log event"). */
export interface LogEvent {
  readonly logType: LogType;
  readonly logSubtype: LogSubtype;
  /** ISO 8601 with a UTC offset: `2026-01-02T03:04:05.678+00:00`. */
  readonly timeStampISO: string;
  readonly orgDomain: string;
  readonly orgUrl: string;
  readonly service: Service;
  readonly tenant: string;
  readonly clientIP: string;
  /** Shared by all events of one sign-in. */
  readonly correlationId: string;
  readonly logData: Readonly<Record<string, unknown>>;
}

/** An event as a text of the caller's choosing, served unchanged; the other members are what filters compare. */
export interface RawEvent {
  /** One JSON object. Not checked: serving odd bytes is the point. */
  readonly json: string;
  /** Epoch ms: decides whether a read without a token starts at or before it. */
  readonly timeMs: number;
  readonly service?: string;
  readonly logType?: string;
  readonly logSubtype?: string;
  readonly tenant?: string;
}
