import { describe, expect, it } from 'vitest';
import { fullGrant } from '../../../../local/provider/identities/full-grant.ts';
import type { Provider } from '../../../../local/provider/server.ts';
import { basic, call, start } from '../support.ts';
import {
  ADMIN,
  type AskOptions,
  AUTHORITIES,
  ask,
  createPerson,
  credential,
  INSTITUTION,
  type Method,
  person,
  STRANGER,
  startIdentities,
  UNKNOWN,
} from './support.ts';

const FULL = fullGrant(INSTITUTION);
const { hosted, personnel } = AUTHORITIES;

/** A credential with these permissions in `prod`, and none in `test`. */
function limited(permissions: readonly string[], obid: readonly string[] = ['read', 'write']) {
  const prod = { ...FULL.environments?.prod, permissions };
  return credential(`limited-${permissions.join('-')}`, { ...FULL, environments: { prod }, obid });
}

const collection = { attributeCollectionAuthority: personnel, uid: 'x1' };
const remote = { remoteCredentialAuthority: AUTHORITIES.remote, uid: 'x2' };

/** Each operation on an identity or its environment, with the permission that it needs. */
const OPERATIONS: [Method, (uid: string) => string, 'read' | 'write' | 'delete', AskOptions][] = [
  ['GET', () => '/list/prod', 'read', {}],
  ['GET', () => '/list/byAttributeCollection/prod', 'read', { query: { attributeAuthority: personnel } }],
  ['GET', () => '/search/prod/term', 'read', {}],
  ['GET', (uid) => `/fetch/${uid}`, 'read', {}],
  ['POST', () => '/create/prod', 'write', { body: person('somebody') }],
  ['PATCH', (uid) => `/modify/${uid}`, 'write', { body: { sn: 'Else' } }],
  ['POST', (uid) => `/attributeCollections/create/${uid}`, 'write', { body: collection }],
  ['PUT', (uid) => `/attributeCollections/modify/${uid}`, 'write', { body: { ...collection, uid: 'x0' } }],
  [
    'DELETE',
    (uid) => `/attributeCollections/delete/${uid}`,
    'delete',
    { query: { attributeAuthority: personnel, attributeAuthorityUid: 'x0' } },
  ],
  ['POST', (uid) => `/remoteCredentials/create/${uid}`, 'write', { body: remote }],
  [
    'DELETE',
    (uid) => `/remoteCredentials/delete/${uid}`,
    'delete',
    { query: { remoteCredentialAuthority: AUTHORITIES.remote, remoteCredentialUid: 'x0' } },
  ],
  ['POST', (uid) => `/obids/create/${uid}`, 'write', { body: { surname: 'S', email: 's@institution.edu' } }],
];

async function prepared(others: Parameters<typeof startIdentities>[0]) {
  const provider = await startIdentities(others);
  const { serviceUid } = await createPerson(provider, 'first', {
    attributeCollections: [{ ...collection, uid: 'x0' }],
    remoteCredentials: [{ ...remote, uid: 'x0' }],
  });
  return { provider, serviceUid };
}

it('tells each credential what it may do, both environments always', async () => {
  const some = credential('some', {
    orgDomain: 'institution.edu',
    environments: { test: { permissions: ['read'] } },
  });
  await using provider = await startIdentities([some]);
  expect((await ask(provider, 'GET', '/permissions')).json).toEqual({
    username: 'admin',
    orgDomain: 'institution.edu',
    environments: FULL.environments,
    obid: ['read', 'write'],
  });
  const none = { permissions: [], customerUidKeys: [], attributeAuthorities: [] };
  expect((await ask(provider, 'GET', '/permissions', { as: some })).json).toEqual({
    username: 'some',
    orgDomain: 'institution.edu',
    environments: { test: { ...none, permissions: ['read'] }, prod: none },
    obid: [],
  });
});

it.each(OPERATIONS)('%s %s needs its permission', async (method, path, wanted, options) => {
  const others = ['read', 'write', 'delete'].filter((each) => each !== wanted);
  const [enough, all, without] = [limited([wanted]), limited(['admin-all']), limited(others)];
  for (const [as, status] of [
    [without, 401],
    [enough, undefined],
    [all, undefined],
  ] as const) {
    const { provider, serviceUid } = await prepared([enough, all, without]);
    await using _ = provider;
    const reply = await ask(provider, method, path(serviceUid), { ...options, as });
    if (status === undefined) expect(reply.status).toBeLessThan(300);
    else expect(reply).toMatchObject({ status, json: { detail: 'Not authorized' } });
    if (status !== undefined) expect(reply.headers['www-authenticate']).toMatch(/^Basic /);
  }
});

