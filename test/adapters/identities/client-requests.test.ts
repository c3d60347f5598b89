import { describe, expect, test } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { CREDENTIAL } from '../raw-provider.ts';
import { clientAt, never, rejection, scripted } from './bed.ts';
import { BASE, COLLECTION, OPERATIONS, UID } from './operations.ts';

const BASIC = `Basic ${Buffer.from(`${CREDENTIAL.username}:${CREDENTIAL.password}`).toString('base64')}`;

describe.each(['serviceUid', 'personKey'])('with the identifier called %s', (uidField) => {
  test.each(OPERATIONS)('$name sends what the document says and reads what it answers', async (row) => {
    await using server = await scripted([{ status: row.status, body: row.answer(uidField) }]);
    await using client = clientAt(`${server.origin}/below/`, { uidField });
    expect(await row.call(client)).toEqual(row.result);
    expect(server.asked).toEqual([
      {
        method: row.method,
        path: `/below${row.path}`,
        query: row.query ?? {},
        authorization: BASIC,
        contentType: row.body === undefined ? undefined : 'application/json',
        body: row.body,
      },
    ]);
  });
});

test('the identifier is sorted by under the name that the deployment has for it', async () => {
  await using server = await scripted([
    { status: 200, body: { items: [], total_items: 0, page_cnt: 0, page_size: 0, page_idx: 1 } },
  ]);
  await using client = clientAt(server.origin, { uidField: 'personKey' });
  const page = await client.list({ environment: 'test', sortKey: 'serviceUid' }, never());
  expect(page).toEqual({ items: [], totalItems: 0, pageCount: 0, pageSize: 0, pageIndex: 1 });
  expect(server.asked[0]?.query).toEqual({ sort_key: 'personKey' });
});

test('a member that is merely called serviceUid gives way to the identifier', async () => {
  await using server = await scripted([
    { status: 200, body: { ...BASE, serviceUid: 'another', personKey: 'p7' } },
  ]);
  await using client = clientAt(server.origin, { uidField: 'personKey' });
  expect(await client.fetch('p7', never())).toEqual({ ...BASE, serviceUid: 'p7' });
});

test('permissions that are null or left out are none', async () => {
  await using server = await scripted([
    {
      status: 200,
      body: {
        username: 'u',
        orgDomain: 'institution.edu',
        environments: { test: { permissions: null }, prod: null },
        obid: null,
      },
    },
  ]);
  await using client = clientAt(server.origin);
  expect(await client.permissions(never())).toEqual({
    username: 'u',
    orgDomain: 'institution.edu',
    environments: { test: { permissions: [], customerUidKeys: [], attributeAuthorities: [] } },
    obid: [],
  });
});

describe('what no path can hold is refused before anything is sent', () => {
  const addressed = OPERATIONS.filter(({ addressed }) => addressed);
  expect(addressed).toHaveLength(9);

  test.each([
    ['', 'is empty'],
    ['.', 'would lead elsewhere'],
    ['..', 'would lead elsewhere'],
    ['\ud800', 'is no valid Unicode'],
  ])('%j as an identifier or a search term', async (value, words) => {
    await using server = await scripted(['reset']);
    await using client = clientAt(server.origin);
    const link = { authority: 'a', uid: 'u' };
    const person = { surname: 'Doe', email: 'jane.doe@institution.edu' };
    const signal = never();
    const refused = await Promise.all(
      [
        client.search('prod', value, signal),
        client.fetch(value, signal),
        client.modify(value, {}, signal),
        client.createCollection(value, link, signal),
        client.modifyCollection(value, link, signal),
        client.deleteCollection(value, link, signal),
        client.createRemoteCredential(value, link, signal),
        client.deleteRemoteCredential(value, link, signal),
        client.createHostedCredential(value, person, signal),
      ].map(rejection),
    );
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'invalid-request', message: expect.stringContaining(words) });
      expect(error).toHaveProperty('fields.0.path', expect.stringMatching(/^path\.(serviceUid|searchTerm)$/));
    }
    expect(server.asked).toHaveLength(0);
  });
});

test('a large answer to a creation is read whole', async () => {
  const attributes = { notes: Array.from({ length: 1000 }, () => 'x'.repeat(1000)) };
  const body = { serviceUid: UID, attributeCollection: { ...COLLECTION, attributes } };
  await using server = await scripted([{ status: 201, body }]);
  await using client = clientAt(server.origin);
  expect(await client.createCollection(UID, { authority: 'a', uid: 'u' }, never())).toEqual(body);
});

test('a base URL that would send the credential unencrypted is refused', () => {
  expect(() => clientAt('http://api.institution.edu')).toThrow(OrglogError);
});

test('as many calls as there are connections are under way at once, and none is lost', async () => {
  await using server = await scripted([{ status: 200, body: { ...BASE, serviceUid: UID } }]);
  await using client = clientAt(server.origin, { connections: 2 });
  const all = await Promise.all(Array.from({ length: 20 }, () => client.fetch(UID, never())));
  expect(new Set(all.map(({ serviceUid }) => serviceUid))).toEqual(new Set([UID]));
  expect(server.asked).toHaveLength(20);
});
