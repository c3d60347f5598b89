import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { basic, call } from '../support.ts';
import {
  ADMIN,
  type AskOptions,
  AUTHORITIES,
  ask,
  complaints,
  createPerson,
  type Method,
  person,
  startIdentities,
  UNKNOWN,
} from './support.ts';

const collection = { attributeCollectionAuthority: 'personnel', uid: '1' };
const mail = 'ann@institution.edu';

describe('a request that is not as it must be', () => {
  it.each<[string, Method, string, AskOptions, string[]]>([
    ['environment', 'GET', '/list/live', {}, ['path.environment invalid_value']],
    ['page_idx', 'GET', '/list/prod', { query: { page_idx: 0 } }, ['query.page_idx too_small']],
    ['page_size 0', 'GET', '/list/prod', { query: { page_size: 0 } }, ['query.page_size too_small']],
    ['page_size 51', 'GET', '/list/prod', { query: { page_size: 51 } }, ['query.page_size too_big']],
    [
      'page_size 1e1',
      'GET',
      '/list/prod',
      { query: { page_size: '1e1' } },
      ['query.page_size invalid_format'],
    ],
    ['sort_key', 'GET', '/list/prod', { query: { sort_key: 'id' } }, ['query.sort_key invalid_value']],
    ['sort_order', 'GET', '/list/prod', { query: { sort_order: 'up' } }, ['query.sort_order invalid_value']],
    [
      'no authority',
      'GET',
      '/list/byAttributeCollection/prod',
      { query: { page_size: 51 } },
      ['query.attributeAuthority missing', 'query.page_size too_big'],
    ],
    ['environment', 'GET', '/search/x/y', {}, ['path.environment invalid_value']],
    [
      'an empty body',
      'POST',
      '/create/prod',
      { body: {} },
      ['body.mail missing', 'body.givenName missing', 'body.sn missing'],
    ],
    [
      'all parts at once',
      'POST',
      '/create/live',
      { body: { mail: 'x', givenName: '', sn: null, obid: 'yes', attributeCollections: [{ uid: 1 }] } },
      [
        'path.environment invalid_value',
        'body.mail invalid_format',
        'body.givenName too_small',
        'body.sn invalid_type',
        'body.obid invalid_type',
        'body.attributeCollections.0.attributeCollectionAuthority missing',
        'body.attributeCollections.0.uid invalid_type',
      ],
    ],
    [
      'a key without tenant',
      'POST',
      '/create/prod',
      { body: person('a', { customerUidGen: 'x' }) },
      ['body.customerUidGen invalid_format'],
    ],
    ['no body', 'POST', '/create/prod', {}, ['body missing']],
    ['no JSON', 'POST', '/create/prod', { text: '{"mail":' }, ['body json_invalid']],
    ['a list', 'POST', '/create/prod', { text: '[]' }, ['body invalid_type']],
    [
      'another type',
      'POST',
      '/create/prod',
      { text: 'a=b', contentType: 'text/plain' },
      ['body invalid_type'],
    ],
    [
      'mail',
      'PATCH',
      `/modify/${UNKNOWN}`,
      { body: { mail: 'x', sn: '' } },
      ['body.mail invalid_format', 'body.sn too_small'],
    ],
    [
      'a collection',
      'POST',
      `/attributeCollections/create/${UNKNOWN}`,
      { body: { uid: '', attributes: { a: 'b', c: [1] } } },
      [
        'body.attributeCollectionAuthority missing',
        'body.uid too_small',
        'body.attributes.a invalid_type',
        'body.attributes.c.0 invalid_type',
      ],
    ],
    [
      'overwrite',
      'PUT',
      `/attributeCollections/modify/${UNKNOWN}`,
      { query: { overwrite: 'yes' }, body: { uid: '1' } },
      ['query.overwrite invalid_value', 'body.attributeCollectionAuthority missing'],
    ],
    [
      'which collection',
      'DELETE',
      `/attributeCollections/delete/${UNKNOWN}`,
      { query: { attributeAuthorityUid: '' } },
      ['query.attributeAuthority missing', 'query.attributeAuthorityUid too_small'],
    ],
    [
      'a credential',
      'POST',
      `/remoteCredentials/create/${UNKNOWN}`,
      { body: { uid: 1 } },
      ['body.remoteCredentialAuthority missing', 'body.uid invalid_type'],
    ],
    [
      'which credential',
      'DELETE',
      `/remoteCredentials/delete/${UNKNOWN}`,
      {},
      ['query.remoteCredentialAuthority missing', 'query.remoteCredentialUid missing'],
    ],
    [
      'an account',
      'POST',
      `/obids/create/${UNKNOWN}`,
      { body: { email: 'x', quiet: 1 } },
      ['body.surname missing', 'body.email invalid_format', 'body.quiet invalid_type'],
    ],
  ])('is answered with 422 naming every fault: %s, %s %s', async (_name, method, path, options, expected) => {
    await using provider = await startIdentities();
    const reply = await ask(provider, method, path, options);
    expect([reply.status, complaints(reply)]).toEqual([422, expected]);
  });

  it('is told what came and what it must be', async () => {
    await using provider = await startIdentities();
    const reply = await ask(provider, 'GET', '/list/prod', { query: { page_size: 51 } });
    expect(reply.json.detail).toEqual([
      {
        loc: ['query', 'page_size'],
        msg: expect.any(String),
        type: 'too_big',
        input: '51',
        ctx: expect.objectContaining({ maximum: 50 }),
      },
    ]);
  });

  it('changes nothing', async () => {
    await using provider = await startIdentities();
    const attributeCollections = [collection, { ...collection, uid: '' }];
    const body = person('ann', { attributeCollections });
    expect((await ask(provider, 'POST', '/create/prod', { body })).status).toBe(422);
    expect([...provider.identities.all('https://login.institution.edu/', 'prod')]).toEqual([]);
  });
});