it.each(OPERATIONS)(
  '%s %s answers 401 to credentials without identities, and to wrong ones',
  async (...row) => {
    const [method, path, , options] = row;
    const logOnly = credential('log-only');
    await using provider = await startIdentities([logOnly]);
    for (const as of [logOnly, { ...ADMIN, password: 'wrong' }, { ...ADMIN, username: 'nobody' }]) {
      const reply = await ask(provider, method, path(UNKNOWN), { ...options, as });
      expect(reply).toMatchObject({ status: 401, json: { detail: expect.any(String) } });
      expect((await ask(provider, 'GET', '/permissions', { as })).status).toBe(401);
    }
    const bare = await call(provider, { path: '/identities/v1/permissions', authorization: undefined });
    expect(bare.status).toBe(401);
  },
);

describe('organizations are separate', () => {
  const naming = OPERATIONS.filter(([, path]) => path('uid').includes('uid'));
  it.each(naming)('%s %s: 404 for an identity of another one', async (method, path, _wanted, options) => {
    const { provider, serviceUid } = await prepared([]);
    await using _ = provider;
    for (const [uid, as] of [
      [serviceUid, STRANGER],
      [UNKNOWN, ADMIN],
    ] as const) {
      const body = options.body as Record<string, unknown> | undefined;
      const reply = await ask(provider, method, path(uid), { ...options, ...(body && { body }), as });
      expect(reply).toMatchObject({ status: 404, json: { detail: 'Record not found' } });
    }
  });

  it('lists and finds its own only, environment by environment', async () => {
    await using provider = await startIdentities();
    const one = await createPerson(provider, 'ann');
    const two = await createPerson(provider, 'ann', {}, { as: STRANGER });
    const three = await createPerson(provider, 'ann', {}, { environment: 'test' });
    const seen = async (as: typeof ADMIN, environment: string) => {
      const list = (await ask(provider, 'GET', `/list/${environment}`, { as })).json;
      const uids = list.items.map((each: { serviceUid: string }) => each.serviceUid);
      expect((await ask(provider, 'GET', `/search/${environment}/ann`, { as })).json).toEqual(uids);
      return uids;
    };
    expect(await seen(ADMIN, 'prod')).toEqual([one.serviceUid]);
    expect(await seen(STRANGER, 'prod')).toEqual([two.serviceUid]);
    expect(await seen(ADMIN, 'test')).toEqual([three.serviceUid]);
    expect(await seen(STRANGER, 'test')).toEqual([]);
  });

  it('refuses to start with a credential for an organization it does not have', async () => {
    const lost = credential('lost', { orgDomain: 'nowhere.example' });
    await expect(start({ credentials: [lost] })).rejects.toMatchObject({ code: 'configuration' });
  });
});

it('answers 401 for an identity in an environment that the credential may not use', async () => {
  const prodOnly = limited(['admin-all']);
  await using provider = await startIdentities([prodOnly]);
  const { serviceUid } = await createPerson(provider, 'ann', {}, { environment: 'test' });
  expect((await ask(provider, 'GET', `/fetch/${serviceUid}`, { as: prodOnly })).status).toBe(401);
  expect((await ask(provider, 'GET', '/list/test', { as: prodOnly })).status).toBe(401);
});

