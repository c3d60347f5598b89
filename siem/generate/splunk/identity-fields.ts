import { call, saysField, when } from './expressions.ts';
import { secondsOf } from './time.ts';

const MAIL = "'identity.mail'";
const GIVEN = "'identity.givenName'";
const SURNAME = "'identity.sn'";
const USER = call('case', [`${saysField(MAIL)}, ${MAIL}`, 'true(), serviceUid']);
/** Where an identity lives: no host is known, and two environments are two populations. */
const PLACE = 'org."/".environment';

/** eduPersonPrincipalName, which sign-ins name their user by (RFC 4512 knows no name for it; eduPerson, 2.2.8). */
const EPPN = 'attributes.urn:oid:1.3.6.1.4.1.5923.1.1.1.6{}';

/**
 * Field → eval expression, of the identity feed: see calculated-fields.ts. Who did it the feed does not tell: there is no
 * `src_user`.
 */
export const IDENTITY_FIELDS: Readonly<Record<string, string>> = {
  vendor_product: '"orglog"',
  user: USER,
  object: USER,
  email: when(saysField(MAIL), MAIL),
  realname: call('case', [
    `${saysField(GIVEN)} AND ${saysField(SURNAME)}, ${GIVEN}." ".${SURNAME}`,
    `${saysField(SURNAME)}, ${SURNAME}`,
    `${saysField(GIVEN)}, ${GIVEN}`,
  ]),
  eppn: `coalesce('collection.${EPPN}', 'identity.attributeCollections{}.${EPPN}')`,
  object_attrs: "'changes{}.field'",
  dest: PLACE,
  dvc: PLACE,
  walk_started: secondsOf('walkStartedAt'),
};
