import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../../functions/core/identities/identity.ts';
import type { Provider } from '../../../../local/provider/server.ts';
import { ORG_URL } from '../support.ts';
import { AUTHORITIES, ask, createPerson, person, startIdentities } from './support.ts';

const LIST = '/list/prod';
const HOLDERS = '/list/byAttributeCollection/prod';
const KEYS = ['serviceUid', 'sn', 'givenName', 'mail', 'createTime', 'lastUpdateTime'] as const;

/** All of a place as an independent model sees it, in order of creation. */
function everyone(provider: Provider, environment: 'test' | 'prod' = 'prod'): Identity[] {
  return [...provider.identities.all(ORG_URL, environment)];
}

/** Compare as SQLite compares texts: by UTF-8 bytes. */
function inOrder(
  key: (typeof KEYS)[number] | 'id',
  descending: boolean,
  all: readonly Identity[],
): Identity[] {
  const value = (each: Identity) => Buffer.from(key === 'id' ? '' : String(each[key]));
  const sorted = [...all].sort((a, b) => Buffer.compare(value(a), value(b)));
  return descending ? sorted.reverse() : sorted;
}

const holds = (authority: string, uid?: string) => (each: Identity) =>
  each.attributeCollections?.some(
    (one) => one.attributeCollectionAuthority === authority && (uid === undefined || one.uid === uid),
  ) ?? false;

const uids = (items: readonly { serviceUid: string }[]) => items.map(({ serviceUid }) => serviceUid);

async function seeded(count = 230): Promise<Provider> {
  const provider = await startIdentities();
  provider.identities.seed(ORG_URL, { environment: 'prod', count, seed: 4 });
  provider.identities.seed(ORG_URL, { environment: 'test', count: 7, seed: 4 });
  return provider;
}

describe('a page', () => {
  it('says where it is, of how many', async () => {
    await using provider = await seeded();
    const { items, ...rest } = (await ask(provider, 'GET', LIST)).json;
    expect([items.length, rest]).toEqual([
      10,
      { total_items: 230, page_cnt: 23, page_size: 10, page_idx: 1 },
    ]);
    const query = { page_size: 50, page_idx: 5 };
    const last = (await ask(provider, 'GET', LIST, { query })).json;
    expect(last).toMatchObject({ total_items: 230, page_cnt: 5, page_size: 30, page_idx: 5 });
    const past = (await ask(provider, 'GET', LIST, { query: { ...query, page_idx: 9_007_199_254_740_991 } }))
      .json;
    expect(past).toMatchObject({ items: [], total_items: 230, page_cnt: 5, page_size: 0 });
  });

  it('of nobody is empty', async () => {
    await using provider = await startIdentities();
    const none = { items: [], total_items: 0, page_cnt: 0, page_size: 0, page_idx: 1 };
    expect((await ask(provider, 'GET', LIST)).json).toEqual(none);
    const query = { attributeAuthority: 'nobody' };
    expect((await ask(provider, 'GET', HOLDERS, { query })).json).toEqual(none);
  });

  it('of the plain list has no collections, of the other all of an identity', async () => {
    await using provider = await seeded();
    const plain = (await ask(provider, 'GET', LIST, { query: { page_size: 50 } })).json.items;
    for (const { attributeCollections: _, ...base } of everyone(provider).slice(0, 50)) {
      expect(plain.shift()).toEqual(base);
    }
    const query = { attributeAuthority: AUTHORITIES.gateways[0], page_size: 50 };
    const holders = everyone(provider).filter(holds(AUTHORITIES.gateways[0]));
    expect((await ask(provider, 'GET', HOLDERS, { query })).json.items).toEqual(holders.slice(0, 50));
    expect(holders.some(holds('personnel'))).toBe(true);
  });
});