describe('hosted credentials', () => {
  const email = { surname: 'S', email: 'other@institution.edu' };
  const without = limited(['admin-all'], []);

  it('are shown to those who may read them, and found by them', async () => {
    await using provider = await startIdentities([without]);
    const made = await createPerson(provider, 'ann', { obid: true });
    await ask(provider, 'POST', `/obids/create/${made.serviceUid}`, { body: email });
    const path = `/fetch/${made.serviceUid}`;
    expect((await ask(provider, 'GET', path)).json.attributeCollections).toHaveLength(2);
    expect((await ask(provider, 'GET', path, { as: without })).json.attributeCollections).toEqual([]);
    expect((await ask(provider, 'GET', '/search/prod/other@')).json).toEqual([made.serviceUid]);
    expect((await ask(provider, 'GET', '/search/prod/other@', { as: without })).json).toEqual([]);
    const query = { search_term: 'other@' };
    expect((await ask(provider, 'GET', '/list/prod', { query })).json.total_items).toBe(1);
    expect((await ask(provider, 'GET', '/list/prod', { query, as: without })).json.total_items).toBe(0);
  });

  it('cannot be listed, made or deleted without obid permission', async () => {
    await using provider = await startIdentities([without]);
    const made = await createPerson(provider, 'ann', { obid: true });
    const { uid } = made.attributeCollections[0];
    const list = { query: { attributeAuthority: hosted }, as: without };
    expect((await ask(provider, 'GET', '/list/byAttributeCollection/prod', list)).status).toBe(401);
    const create = { body: person('bob', { obid: true }), as: without };
    expect((await ask(provider, 'POST', '/create/prod', create)).status).toBe(401);
    const link = { body: email, as: without };
    expect((await ask(provider, 'POST', `/obids/create/${made.serviceUid}`, link)).status).toBe(401);
    const query = { attributeAuthority: hosted, attributeAuthorityUid: uid };
    const path = `/attributeCollections/delete/${made.serviceUid}`;
    expect((await ask(provider, 'DELETE', path, { query, as: without })).status).toBe(401);
    expect((await ask(provider, 'DELETE', path, { query })).status).toBe(204);
  });

  it('are shown in the answer to the call that made them', async () => {
    const writeOnly = limited(['write'], ['write']);
    await using provider = await startIdentities([writeOnly]);
    const made = await createPerson(provider, 'ann', { obid: true }, { as: writeOnly });
    expect(made.attributeCollections).toHaveLength(1);
  });
});

describe('authorities and customer UID keys', () => {
  const narrow = credential('narrow', {
    orgDomain: 'institution.edu',
    environments: { prod: { permissions: ['admin-all'], attributeAuthorities: ['students'] } },
  });
  const refused = async (provider: Provider, method: Method, path: string, options: AskOptions) =>
    expect((await ask(provider, method, path, { ...options, as: narrow })).status).toBe(401);

  it('limit what can be created, modified and deleted, even with admin-all', async () => {
    await using provider = await startIdentities([narrow]);
    const made = await createPerson(provider, 'ann', { attributeCollections: [collection] });
    const of = (operation: string) => `/attributeCollections/${operation}/${made.serviceUid}`;
    await refused(provider, 'POST', of('create'), { body: { ...collection, uid: 'x2' } });
    await refused(provider, 'PUT', of('modify'), { body: collection });
    const query = { attributeAuthority: personnel, attributeAuthorityUid: 'x1' };
    await refused(provider, 'DELETE', of('delete'), { query });
    const body = person('bob', { attributeCollections: [{ ...collection, uid: 'x3' }] });
    await refused(provider, 'POST', '/create/prod', { body });
    const keyed = person('bob', { customerUidGen: 'institution:personnel' });
    await refused(provider, 'POST', '/create/prod', { body: keyed });
    const students = { ...collection, attributeCollectionAuthority: 'students' };
    expect((await ask(provider, 'POST', of('create'), { body: students, as: narrow })).status).toBe(201);
  });

  it('do not limit what can be read', async () => {
    await using provider = await startIdentities([narrow]);
    await createPerson(provider, 'ann', { attributeCollections: [collection] });
    const query = { attributeAuthority: personnel };
    const reply = await ask(provider, 'GET', '/list/byAttributeCollection/prod', { query, as: narrow });
    expect(reply.json.items[0].attributeCollections).toHaveLength(1);
  });
});

it('keeps the two halves apart: an identity credential reads the log only where it may', async () => {
  const identityOnly = { ...credential('identity-only', FULL), orgUrls: [] };
  await using provider = await startIdentities([identityOnly]);
  const query = { orgUrl: INSTITUTION.orgUrl };
  expect((await call(provider, { query, authorization: basic(identityOnly) })).status).toBe(403);
  expect((await ask(provider, 'GET', '/list/prod', { as: identityOnly })).status).toBe(200);
});
