import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidError } from '../../../functions/core/identities/errors.ts';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import { answering, CREDENTIAL } from '../raw-provider.ts';
import { type Answer, clientAt, idleClock, never, rejection, scripted } from './bed.ts';
import { BASE, COLLECTION, OPERATIONS, UID } from './operations.ts';

type Call = (api: IdentitiesApi) => Promise<unknown>;

async function errorOf(answer: Answer, call: Call, uidField = 'serviceUid'): Promise<Error> {
  await using server = await scripted([answer]);
  await using client = clientAt(server.origin, { uidField, maxAttempts: 1 });
  return await rejection(call(client));
}

const fetchOne: Call = (api) => api.fetch('u7', never());
const listProd: Call = (api) => api.list({ environment: 'prod' }, never());
const refused = (status: number, detail: unknown) => ({ status, body: { detail } });

describe('an answer that is not what the document says', () => {
  const person = { serviceUid: 'u7', ...BASE };
  const page = { items: [person], total_items: 1, page_cnt: 1, page_size: 1, page_idx: 1 };
  const cases: readonly [string, Call, unknown, string][] = [
    ['a list instead of an identity', fetchOne, ['secret-value'], 'the body is no object'],
    ['no identifier', fetchOne, { ...BASE }, 'serviceUid is no string'],
    ['an empty identifier', fetchOne, { ...BASE, serviceUid: '' }, 'serviceUid is out of bounds'],
    ['a time that is none', fetchOne, { ...person, createTime: 5 }, 'createTime is no string'],
    [
      'attributes without lists',
      fetchOne,
      {
        ...person,
        attributeCollections: [COLLECTION, { ...COLLECTION, attributes: { role: 'secret-value' } }],
      },
      'attributeCollections.1.attributes.role is no array',
    ],
    ['no items', listProd, { ...page, items: undefined }, 'items is no array'],
    ['an item that is none', listProd, { ...page, items: ['secret-value'] }, 'items.0 is no object'],
    [
      'several members that do not fit',
      listProd,
      { ...page, items: [person, { ...person, mail: 1, sn: {} }] },
      'items.1.mail is no string, and 1 more like it',
    ],
    ['a total below zero', listProd, { ...page, total_items: -1 }, 'total_items is out of bounds'],
    ['a page before the first', listProd, { ...page, page_idx: 0 }, 'page_idx is out of bounds'],
    ['identifiers that are none', (api) => api.search('prod', 'x', never()), ['a', 5], '1 is no string'],
    [
      'permissions of another shape',
      (api) => api.permissions(never()),
      { username: 'u', orgDomain: 'd', environments: { prod: { permissions: 'secret-value' } } },
      'environments.prod.permissions is no array',
    ],
    [
      'a link without its collection',
      (api) => api.createRemoteCredential('u7', { authority: 'a', uid: 'b' }, never()),
      { serviceUid: 'u7' },
      'attributeCollection is no object',
    ],
  ];

  test.each(cases)('%s', async (_what, call, body, words) => {
    const error = await errorOf({ status: 200, body }, call);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(words) });
    expect(inspect(error)).not.toContain('secret-value');
  });

  test('is told of with the name that the deployment has for the identifier', async () => {
    const error = await errorOf({ status: 200, body: { ...page, items: [person] } }, listProd, 'personKey');
    expect(error.message).toContain('list the identities of prod');
    expect(error.message).toContain('items.0.personKey is no string');
  });

  test('of a creation may be one all the same', async () => {
    const input = { mail: 'jane.doe@institution.edu', givenName: 'Jane', sn: 'Doe' };
    const error = await errorOf({ status: 201, body: {} }, (api) => api.create('prod', input, never()));
    expect(error.message).toContain('It may all the same have been done: look at what is there');
  });
});

describe('404', () => {
  test.each(OPERATIONS.filter(({ addressed }) => addressed))('$name names the identity', async (row) => {
    const error = await errorOf(refused(404, 'Record not found'), row.call);
    expect(error).toMatchObject({ code: 'not-found' });
    expect(error.message).toContain(`no identity “${UID}”`);
    expect(error.message).toContain('404: Record not found');
  });

  test.each(OPERATIONS.filter(({ addressed }) => !addressed))('$name: the base URL is wrong', async (row) => {
    const error = await errorOf(refused(404, 'Not Found'), row.call);
    expect(error).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('Check the base URL'),
    });
  });

  test('of a proxy is no word of the provider’s about an identity', async () => {
    const error = await errorOf({ status: 404, text: '<h1>nginx</h1>' }, fetchOne);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('404: nginx') });
  });
});

describe('409', () => {
  const create: Call = (api) =>
    api.create(
      'prod',
      {
        mail: 'jane.doe2@institution.edu',
        givenName: 'Jane',
        sn: 'Doe',
        remoteCredentials: [{ authority: 'https://idp7.institution.edu/saml 2', uid: 'jdoe2@idp7' }],
      },
      never(),
    );

  test.each<[string, string, string[]]>([
    [
      'a list in brackets',
      "Email jane.doe2@institution.edu is already on ['1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'P-100234'].",
      ['1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'P-100234'],
    ],
    [
      'one after a colon',
      'The email JANE.DOE2@institution.edu exists: abc-000123@institution.edu',
      ['abc-000123@institution.edu'],
    ],
    [
      'a collection that exists',
      'Collection https://idp7.institution.edu/saml 2, jdoe2@idp7 exists on identity 4711-0815',
      ['4711-0815'],
    ],
    ['none', 'OBID error: the account exists and is linked to other identities', []],
  ])('%s', async (_what, detail, identities) => {
    const error = await errorOf(refused(409, detail), create);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ code: 'conflict', identities });
    expect(error.message).toContain(detail);
    expect(error.message).toContain('allowDuplicateEmail');
  });

  test.each(OPERATIONS.filter(({ conflicts }) => conflicts))('$name says what to do', async (row) => {
    const error = await errorOf(refused(409, 'Record already exists'), row.call);
    expect(error).toMatchObject({ code: 'conflict', identities: [] });
    expect(error.message).toMatch(/since something is in its way \(409: Record already exists\)\. [A-Z]/);
  });

  test('without a readable detail names none', async () => {
    expect(await errorOf({ status: 409, text: 'P-100234' }, create)).toMatchObject({ identities: [] });
  });
});