it('sorts by every key in both directions, and cuts pages of any size out of it', async () => {
  await using provider = await seeded();
  const all = everyone(provider);
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        sort_key: fc.constantFrom(...KEYS, 'id' as const),
        sort_order: fc.constantFrom('asc', 'desc'),
        page_size: fc.integer({ min: 1, max: 50 }),
        page_idx: fc.integer({ min: 1, max: 30 }),
        authority: fc.constantFrom(undefined, 'personnel', AUTHORITIES.hosted),
      }),
      async ({ authority, ...query }) => {
        fc.pre(authority !== undefined || query.sort_key !== 'id');
        const list = authority === undefined ? all : all.filter(holds(authority));
        const options = { query: { ...query, ...(authority && { attributeAuthority: authority }) } };
        const { json } = await ask(provider, 'GET', authority === undefined ? LIST : HOLDERS, options);
        const start = (query.page_idx - 1) * query.page_size;
        const expected = inOrder(query.sort_key, query.sort_order === 'desc', list);
        expect(uids(json.items)).toEqual(uids(expected.slice(start, start + query.page_size)));
        expect(json.total_items).toBe(list.length);
      },
    ),
    { numRuns: 80, seed: 1 },
  );
});

it('defaults to the order of creation, ascending', async () => {
  await using provider = await seeded();
  const first = (await ask(provider, 'GET', LIST)).json.items;
  expect(uids(first)).toEqual(uids(everyone(provider).slice(0, 10)));
  const query = { attributeAuthority: 'personnel' };
  const holders = (await ask(provider, 'GET', HOLDERS, { query })).json.items;
  expect(uids(holders)).toEqual(uids(everyone(provider).filter(holds('personnel')).slice(0, 10)));
});

it('breaks ties of one moment by order of creation', async () => {
  await using provider = await startIdentities();
  const made: string[] = [];
  for (const name of ['cy', 'ann', 'bob']) made.push((await createPerson(provider, name)).serviceUid);
  const list = async (sort_key: string, sort_order: string) =>
    uids((await ask(provider, 'GET', LIST, { query: { sort_key, sort_order } })).json.items);
  for (const key of ['createTime', 'lastUpdateTime', 'sn']) {
    expect(await list(key, 'asc')).toEqual(made);
    expect(await list(key, 'desc')).toEqual(made.toReversed());
  }
});

describe('by attribute collection', () => {
  it('finds the one with a uid of the authority', async () => {
    await using provider = await seeded();
    const one = everyone(provider).find(holds('students'));
    const uid = one?.attributeCollections?.find(
      (each) => each.attributeCollectionAuthority === 'students',
    )?.uid;
    const query = { attributeAuthority: 'students', attributeAuthorityUid: String(uid) };
    const { json } = await ask(provider, 'GET', HOLDERS, { query });
    expect(json).toMatchObject({ total_items: 1, items: [one] });
    const other = { ...query, attributeAuthority: 'personnel' };
    expect((await ask(provider, 'GET', HOLDERS, { query: other })).json.items).toEqual([]);
  });

  it('names somebody once, however many collections of the authority they hold', async () => {
    await using provider = await startIdentities();
    const of = (uid: string) => ({ attributeCollectionAuthority: 'personnel', uid });
    const { serviceUid } = await createPerson(provider, 'ann', { attributeCollections: [of('1'), of('2')] });
    const query = { attributeAuthority: 'personnel' };
    const count = async () => (await ask(provider, 'GET', HOLDERS, { query })).json.total_items;
    expect(await count()).toBe(1);
    const path = `/attributeCollections/delete/${serviceUid}`;
    for (const [uid, left] of [
      ['1', 1],
      ['2', 0],
    ] as const) {
      const which = { ...query, attributeAuthorityUid: uid };
      expect((await ask(provider, 'DELETE', path, { query: which })).status).toBe(204);
      expect(await count()).toBe(left);
    }
  });

  it('includes remote credentials, with empty attributes', async () => {
    await using provider = await startIdentities();
    const remote = { remoteCredentialAuthority: AUTHORITIES.remote, uid: 'r' };
    await createPerson(provider, 'ann', { remoteCredentials: [remote] });
    const query = { attributeAuthority: AUTHORITIES.remote };
    const { json } = await ask(provider, 'GET', HOLDERS, { query });
    expect(json.items[0].attributeCollections).toMatchObject([{ uid: 'r', attributes: {} }]);
  });
});

