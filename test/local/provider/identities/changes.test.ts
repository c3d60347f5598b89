import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../../local/provider/server.ts';
import { NOON, ORG_URL } from '../support.ts';
import { AUTHORITIES, ask, createPerson, person, startIdentities } from './support.ts';

const { hosted, remote } = AUTHORITIES;
const NOW = '2026-01-15T12:00:00.000+00:00';
const LATER = '2026-01-15T12:00:01.000+00:00';

/** A stand-in whose clock says noon, and one second past it once `tick` was called. */
async function ticking() {
  let now = NOON;
  const provider = await startIdentities([], { now: () => now });
  return {
    provider,
    tick: () => {
      now += 1000;
    },
  };
}

const input = (uid: string, attributes?: Record<string, string[]>) => ({
  attributeCollectionAuthority: 'personnel',
  uid,
  ...(attributes && { attributes }),
});
const output = (
  uid: string,
  attributes: Record<string, string[]>,
  times = { createTime: NOW, lastUpdateTime: NOW },
) => ({
  attributeCollectionAuthority: 'personnel',
  uid,
  attributes,
  ...times,
  credentialLastUsed: null,
  attributeCollectionAuthorityType: 'sor',
});

async function fetched(provider: Provider, uid: string) {
  return (await ask(provider, 'GET', `/fetch/${uid}`)).json;
}

describe('create', () => {
  it('makes an identity that can be fetched', async () => {
    await using provider = await startIdentities();
    const made = await createPerson(provider, 'ann');
    expect(made).toEqual({
      serviceUid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...person('ann'),
      createTime: NOW,
      lastUpdateTime: NOW,
      attributeCollections: [],
    });
    expect(await fetched(provider, made.serviceUid)).toEqual(made);
  });

  it('adds all that it is asked to', async () => {
    await using provider = await startIdentities();
    const made = await createPerson(provider, 'ann', {
      customerUidGen: 'institution:personnel',
      obid: true,
      attributeCollections: [input('1', { department: ['law', 'history'] }), input('2')],
      remoteCredentials: [{ remoteCredentialAuthority: remote, uid: '3' }],
    });
    const { attributeCollections: all } = made;
    expect(all.slice(0, 2)).toEqual([output('1', { department: ['law', 'history'] }), output('2', {})]);
    expect(all[2]).toEqual({ ...output('3', {}), attributeCollectionAuthority: remote });
    expect(all[3]).toMatchObject({
      attributeCollectionAuthority: hosted,
      attributeCollectionAuthorityType: 'obid',
    });
    expect(all[4]).toEqual(output(expect.stringMatching(/^institution-\d{8}$/) as unknown as string, {}));
    expect(all).toHaveLength(5);
    expect(await fetched(provider, made.serviceUid)).toEqual(made);
    const next = await createPerson(provider, 'bob', { customerUidGen: 'institution:personnel' });
    expect(next.attributeCollections[0].uid).not.toBe(all[4].uid);
  });

  it('takes null for what may be left out', async () => {
    await using provider = await startIdentities();
    const nothing = { customerUidGen: null, attributeCollections: null, remoteCredentials: null };
    expect((await createPerson(provider, 'ann', nothing)).attributeCollections).toEqual([]);
  });

  it('answers 409 to an address that others have, naming it and them, unless that is allowed', async () => {
    await using provider = await startIdentities();
    const one = await createPerson(provider, 'ann');
    const two = await createPerson(provider, 'ann', { allowDuplicateEmail: true });
    const body = person('x', { mail: 'ANN@institution.edu' });
    const reply = await ask(provider, 'POST', '/create/prod', { body });
    const detail = `Email ANN@institution.edu already exists on identities: ${one.serviceUid}, ${two.serviceUid}`;
    expect(reply).toMatchObject({ status: 409, json: { detail } });
    await createPerson(provider, 'ann', {}, { environment: 'test' });
    expect(provider.identities.count('https://login.institution.edu/', 'prod')).toBe(2);
  });

  it('answers 409 to a hosted credential that is linked to somebody', async () => {
    await using provider = await startIdentities();
    const one = await createPerson(provider, 'ann', { obid: true });
    const body = person('ann', { obid: true, allowDuplicateEmail: true });
    const reply = await ask(provider, 'POST', '/create/prod', { body });
    expect(reply.status).toBe(409);
    expect(reply.json.detail).toMatch(/^Hosted credential error: /);
    expect(reply.json.detail).toContain(one.serviceUid);
  });

  it.each(['attributeCollections', 'remoteCredentials'])('answers 409 to %s that exist', async (part) => {
    await using provider = await startIdentities();
    const name = part === 'remoteCredentials' ? 'remoteCredentialAuthority' : 'attributeCollectionAuthority';
    const collection = { [name]: 'personnel', uid: '7' };
    const one = await createPerson(provider, 'ann', { [part]: [collection] });
    const body = person('bob', { [part]: [{ ...collection, uid: '8' }, collection] });
    const reply = await ask(provider, 'POST', '/create/prod', { body });
    const detail = `Attribute collection personnel 7 already exists on identity ${one.serviceUid}`;
    expect(reply).toMatchObject({ status: 409, json: { detail } });
    const twice = person('bob', {
      [part]: [
        { ...collection, uid: '8' },
        { ...collection, uid: '8' },
      ],
    });
    expect((await ask(provider, 'POST', '/create/prod', { body: twice })).status).toBe(409);
    expect((await ask(provider, 'GET', '/search/prod/bob')).json).toEqual([]);
    await createPerson(provider, 'bob', { [part]: [{ ...collection, uid: '8' }] });
  });
});