describe('422', () => {
  test('names the fields, the identifier’s by its usual name', async () => {
    const detail = [
      { loc: ['body', 'mail'], msg: 'value is not a valid email address', type: 'value_error', input: 'x7' },
      { loc: ['path', 'personKey', 0], msg: 'odd\nlines', type: 'value_error', ctx: {} },
      { loc: ['query'] },
    ];
    const error = await errorOf(refused(422, detail), fetchOne, 'personKey');
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({
      code: 'invalid-request',
      fields: [
        { path: 'body.mail', message: 'value is not a valid email address' },
        { path: 'path.serviceUid.0', message: 'odd lines' },
        { path: 'query', message: '' },
      ],
    });
    expect(error.message).toContain('body.mail: value is not a valid email address');
    expect(inspect(error)).not.toContain('x7');
  });

  test.each([400, 413, 422])('%i of another shape names none', async (status) => {
    const error = await errorOf(refused(status, 'odd'), fetchOne);
    expect(error).toMatchObject({
      code: 'invalid-request',
      fields: [],
      message: expect.stringContaining('odd'),
    });
  });
});

test.each([405, 418])('%i, which is not documented, ends it', async (status) => {
  const error = await errorOf(refused(status, 'No tea'), fetchOne);
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`${status}: No tea`) });
});

test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
  await using other = await answering(200, '{}');
  const error = await errorOf({ status, headers: { location: `${other.origin}/x?secret-value` } }, fetchOne);
  expect(error).toMatchObject({ code: 'configuration' });
  expect(error.message).toContain(`(${status}, to ${other.origin}), which is not followed`);
  expect(error.message).not.toContain('secret-value');
  expect(other.requests).toHaveLength(0);
});

test('a redirect to nowhere is told of as such', async () => {
  const error = await errorOf({ status: 302, headers: { location: 'http://[' } }, fetchOne);
  expect(error.message).toContain('to no readable address');
});

describe('a server that echoes what it was sent', () => {
  const basic = Buffer.from(`${CREDENTIAL.username}:${CREDENTIAL.password}`).toString('base64');
  const echo = `${CREDENTIAL.password} ${encodeURIComponent(CREDENTIAL.password)} Basic ${basic}`;

  test.each([302, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503])('in a %i', async (status) => {
    const detail = status === 422 ? [{ loc: ['header', echo], msg: echo, type: 't', input: echo }] : echo;
    const error = await errorOf({ ...refused(status, detail), headers: { location: `${basic}:x` } }, (api) =>
      api.modify('u7', { givenName: 'J' }, never()),
    );
    expectNoSecret(error);
  });

  // Of various lengths, so that some are cut within a secret.
  test.each([0, 440, 456, 457, 458])('as names of members, after %i characters', async (before) => {
    const attributes = { ['k'.repeat(before) + echo]: 1 };
    const body = { serviceUid: 'x', ...BASE, attributeCollections: [{ ...COLLECTION, attributes }] };
    expectNoSecret(await errorOf({ status: 200, body }, fetchOne));
  });

  function expectNoSecret(error: Error) {
    const text = inspect(error, { depth: 10, showHidden: true });
    // A part would be too much.
    for (const secret of [CREDENTIAL.password, encodeURIComponent(CREDENTIAL.password), basic])
      expect(text).not.toContain(secret.slice(0, 6));
  }
});

test('a long, many-lined value of the caller’s is shown short and on one line', async () => {
  const error = await errorOf(refused(404, 'Record not found'), (api) =>
    api.fetch(`a\nb\u202e${'x'.repeat(5000)}`, never()),
  );
  expect(error.message).toMatch(/^[^\n\u202e]{0,400}$/);
  expect(error.message).toContain('“a b xxx');
});

describe('the signal', () => {
  test('that has fired lets nothing be sent', async () => {
    await using server = await scripted(['reset']);
    await using client = clientAt(server.origin);
    for (const row of OPERATIONS) {
      const error = await rejection(row.call(client, AbortSignal.abort()));
      expect(error).toMatchObject({ code: 'time-out' });
      expect(error.message).not.toContain('It may all the same');
    }
    expect(server.asked).toHaveLength(0);
  });

  test('that fires meanwhile ends it, and what was asked for may have been done', async () => {
    const stop = new AbortController();
    await using server = await scripted([() => stop.abort()]);
    await using client = clientAt(server.origin);
    const error = await rejection(client.modify('u7', {}, stop.signal));
    expect(error).toMatchObject({
      code: 'time-out',
      message: expect.stringContaining('It may all the same'),
    });
  });

  test('that fires while it waits ends it', async () => {
    const stop = new AbortController();
    await using server = await scripted([{ status: 503 }]);
    const clock = idleClock(async () => stop.abort());
    await using client = clientAt(server.origin, { clock });
    const error = await rejection(client.fetch('u7', stop.signal));
    expect(error).toMatchObject({ code: 'time-out' });
    expect(server.asked).toHaveLength(1);
  });
});