describe('a search', () => {
  it('finds a sub-string of a name or an address, of collections too, in any letter case', async () => {
    await using provider = await startIdentities();
    const attributes = { displayName: ['Änne Weber'], email: ['aw@else.example'], department: ['physics'] };
    const input = { attributeCollectionAuthority: 'personnel', uid: 'secret7', attributes };
    const { serviceUid } = await createPerson(provider, 'ann', {
      sn: "O'Neil_%",
      attributeCollections: [input],
    });
    await createPerson(provider, 'bob', { sn: 'Jones' });
    const found = async (term: string) => {
      const path = `/search/prod/${encodeURIComponent(term)}`;
      const result = (await ask(provider, 'GET', path)).json;
      const { items } = (await ask(provider, 'GET', LIST, { query: { search_term: term } })).json;
      expect(uids(items)).toEqual(result);
      return result;
    };
    for (const term of ['ann', 'NN@INST', "o'neil", 'änne w', 'ELSE.ex', '_%']) {
      expect(await found(term)).toEqual([serviceUid]);
    }
    for (const term of ['physics', 'secret7', 'annO', 'qq', `${serviceUid}`])
      expect(await found(term)).toEqual([]);
    expect(await found('institution.edu')).toHaveLength(2);
  });

  it('follows changes', async () => {
    await using provider = await startIdentities();
    const { serviceUid } = await createPerson(provider, 'ann');
    const total = async () =>
      (await ask(provider, 'GET', LIST, { query: { search_term: 'bea' } })).json.total_items;
    expect(await total()).toBe(0);
    await ask(provider, 'PATCH', `/modify/${serviceUid}`, { body: { givenName: 'Bea' } });
    expect(await total()).toBe(1);
    provider.identities.remove(ORG_URL, serviceUid);
    expect(await total()).toBe(0);
  });

  it('agrees with a plain look at everyone, whatever the term', async () => {
    await using provider = await seeded();
    const all = everyone(provider);
    const searched = new Set(['mail', 'email', 'displayName']);
    const texts = ({ mail, givenName, sn, attributeCollections }: Identity) => [
      ...[mail, givenName, sn].map(String),
      ...(attributeCollections ?? []).flatMap(({ attributes }) =>
        Object.entries(attributes ?? {}).flatMap(([key, values]) =>
          searched.has(key) ||
          /:(0\.9\.2342\.19200300\.100\.1\.3|2\.5\.4\.(3|4|42)|.*113730\.3\.1\.241)$/.test(key)
            ? values
            : [],
        ),
      ),
    ];
    const letters = fc.string({ unit: fc.constantFrom(...'aemnr.@ A'), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(letters, async (term) => {
        const path = `/search/prod/${encodeURIComponent(term)}`;
        const matches = (text: string) => text.toLowerCase().includes(term.toLowerCase());
        fc.pre(term !== '.');
        const expected = all.filter((each) => texts(each).some(matches));
        expect((await ask(provider, 'GET', path)).json).toEqual(uids(expected));
      }),
      { numRuns: 60, seed: 2 },
    );
  });
});

it('calls the identifier what the deployment calls it, everywhere', async () => {
  await using provider = await startIdentities([], { uidField: 'brandUid' });
  const made = await createPerson(provider, 'ann');
  expect(made).not.toHaveProperty('serviceUid');
  const sort = async (sort_key: string) => (await ask(provider, 'GET', LIST, { query: { sort_key } })).status;
  expect([await sort('brandUid'), await sort('serviceUid')]).toEqual([200, 422]);
  expect((await ask(provider, 'GET', `/fetch/${made.brandUid}`)).json).toEqual(made);
  const body = { attributeCollectionAuthority: 'personnel', uid: '1' };
  const linked = await ask(provider, 'POST', `/attributeCollections/create/${made.brandUid}`, { body });
  expect(linked.json.brandUid).toBe(made.brandUid);
  expect((await ask(provider, 'POST', '/create/prod', { body: person('ann') })).json.detail).toContain(
    made.brandUid,
  );
  expect(JSON.parse([...provider.lines(ORG_URL)][0] ?? '').logData.brandUid).toBe(made.brandUid);
  await expect(startIdentities([], { uidField: 'no/name' })).rejects.toMatchObject({ code: 'configuration' });
});
