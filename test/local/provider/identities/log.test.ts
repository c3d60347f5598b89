import { expect, it } from 'vitest';
import type { LogEvent } from '../../../../local/provider/event.ts';
import type { Provider } from '../../../../local/provider/server.ts';
import { basic, call, NOON, ORG_URL, OTHER_URL } from '../support.ts';
import { ADMIN, AUTHORITIES, ask, createPerson, person, startIdentities } from './support.ts';

/** The events that came into the log while `work` was done. */
async function eventsOf(provider: Provider, work: () => Promise<unknown> | unknown): Promise<LogEvent[]> {
  const before = provider.count(ORG_URL);
  await work();
  return [...provider.lines(ORG_URL)].slice(before).map((line) => JSON.parse(line));
}

const kinds = (events: readonly LogEvent[]) =>
  events.map(({ logType, logSubtype, service }) => `${service} ${logType}/${logSubtype}`);

const CREATED = ['idGeneration create/request', 'idGeneration create/success'];
const MAILED = ['mail email/queued', 'mail sending/send', 'mail sending/sent'];
const MANAGED = ['idp account/manage'];

it('shows what happens to an identity in the log of its organization', async () => {
  await using provider = await startIdentities();
  const created = await eventsOf(provider, () => createPerson(provider, 'ann'));
  expect(kinds(created)).toEqual(CREATED);
  const serviceUid = String(created[0]?.logData.serviceUid);
  expect(created[1]).toEqual({
    logType: 'create',
    logSubtype: 'success',
    timeStampISO: '2026-01-15T12:00:00.000+00:00',
    orgDomain: 'institution.edu',
    orgUrl: ORG_URL,
    service: 'idGeneration',
    tenant: 'institution',
    clientIP: '127.0.0.1',
    correlationId: created[0]?.correlationId,
    logData: {
      user: 'ann',
      uid: 'ann',
      mail: 'ann@institution.edu',
      serviceUid,
      environment: 'prod',
      source: 'identities',
    },
  });

  const change = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, options: object) =>
    eventsOf(provider, async () => {
      expect((await ask(provider, method, `${path}/${serviceUid}`, options)).status).toBeLessThan(300);
    });
  const collection = { attributeCollectionAuthority: 'personnel', uid: '1' };
  const credential = { remoteCredentialAuthority: AUTHORITIES.remote, uid: '2' };
  const rows = [
    ['PATCH', '/modify', { body: { sn: 'X' } }, 'modify'],
    ['POST', '/attributeCollections/create', { body: collection }, 'collection.create'],
    ['PUT', '/attributeCollections/modify', { body: collection }, 'collection.modify'],
    [
      'DELETE',
      '/attributeCollections/delete',
      { query: { attributeAuthority: 'personnel', attributeAuthorityUid: '1' } },
      'collection.delete',
    ],
    ['POST', '/remoteCredentials/create', { body: credential }, 'credential.create'],
    [
      'DELETE',
      '/remoteCredentials/delete',
      { query: { remoteCredentialAuthority: AUTHORITIES.remote, remoteCredentialUid: '2' } },
      'credential.delete',
    ],
  ] as const;
  for (const [method, path, options, said] of rows) {
    const events = await change(method, path, options);
    expect([kinds(events), events[0]?.logData]).toMatchObject([MANAGED, { serviceUid, change: said }]);
  }
  const page = await call(provider, { query: { orgUrl: ORG_URL }, authorization: basic(ADMIN) });
  expect(JSON.parse(page.text).count).toBe(8);
  expect(provider.count(OTHER_URL)).toBe(0);
});

it('sends mail for a hosted credential, unless it is to be quiet', async () => {
  await using provider = await startIdentities();
  const made = await eventsOf(provider, () => createPerson(provider, 'ann', { obid: true }));
  expect(kinds(made)).toEqual([...CREATED, ...MAILED]);
  expect(made[3]?.logData).toMatchObject({ to: 'ann@institution.edu', template: 'hosted-credential-setup' });
  expect(new Set(made.map(({ correlationId }) => correlationId)).size).toBe(1);
  const quiet = await eventsOf(provider, () => createPerson(provider, 'bob', { obid: true, quiet: true }));
  expect(kinds(quiet)).toEqual(CREATED);

  const path = `/obids/create/${made[0]?.logData.serviceUid}`;
  for (const [isQuiet, mail] of [
    [false, MAILED],
    [true, []],
  ] as const) {
    const body = { surname: 'S', email: `quiet-${isQuiet}@else.example`, quiet: isQuiet };
    const events = await eventsOf(provider, () => ask(provider, 'POST', path, { body }));
    expect(kinds(events)).toEqual(['idp create/success', ...mail]);
    expect(events.slice(1).every(({ logData }) => logData.to === body.email)).toBe(true);
  }
});

it('says nothing of what was refused, nor of seeds and reads', async () => {
  await using provider = await startIdentities();
  const { serviceUid } = await createPerson(provider, 'ann');
  const events = await eventsOf(provider, async () => {
    provider.identities.seed(ORG_URL, { environment: 'prod', count: 50, seed: 1 });
    expect((await ask(provider, 'POST', '/create/prod', { body: person('ann') })).status).toBe(409);
    expect((await ask(provider, 'PATCH', `/modify/${serviceUid}`, { body: { sn: '' } })).status).toBe(422);
    await ask(provider, 'GET', `/fetch/${serviceUid}`);
    await ask(provider, 'GET', '/list/prod', { as: { ...ADMIN, password: 'x' } });
  });
  expect(events).toEqual([]);
});

it('shows sign-ins with a credential and removals, which only an administrator can make', async () => {
  await using provider = await startIdentities();
  const { serviceUid, attributeCollections } = await createPerson(provider, 'ann', { obid: true });
  const [{ uid }] = attributeCollections;
  const credential = { authority: AUTHORITIES.hosted, uid };
  const other = { ...credential, uid: 'cuid-other' };
  expect(() => provider.identities.markCredentialUsed(ORG_URL, serviceUid, other)).toThrow(
    /holds no cuid-other/,
  );
  const used = await eventsOf(provider, () =>
    provider.identities.markCredentialUsed(ORG_URL, serviceUid, credential, NOON + 5000),
  );
  expect(kinds(used)).toEqual(['idp authentication/authenticationSuccess', 'proxy authentication/success']);
  expect(used[0]?.logData).toMatchObject({ serviceUid, saml_idp: AUTHORITIES.hosted });
  const path = `/fetch/${serviceUid}`;
  const after = (await ask(provider, 'GET', path)).json;
  expect(after.attributeCollections[0].credentialLastUsed).toBe('2026-01-15T12:00:05.000+00:00');
  expect(after.lastUpdateTime).toBe(after.createTime);

  const removed = await eventsOf(provider, () => provider.identities.remove(ORG_URL, serviceUid));
  expect([kinds(removed), removed[0]?.logData.change]).toEqual([MANAGED, 'remove']);
  expect((await ask(provider, 'GET', path)).status).toBe(404);
  expect(provider.identities.get(serviceUid)).toBeUndefined();
  const again = () => provider.identities.remove(ORG_URL, serviceUid);
  expect(again).toThrow(/no identity/);
  expect(() => provider.identities.markCredentialUsed(ORG_URL, serviceUid, credential)).toThrow(
    /no identity/,
  );
});
