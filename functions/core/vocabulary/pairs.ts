import type { Activity } from './activities.ts';
import type { Outcome } from './dialects.ts';
import type { LogSubtype, LogType } from './enumerations.ts';

/**
 * What a subtype says of the result, whatever its type. The names of endpoints (CAS: login, validate, serviceValidate,
 * samlValidate; OpenID Connect: authorize, token, userinfo) say that one was called, not what it answered.
 */
export const OUTCOMES: Readonly<Record<LogSubtype, Outcome>> = {
  authenticationSuccess: 'success',
  authorize: 'unknown',
  error: 'failure',
  expiredCode: 'failure',
  failure: 'failure',
  idToken: 'success',
  invalidCode: 'failure',
  login: 'unknown',
  logout: 'success',
  manage: 'success',
  noEmail: 'failure',
  queued: 'unknown',
  request: 'unknown',
  samlValidate: 'unknown',
  send: 'unknown',
  sent: 'success',
  serviceValidate: 'unknown',
  success: 'success',
  token: 'unknown',
  userinfo: 'unknown',
  validate: 'unknown',
};

/** What a type's subtypes tell of; those that are not named tell of `otherwise`. */
type Row = Readonly<Partial<Record<LogSubtype, Activity>>> & { readonly otherwise: Activity };

/** A wrong or late code is a refused credential, and counts as a failed attempt; an accepted one is only a step. */
const SECOND_FACTOR: Row = {
  request: 'begun',
  failure: 'attempt',
  invalidCode: 'attempt',
  expiredCode: 'attempt',
  logout: 'sign-out',
  otherwise: 'step',
};

const MAIL: Row = {
  sent: 'mail-result',
  success: 'mail-result',
  noEmail: 'mail-result',
  failure: 'mail-result',
  error: 'mail-result',
  otherwise: 'mail-progress',
};

/**
 * The table. The document lists types and subtypes, not which occur together: every combination has its meaning here.
 *
 * A sign-in counts once: as `authentication` `success`, written when all factors are through. Before it comes
 * `authenticationSuccess` (the first factor), after it what applications ask (`cas`, `oidc`): none of them counts.
 */
export const PAIRS: Readonly<Record<LogType, Row>> = {
  authentication: {
    success: 'attempt',
    failure: 'attempt',
    error: 'attempt',
    invalidCode: 'attempt',
    expiredCode: 'attempt',
    request: 'begun',
    login: 'begun',
    authorize: 'begun',
    logout: 'sign-out',
    validate: 'exchange',
    serviceValidate: 'exchange',
    samlValidate: 'exchange',
    token: 'exchange',
    idToken: 'exchange',
    userinfo: 'exchange',
    otherwise: 'step',
  },
  MFA: SECOND_FACTOR,
  emailMFA: SECOND_FACTOR,
  cas: { login: 'begun', request: 'begun', logout: 'sign-out', otherwise: 'exchange' },
  oidc: {
    authorize: 'begun',
    login: 'begun',
    request: 'begun',
    logout: 'sign-out',
    otherwise: 'exchange',
  },
  account: {
    login: 'portal',
    logout: 'sign-out',
    manage: 'account-change',
    success: 'account-change',
    failure: 'account-change',
    error: 'account-change',
    invalidCode: 'account-change',
    expiredCode: 'account-change',
    otherwise: 'account-request',
  },
  password: {
    success: 'password-change',
    failure: 'password-change',
    error: 'password-change',
    invalidCode: 'password-change',
    expiredCode: 'password-change',
    noEmail: 'password-change',
    logout: 'sign-out',
    otherwise: 'account-request',
  },
  create: {
    success: 'account-creation',
    failure: 'account-creation',
    error: 'account-creation',
    invalidCode: 'account-creation',
    expiredCode: 'account-creation',
    noEmail: 'account-creation',
    otherwise: 'account-request',
  },
  email: MAIL,
  sending: MAIL,
};
