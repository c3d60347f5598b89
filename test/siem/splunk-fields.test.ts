import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddress } from '../../functions/core/ecs/address.ts';
import { ecsDocument } from '../../functions/core/ecs.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { searchTime } from './splunk/search-time.ts';

const search = searchTime();

function fieldsOf(event: object) {
  return search(JSON.stringify(event)).fields;
}
function fieldsOfData(logData: object, event: object = {}) {
  return fieldsOf({ logType: 'authentication', logSubtype: 'failure', ...event, logData });
}

describe('src', () => {
  it.each([
    '192.0.2.1',
    '255.255.255.255',
    '::',
    '::1',
    '2001:db8::1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '::ffff:192.0.2.1',
    '1:2:3:4:5:6:192.0.2.1',
    '1:2:3:4:5::192.0.2.1',
    '2001:DB8:ABCD::F',
  ])('is the address %s', (clientIP) => {
    expect(isAddress(clientIP)).toBe(true);
    expect(fieldsOf({ clientIP }).src).toBe(clientIP);
  });

  it.each([
    '',
    'unknown',
    '256.1.1.1',
    '192.0.2',
    '192.0.2.1, 198.51.100.2',
    '192.0.2.1:443',
    '01.2.3.4',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    ':::',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    '1:2:3:4:5:6::192.0.2.1',
    ':1:2:3:4:5:6:7:8',
  ])('is not %j', (clientIP) => {
    expect(isAddress(clientIP)).toBe(false);
    expect(fieldsOf({ clientIP }).src).toBeNull();
  });

  it('is an address exactly where push delivery takes it for one', () => {
    const group = fc.constantFrom('', '', '0', 'ffff', '1', 'aB', '192.0.2.1', 'g', '12345');
    fc.assert(
      fc.property(fc.array(group, { maxLength: 10 }), (groups) => {
        const text = groups.join(':');
        expect(fieldsOf({ clientIP: text }).src === text).toBe(isAddress(text));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('user', () => {
  const eppn = 'kito@institution.edu';
  const mail = 'kenji.ito@institution.edu';
  it.each([
    ['eppn first', { eppn, mail, uid: 'kito', user: '192.0.2.1' }, eppn],
    ['then mail', { mail, uid: 'kito', user: 'x' }, mail],
    ['then uid', { uid: 'kito', user: 'x' }, 'kito'],
    ['then what the log shows', { user: 'kito' }, 'kito'],
    ['past a null', { eppn: null, mail }, mail],
    ['past an empty text', { eppn: '', mail: '', uid: 'kito' }, 'kito'],
    ['the first of several values', { eppn: [eppn, 'other@institution.edu'] }, eppn],
    ['past an empty array', { eppn: [], uid: ['kito'] }, 'kito'],
    ['never an IPv4 address', { user: '192.0.2.1' }, null],
    ['never an IPv6 address', { user: '2001:db8::7' }, null],
    ['nobody', {}, null],
  ])('%s', (_what, logData, user) => {
    expect(fieldsOfData(logData).user).toBe(user);
  });

  it('has changed the account itself, where people do that themselves', () => {
    expect(fieldsOfData({ eppn }, { logType: 'password', logSubtype: 'success' }).src_user).toBe(eppn);
    expect(fieldsOfData({ eppn }, { logType: 'account', logSubtype: 'manage' }).src_user).toBe(eppn);
    expect(fieldsOfData({ eppn }, { logType: 'create', logSubtype: 'success' }).src_user).toBeNull();
    // In the model Email it would be the sender, whom the log does not name.
    expect(fieldsOfData({ eppn }, { logType: 'sending', logSubtype: 'sent' }).src_user).toBeNull();
  });
});

describe('other fields', () => {
  it('app is what was signed in to, else the service that wrote the event', () => {
    const sp = 'https://wiki.institution.edu/saml/metadata';
    expect(fieldsOfData({ spentityid: sp, sp: 'wiki' })).toMatchObject({ app: sp, application: sp });
    expect(fieldsOfData({}, { service: 'idp' })).toMatchObject({ app: 'idp', application: null });
  });

  it.each([
    [{ spEntityId: 'https://wiki.institution.edu' }, 'authentication', 'SAML'],
    [{ cas_service: 'https://wiki.institution.edu' }, 'cas', 'CAS'],
    [{ client_id: 'wiki-web' }, 'oidc', 'OIDC'],
    [{ factor: 'totp' }, 'MFA', 'totp'],
    [{}, 'emailMFA', 'emailMFA'],
    [{}, 'authentication', null],
  ])('authentication_method of %j in %s is %s', (logData, logType, method) => {
    expect(fieldsOfData(logData, { logType }).authentication_method).toBe(method);
  });

  it('dest is the provider’s host, or where mail went', () => {
    const orgUrl = 'https://login.institution.edu:8443/x';
    expect(fieldsOf({ orgUrl }).dest).toBe('login.institution.edu');
    expect(fieldsOf({ orgDomain: 'institution.edu' }).dest).toBe('institution.edu');
    expect(fieldsOfData({ to: 'kito@mail.institution.edu' }, { logType: 'sending', orgUrl }).dest).toBe(
      'mail.institution.edu',
    );
    expect(fieldsOfData({ to: 'a@b.edu', relay: 'smtp.institution.edu' }, { logType: 'email' }).dest).toBe(
      'smtp.institution.edu',
    );
  });

  it('every recipient is listed and counted', () => {
    const sent = { logType: 'sending', logSubtype: 'sent' };
    const to = ['a@institution.edu', 'b@institution.edu'];
    expect(fieldsOfData({ to }, sent)).toMatchObject({ recipient: to, recipient_count: 2 });
    expect(fieldsOfData({ mail: to[0] }, sent)).toMatchObject({ recipient: to[0], recipient_count: 1 });
    expect(fieldsOfData({ mail: to[0] }).recipient).toBeNull();
  });

  it('are those of push delivery to Elastic, event for event', () => {
    const traffic = generateTraffic({
      seed: 6,
      orgUrl: 'https://login.institution.edu/',
      orgDomain: 'institution.edu',
      fromMs: Date.parse('2026-01-02T00:00:00Z'),
      toMs: Date.parse('2026-01-03T00:00:00Z'),
      count: 3000,
    });
    for (const event of traffic) {
      const line = JSON.stringify(event);
      const { fields } = search(line);
      const document = ecsDocument(line, { org: 'institution', eventId: 'x', collectedAt: 0 });
      expect({
        src: fields.src ?? undefined,
        application: fields.application ?? undefined,
        reason: fields.reason ?? undefined,
        action: fields.signature_id,
        id: fields.user_id ?? undefined,
        outcome: fields.outcome,
        signIn: fields.is_signin,
      }).toStrictEqual({
        src: document.source?.ip,
        application: document.orglog.application,
        reason: document.event.reason,
        action: document.event.action,
        id: document.user?.id,
        outcome: document.event.outcome,
        signIn: String(document.orglog.sign_in),
      });
    }
  });
});