it('answers 422 to a remote credential or a collection of a hosted or gateway provider', async () => {
  await using provider = await startIdentities();
  const { serviceUid } = await createPerson(provider, 'ann');
  for (const authority of [AUTHORITIES.hosted, ...AUTHORITIES.gateways]) {
    const credential = { remoteCredentialAuthority: authority, uid: '1' };
    const remote = await ask(provider, 'POST', `/remoteCredentials/create/${serviceUid}`, {
      body: credential,
    });
    expect([remote.status, ...complaints(remote)]).toEqual([
      422,
      'body.remoteCredentialAuthority forbidden_authority',
    ]);
    const forbidden = { attributeCollectionAuthority: authority, uid: '1' };
    for (const [method, operation] of [
      ['POST', 'create'],
      ['PUT', 'modify'],
    ] as const) {
      const path = `/attributeCollections/${operation}/${serviceUid}`;
      expect((await ask(provider, method, path, { body: forbidden })).status).toBe(422);
    }
    const body = person('bob', { attributeCollections: [forbidden], remoteCredentials: [credential] });
    const both = await ask(provider, 'POST', '/create/prod', { body });
    expect(complaints(both)).toEqual([
      'body.attributeCollections.0.attributeCollectionAuthority forbidden_authority',
      'body.remoteCredentials.0.remoteCredentialAuthority forbidden_authority',
    ]);
  }
});

it('takes what the document leaves open: unknown members and parameters, JSON with a charset', async () => {
  await using provider = await startIdentities();
  const text = JSON.stringify(person('ann', { nickname: 'A' }));
  const contentType = 'application/json; charset=utf-8';
  expect((await ask(provider, 'POST', '/create/prod', { text, contentType })).status).toBe(201);
  expect((await ask(provider, 'GET', '/list/prod', { query: { colour: 'red' } })).status).toBe(200);
  const term = encodeURIComponent(`${'x'.repeat(300)}/ü?`);
  expect((await ask(provider, 'GET', `/search/prod/${term}`)).json).toEqual([]);
});

it('answers 413 to a body that is too large', async () => {
  await using provider = await startIdentities();
  const { statusCode, body } = await request(`${provider.url}/identities/v1/create/prod`, {
    method: 'POST',
    headers: { authorization: basic(ADMIN), 'content-type': 'application/json' },
    body: JSON.stringify(person('ann', { padding: 'x'.repeat(1024 * 1024) })),
  });
  expect([statusCode, await body.json()]).toEqual([413, { detail: 'The request cannot be read' }]);
});

it('answers 404 to other paths and methods, and to paths that cannot be decoded', async () => {
  await using provider = await startIdentities();
  for (const path of ['/identities/v1', '/identities/v1/list', '/identities/v1/search/prod/%E0%A4%A']) {
    expect(await call(provider, { path })).toMatchObject({ status: 404, text: '{"detail":"Not Found"}' });
  }
});

it('says nothing of what went wrong inside (500), and keeps nothing of it', async () => {
  let broken = false;
  await using provider = await startIdentities([], {
    now: () => (broken ? Number.NaN : Date.UTC(2026, 0, 15)),
  });
  await createPerson(provider, 'ann');
  broken = true;
  const reply = await ask(provider, 'POST', '/create/prod', { body: person('bob') });
  expect(reply.status).toBe(500);
  expect(reply.json.detail).toMatch(/^Database error/);
  broken = false;
  const list = await ask(provider, 'GET', '/list/prod');
  expect(list.json.items).toMatchObject([{ mail }]);
});
