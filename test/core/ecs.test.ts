import { describe, expect, it } from 'vitest';
import { type EcsContext, ecsDocument } from '../../functions/core/ecs.ts';

const CONTEXT: EcsContext = {
  org: 'institution',
  eventId: 'institution:logs:k3v9:7:12',
  collectedAt: Date.UTC(2026, 0, 2, 9),
};

function documentOf(event: unknown) {
  return ecsDocument(JSON.stringify(event), CONTEXT);
}

function userOf(logData: unknown) {
  return documentOf({ logData }).user;
}

describe('an ECS document', () => {
  it('holds all that the event says', () => {
    const event = {
      logType: 'authentication',
      logSubtype: 'failure',
      timeStampISO: '2026-01-02T08:30:00.123456+01:00',
      orgDomain: 'institution.edu',
      orgUrl: 'https://institution.edu/',
      service: 'idp',
      tenant: 'institution',
      clientIP: '2001:db8::17',
      correlationId: '0c7f',
      logData: {
        user: 'rcosta',
        uid: 'rcosta',
        eppn: 'rcosta@institution.edu',
        mail: 'rosa.costa@institution.edu',
        cas_client_ip: '192.0.2.4',
        spEntityId: 'https://wiki.institution.edu/saml',
        sp: 'wiki',
        error: 'invalid username or password',
      },
    };
    expect(documentOf(event)).toStrictEqual({
      '@timestamp': '2026-01-02T07:30:00.123Z',
      ecs: { version: '8.17.0' },
      event: {
        kind: 'event',
        category: ['authentication'],
        type: ['start'],
        action: 'authentication-failure',
        outcome: 'failure',
        module: 'orglog',
        dataset: 'orglog.events',
        id: 'institution:logs:k3v9:7:12',
        original: JSON.stringify(event),
        reason: 'invalid username or password',
        provider: 'idp',
      },
      source: { address: '2001:db8::17', ip: '2001:db8::17' },
      user: {
        name: 'rcosta',
        id: 'rcosta@institution.edu',
        email: 'rosa.costa@institution.edu',
        domain: 'institution.edu',
      },
      organization: { name: 'institution.edu' },
      service: { name: 'idp' },
      observer: { vendor: 'identity provider', product: 'sign-in log', type: 'identity-provider' },
      related: {
        user: ['rcosta', 'rcosta@institution.edu', 'rosa.costa@institution.edu'],
        ip: ['2001:db8::17', '192.0.2.4'],
      },
      orglog: {
        org: 'institution',
        org_url: 'https://institution.edu/',
        log_type: 'authentication',
        log_subtype: 'failure',
        tenant: 'institution',
        correlation_id: '0c7f',
        application: 'https://wiki.institution.edu/saml',
        sign_in: true,
        log_data: event.logData,
      },
      tags: ['forwarded', 'orglog-events'],
    });
  });

  it('keeps the line as it is, numbers that no double holds and repeated keys too', () => {
    const line = '{"n":12345678901234567890.10,"logType" : "cas","n":1e400,"\\u0061":"\\ud800"}';
    expect(ecsDocument(line, CONTEXT).event.original).toBe(line);
  });

  it('takes an address for no name of a user', () => {
    for (const user of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1']) {
      const { related, ...document } = documentOf({ logData: { user } });
      expect(document).not.toHaveProperty('user');
      expect(related).toStrictEqual({ ip: [user] });
    }
  });

  it.each([
    ['uid', { uid: 'a', eppn: 'b@c', user: 'd' }, { name: 'a', id: 'b@c', domain: 'c' }],
    ['eppn', { eppn: 'b@c', user: 'd' }, { name: 'b@c', id: 'b@c', domain: 'c' }],
    ['user', { user: 'd' }, { name: 'd' }],
    ['uid alone', { uid: 'a', user: '192.0.2.1' }, { name: 'a', id: 'a' }],
    ['the first of several', { uid: ['a', 'b'], mail: [] }, { name: 'a', id: 'a' }],
    ['nothing of what is no text', { uid: 7, eppn: { a: 1 }, mail: null, user: '' }, undefined],
  ])('names the user by %s', (_, logData, user) => {
    expect(userOf(logData)).toStrictEqual(user);
  });

  it('knows a scope only after an @', () => {
    for (const eppn of ['a', 'a@']) expect(userOf({ eppn })).not.toHaveProperty('domain');
    expect(userOf({ eppn: 'a@b@c' })).toHaveProperty('domain', 'b@c');
  });

  it('gives an address only where there is one', () => {
    expect(documentOf({ clientIP: '192.0.2.1' }).source).toStrictEqual({
      address: '192.0.2.1',
      ip: '192.0.2.1',
    });
    expect(documentOf({ clientIP: '192.0.2.1, 192.0.2.2' }).source).toStrictEqual({
      address: '192.0.2.1, 192.0.2.2',
    });
    for (const clientIP of ['', null, 7, ['192.0.2.1']])
      expect(documentOf({ clientIP })).not.toHaveProperty('source');
  });

  it('finds the application by either spelling', () => {
    for (const key of ['spEntityId', 'spentityid', 'cas_service', 'client_id', 'sp'])
      expect(documentOf({ logData: { [key]: 'x' } }).orglog.application).toBe('x');
    expect(documentOf({ logData: { sp: 'wiki', spentityid: 'x' } }).orglog.application).toBe('x');
  });

  it('goes by the time of collecting, and says so, where the event has none', () => {
    for (const timeStampISO of [undefined, 7, 'last Friday', '2026-02-30T00:00:00Z']) {
      const document = documentOf({ timeStampISO });
      expect(document['@timestamp']).toBe('2026-01-02T09:00:00.000Z');
      expect(document.tags).toContain('orglog-no-timestamp');
    }
  });

  it('calls what is not listed an event of unknown outcome', () => {
    const { event, orglog } = documentOf({ logType: 'biometrics', logSubtype: 'scan' });
    expect(event).toMatchObject({ kind: 'event', outcome: 'unknown', action: 'biometrics-scan' });
    expect(event).not.toHaveProperty('category');
    expect(orglog).toMatchObject({ sign_in: false, log_type: 'biometrics' });
  });

  it('leaves out a logData that an index refuses, and says so', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    expect(documentOf({ logData: nested(15) }).orglog.log_data).toStrictEqual(nested(15));
    for (const logData of [
      nested(16),
      'text',
      [1],
      { 'a\u0000b': 1 },
      { a: 'v'.repeat(8192) },
      { a: [{ ['k'.repeat(129)]: 1 }] },
    ]) {
      const { orglog, tags, event } = documentOf({ logData });
      expect(orglog).not.toHaveProperty('log_data');
      expect(tags).toContain('orglog-log-data-left-out');
      expect(JSON.parse(event.original)).toStrictEqual({ logData });
    }
    expect(documentOf({ logData: null }).tags).not.toContain('orglog-log-data-left-out');
  });

  it('makes an error of a line that is not JSON, and keeps it', () => {
    expect(ecsDocument('{"a":', CONTEXT)).toMatchObject({
      event: { kind: 'pipeline_error', outcome: 'unknown', original: '{"a":' },
      error: { message: 'the event is not valid JSON' },
    });
  });
});
