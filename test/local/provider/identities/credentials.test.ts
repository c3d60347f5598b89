import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../../local/provider/server.ts';
import { AUTHORITIES, ask, createPerson, startIdentities } from './support.ts';

const { hosted, remote } = AUTHORITIES;

async function fetched(provider: Provider, uid: string) {
  return (await ask(provider, 'GET', `/fetch/${uid}`)).json;
}

describe('remote credentials', () => {
  const body = { remoteCredentialAuthority: remote, uid: '1' };
  const query = { remoteCredentialAuthority: remote, remoteCredentialUid: '1' };

  it('are created without attributes, once, and deleted', async () => {
    await using provider = await startIdentities();
    const { serviceUid } = await createPerson(provider, 'ann');
    const create = () => ask(provider, 'POST', `/remoteCredentials/create/${serviceUid}`, { body });
    const remove = () => ask(provider, 'DELETE', `/remoteCredentials/delete/${serviceUid}`, { query });
    const attributeCollection = {
      attributeCollectionAuthority: remote,
      uid: '1',
      attributes: {},
      createTime: '2026-01-15T12:00:00.000+00:00',
      lastUpdateTime: '2026-01-15T12:00:00.000+00:00',
      credentialLastUsed: null,
      attributeCollectionAuthorityType: 'sor',
    };
    expect(await create()).toMatchObject({ status: 201, json: { serviceUid, attributeCollection } });
    expect((await fetched(provider, serviceUid)).attributeCollections).toEqual([attributeCollection]);
    expect(await create()).toMatchObject({ status: 409, json: { detail: 'Record already exists' } });
    expect(await remove()).toMatchObject({ status: 204, json: undefined });
    expect(await remove()).toMatchObject({ status: 404, json: { detail: 'Record not found' } });
    expect((await fetched(provider, serviceUid)).attributeCollections).toEqual([]);
  });

  it('are not what an ordinary collection is', async () => {
    await using provider = await startIdentities();
    const { serviceUid } = await createPerson(provider, 'ann', {
      attributeCollections: [{ attributeCollectionAuthority: 'personnel', uid: '1' }],
    });
    const ordinary = { remoteCredentialAuthority: 'personnel', remoteCredentialUid: '1' };
    const path = `/remoteCredentials/delete/${serviceUid}`;
    expect((await ask(provider, 'DELETE', path, { query: ordinary })).status).toBe(404);
  });
});

describe('hosted credentials', () => {
  const body = { givenName: 'Ann', surname: 'Someone', email: 'Ann.Else@institution.edu' };

  it('carry eight URN OID keys, a scope among them', async () => {
    await using provider = await startIdentities();
    const { serviceUid } = await createPerson(provider, 'ann');
    const reply = await ask(provider, 'POST', `/obids/create/${serviceUid}`, { body });
    expect(reply.status).toBe(201);
    const { attributeCollection } = reply.json;
    expect(attributeCollection).toMatchObject({
      attributeCollectionAuthority: hosted,
      uid: expect.stringMatching(/^cuid-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      attributeCollectionAuthorityType: 'obid',
      credentialLastUsed: null,
    });
    const keys = Object.keys(attributeCollection.attributes);
    expect(keys).toHaveLength(8);
    for (const key of keys) expect(key).toMatch(/^urn:oid:[\d.]+(:scope)?$/);
    expect(keys.filter((key) => key.endsWith(':scope'))).toHaveLength(1);
    expect(Object.values(attributeCollection.attributes)).toContainEqual([body.email]);
    expect((await fetched(provider, serviceUid)).attributeCollections).toEqual([attributeCollection]);
  });

  it('exist once for an address, whatever its letter case, on any identity', async () => {
    await using provider = await startIdentities();
    const one = await createPerson(provider, 'ann');
    const two = await createPerson(provider, 'bob');
    const make = (uid: string, more = {}) =>
      ask(provider, 'POST', `/obids/create/${uid}`, { body: { ...body, ...more } });
    const made = await make(one.serviceUid, { givenName: null });
    for (const uid of [one.serviceUid, two.serviceUid]) {
      const reply = await make(uid, { email: body.email.toLowerCase() });
      expect(reply.status).toBe(409);
      expect(reply.json.detail).toMatch(/^Hosted credential error: /);
    }
    const query = { attributeAuthority: hosted, attributeAuthorityUid: made.json.attributeCollection.uid };
    await ask(provider, 'DELETE', `/attributeCollections/delete/${one.serviceUid}`, { query });
    expect((await make(two.serviceUid)).status).toBe(201);
  });
});