describe('modify', () => {
  it('changes what is given, and takes null as left out', async () => {
    const { provider, tick } = await ticking();
    await using _ = provider;
    const made = await createPerson(provider, 'ann', { attributeCollections: [input('1')] });
    tick();
    const body = { sn: 'Else', givenName: null };
    const reply = await ask(provider, 'PATCH', `/modify/${made.serviceUid}`, { body });
    expect(reply).toMatchObject({ status: 200, json: { ...made, sn: 'Else', lastUpdateTime: LATER } });
    expect(await fetched(provider, made.serviceUid)).toEqual(reply.json);
  });

  it('answers 409 to an address of another identity, not to its own', async () => {
    await using provider = await startIdentities();
    const one = await createPerson(provider, 'ann');
    const two = await createPerson(provider, 'bob');
    const modify = (body: unknown) => ask(provider, 'PATCH', `/modify/${two.serviceUid}`, { body });
    const detail = `Email ${one.mail} already exists on identities: ${one.serviceUid}`;
    expect(await modify({ mail: one.mail, sn: 'X' })).toMatchObject({ status: 409, json: { detail } });
    expect(await fetched(provider, two.serviceUid)).toEqual(two);
    expect((await modify({ mail: two.mail.toUpperCase() })).status).toBe(200);
    expect((await modify({ mail: one.mail, allowDuplicateEmail: true })).json.mail).toBe(one.mail);
  });
});

