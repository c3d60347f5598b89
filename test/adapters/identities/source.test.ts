import { describe, expect, test } from 'vitest';
import { identitySource } from '../../../functions/adapters/identities/source.ts';
import { type Answer, clientAt, never, rejection, scripted } from './bed.ts';
import { BASE } from './operations.ts';

const ONE_PAGE: Answer = {
  status: 200,
  body: {
    items: [{ ...BASE, serviceUid: 'u1' }],
    total_items: 101,
    page_cnt: 3,
    page_size: 1,
    page_idx: 3,
  },
};

describe('what a walk reads', () => {
  test('pages of 50 in the order of creation', async () => {
    await using server = await scripted([ONE_PAGE]);
    await using client = clientAt(server.origin);
    const source = identitySource(client);
    const plain = await source.page({ environment: 'prod', page: 3 }, never());
    expect(plain).toEqual({
      items: [{ ...BASE, serviceUid: 'u1' }],
      totalItems: 101,
      pageCount: 3,
      pageSize: 1,
      pageIndex: 3,
    });
    await source.page({ environment: 'test', authority: 'https://a', page: 1 }, never());
    const order = { page_size: '50', sort_key: 'createTime', sort_order: 'asc' };
    expect(server.asked.map(({ path, query }) => ({ path, query }))).toEqual([
      { path: '/identities/v1/list/prod', query: { ...order, page_idx: '3' } },
      {
        path: '/identities/v1/list/byAttributeCollection/test',
        query: { ...order, page_idx: '1', attributeAuthority: 'https://a' },
      },
    ]);
  });

  test('whose credential it is, and the authorities that its permissions name for the environment, each once', async () => {
    const permissions = {
      username: 'u',
      orgDomain: 'institution.edu',
      obid: ['read'],
      environments: { test: { attributeAuthorities: ['b', 'a', 'b'] } },
    };
    await using server = await scripted([{ status: 200, body: permissions }]);
    await using client = clientAt(server.origin);
    const orgDomain = 'institution.edu';
    const source = identitySource(client);
    expect(await source.granted('test', never())).toEqual({
      orgDomain,
      authorities: ['b', 'a'],
      hosted: true,
    });
    expect(await source.granted('prod', never())).toEqual({ orgDomain, authorities: [], hosted: true });
  });

  test('one identity, which is none where the provider says so', async () => {
    await using server = await scripted([
      { status: 200, body: { ...BASE, serviceUid: 'u1' } },
      { status: 404, body: { detail: 'Record not found' } },
    ]);
    await using client = clientAt(server.origin);
    expect(await identitySource(client).fetch('u1', never())).toEqual({ ...BASE, serviceUid: 'u1' });
    expect(await identitySource(client).fetch('u1', never())).toBeUndefined();
  });

  test.each<[string, Answer]>([
    ['unavailable', { status: 500, body: { detail: 'Database error' } }],
    ['unavailable', { status: 404, text: '<h1>no such page</h1>' }],
    ['not-authorized', { status: 401, body: { detail: 'Not authorized' } }],
  ])('one identity, of which nothing is known (%s)', async (code, answer) => {
    await using server = await scripted([answer]);
    await using client = clientAt(server.origin);
    expect(await rejection(identitySource(client).fetch('u1', never()))).toMatchObject({ code });
  });
});
