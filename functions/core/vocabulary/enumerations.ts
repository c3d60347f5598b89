/** What logs-v1.md lists under Enumerations; `emailMFA` is what deployed providers send besides, as one value. */
export const LOG_TYPES = [
  'account',
  'authentication',
  'cas',
  'create',
  'email',
  'emailMFA',
  'MFA',
  'oidc',
  'password',
  'sending',
] as const;

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

export const SERVICES = ['bridge', 'gateway', 'idGeneration', 'idp', 'mail', 'proxy'] as const;

export type LogType = (typeof LOG_TYPES)[number];
export type LogSubtype = (typeof LOG_SUBTYPES)[number];