describe('attribute collections', () => {
  it('are created once', async () => {
    const { provider, tick } = await ticking();
    await using _ = provider;
    const { serviceUid } = await createPerson(provider, 'ann');
    tick();
    const path = `/attributeCollections/create/${serviceUid}`;
    const body = input('1', { department: ['law'] });
    const attributeCollection = output(
      '1',
      { department: ['law'] },
      { createTime: LATER, lastUpdateTime: LATER },
    );
    expect(await ask(provider, 'POST', path, { body })).toMatchObject({
      status: 201,
      json: { serviceUid, attributeCollection },
    });
    expect(await fetched(provider, serviceUid)).toMatchObject({
      createTime: NOW,
      lastUpdateTime: LATER,
      attributeCollections: [attributeCollection],
    });
    const again = await ask(provider, 'POST', path, { body: input('1') });
    expect(again).toMatchObject({ status: 409, json: { detail: 'Record already exists' } });
    const other = await createPerson(provider, 'bob');
    const elsewhere = await ask(provider, 'POST', `/attributeCollections/create/${other.serviceUid}`, {
      body,
    });
    expect(elsewhere.status).toBe(409);
  });

  it.each([
    [undefined, { a: ['1'], b: ['3', '4'], c: ['5'] }],
    [false, { a: ['1'], b: ['3', '4'], c: ['5'] }],
    [true, { b: ['3', '4'], c: ['5'] }],
  ])('are modified: overwrite %s', async (overwrite, attributes) => {
    const { provider, tick } = await ticking();
    await using _ = provider;
    const before = input('1', { a: ['1'], b: ['2'] });
    const { serviceUid } = await createPerson(provider, 'ann', {
      attributeCollections: [before, input('2')],
    });
    tick();
    const query = overwrite === undefined ? {} : { overwrite };
    const body = input('1', { b: ['3', '4'], c: ['5'] });
    const reply = await ask(provider, 'PUT', `/attributeCollections/modify/${serviceUid}`, { query, body });
    const changed = output('1', attributes, { createTime: NOW, lastUpdateTime: LATER });
    expect(reply).toMatchObject({ status: 200, json: { serviceUid, attributeCollection: changed } });
    expect(reply.json.attributeCollection.attributes).toEqual(attributes);
    expect((await fetched(provider, serviceUid)).attributeCollections).toEqual([changed, output('2', {})]);
  });

  it.each([
    [false, { a: ['1'] }],
    [true, {}],
  ])('may be given no attributes: overwrite %s', async (overwrite, attributes) => {
    await using provider = await startIdentities();
    const collections = { attributeCollections: [input('1', { a: ['1'] })] };
    const { serviceUid } = await createPerson(provider, 'ann', collections);
    const options = { query: { overwrite }, body: input('1') };
    const reply = await ask(provider, 'PUT', `/attributeCollections/modify/${serviceUid}`, options);
    expect(reply.json.attributeCollection.attributes).toEqual(attributes);
  });

  it('are deleted, and can be made again', async () => {
    await using provider = await startIdentities();
    const { serviceUid } = await createPerson(provider, 'ann', {
      attributeCollections: [input('1'), input('2')],
    });
    const query = { attributeAuthority: 'personnel', attributeAuthorityUid: '1' };
    const remove = () => ask(provider, 'DELETE', `/attributeCollections/delete/${serviceUid}`, { query });
    expect(await remove()).toMatchObject({ status: 204, json: undefined });
    expect((await fetched(provider, serviceUid)).attributeCollections).toEqual([output('2', {})]);
    expect(await remove()).toMatchObject({ status: 404, json: { detail: 'Record not found' } });
    const body = input('1');
    expect((await ask(provider, 'POST', `/attributeCollections/create/${serviceUid}`, { body })).status).toBe(
      201,
    );
  });

  it('that are not there, or are remote credentials, are not found', async () => {
    await using provider = await startIdentities();
    const remoteCredentials = [{ remoteCredentialAuthority: 'personnel', uid: '1' }];
    const { serviceUid } = await createPerson(provider, 'ann', { remoteCredentials });
    for (const uid of ['1', '2']) {
      const query = { attributeAuthority: 'personnel', attributeAuthorityUid: uid };
      const path = (operation: string) => `/attributeCollections/${operation}/${serviceUid}`;
      const modified = await ask(provider, 'PUT', path('modify'), { body: input(uid, { a: ['b'] }) });
      expect(modified).toMatchObject({ status: 404, json: { detail: 'Record not found' } });
      expect((await ask(provider, 'DELETE', path('delete'), { query })).status).toBe(404);
    }
  });

  it('of a gateway can be deleted, though not made', async () => {
    await using provider = await startIdentities();
    provider.identities.seed(ORG_URL, { environment: 'prod', count: 30, seed: 1 });
    const authority = AUTHORITIES.gateways[0];
    const query = { attributeAuthority: authority };
    const holders = async () =>
      (await ask(provider, 'GET', '/list/byAttributeCollection/prod', { query })).json;
    const { items, total_items: before } = await holders();
    const [{ serviceUid, attributeCollections }] = items;
    const { uid } = attributeCollections.find(
      (each: { attributeCollectionAuthority: string }) => each.attributeCollectionAuthority === authority,
    );
    const which = { ...query, attributeAuthorityUid: uid };
    const path = `/attributeCollections/delete/${serviceUid}`;
    expect((await ask(provider, 'DELETE', path, { query: which })).status).toBe(204);
    expect((await holders()).total_items).toBe(before - 1);
  });
});
