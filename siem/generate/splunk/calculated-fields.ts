import { APPLICATION_KEYS, REASON_KEYS } from '../../../functions/core/ecs.ts';
import { LISTED_PAIRS } from '../../../functions/core/vocabulary.ts';
import { call, firstOf, firstThatSays, isAddress, isOneOf, says, valuesOf, when } from './expressions.ts';

type Model = 'Authentication' | 'Change' | 'Email';

const USER = call('case', [
  ...['eppn', 'mail', 'uid'].map((key) => `${says(key)}, ${firstOf(key)}`),
  // Where nobody is known the log's "user" falls back to an address: an address is never a user.
  `${says('user')} AND NOT ${isAddress(firstOf('user'))}, ${firstOf('user')}`,
]);
const HOST = 'coalesce(replace(orgUrl, "^https?://([^/:?#]+).*$", "\\1"), orgDomain)';
const RECIPIENTS = call(
  'case',
  ['to', 'mail'].map((key) => `${says(key)}, ${valuesOf(key)}`),
);
const REASON = firstThatSays(REASON_KEYS);

const IS_CHANGE = isOneOf('logType', typesOf('Change'));
const IS_MAIL = isOneOf('logType', typesOf('Email'));
/** People manage their accounts and change their passwords themselves; who had an account created, the log does not say. */
const IS_OWN_CHANGE = isOneOf('logType', ['account', 'password']);

/**
 * Field → eval expression. Splunk calculates them all side by side: none may use another. No `OR`: beside a field that
 * is missing its value is not documented; `case` takes the first condition that is true.
 * What the data models ask for: https://docs.splunk.com/Documentation/CIM, Authentication, Change and Email.
 */
export const CALCULATED_FIELDS: Readonly<Record<string, string>> = {
  vendor_product: '"orglog"',
  signature_id: 'logType."-".logSubtype',

  // The log may hold anything in its place.
  src: when(isAddress('clientIP'), 'clientIP'),
  user: USER,
  user_id: firstThatSays(['eppn', 'uid']),
  application: firstThatSays(APPLICATION_KEYS),
  app: firstThatSays(APPLICATION_KEYS, 'service'),
  dest: call('case', [
    `${IS_MAIL} AND ${says('relay')}, ${firstOf('relay')}`,
    `${IS_MAIL}, replace(${firstThatSays(['to', 'mail'])}, "^.*@", "")`,
    `true(), ${HOST}`,
  ]),
  reason: REASON,
  authentication_method: call('case', [
    `${isOneOf('logType', ['MFA', 'emailMFA'])}, ${firstThatSays(['factor'], 'logType')}`,
    ...['spEntityId', 'spentityid', 'saml_idp'].map((key) => `${says(key)}, "SAML"`),
    `${says('cas_service')}, "CAS"`,
    `${says('client_id')}, "OIDC"`,
  ]),

  src_user: when(IS_OWN_CHANGE, USER),
  object: when(IS_CHANGE, USER),
  object_id: when(IS_CHANGE, firstThatSays(['eppn', 'uid'])),
  object_attrs: when('logType="password"', '"password"'),
  command: when(IS_CHANGE, 'logType."-".logSubtype'),
  dvc: when(IS_CHANGE, HOST),
  result: when(IS_CHANGE, REASON),

  recipient: when(IS_MAIL, RECIPIENTS),
  recipient_count: when(IS_MAIL, `mvcount(${RECIPIENTS})`),
  message_id: when(IS_MAIL, firstThatSays(['messageId'])),
};

function typesOf(model: Model): string[] {
  return [
    ...new Set(
      LISTED_PAIRS.filter(({ meaning }) => meaning.cim?.model === model).map((pair) => pair.logType),
    ),
  ];
}
