import { expect } from 'vitest';
import { never } from './bed.ts';
import { AUTHORITIES, UID_KEY } from './stand-in.ts';
import {
  base,
  collectionOf,
  GHOST,
  hosted,
  onPage,
  person,
  type TableRow,
  wrongEnvironment,
} from './table-row.ts';

/** The operations on identities themselves. */
export const RECORD_ROWS: readonly TableRow[] = [
  {
    name: 'permissions',
    method: 'GET',
    path: '/permissions',
    status: 200,
    call: (api) => api.permissions(never()),
    result: () => ({
      username: 'manager',
      orgDomain: 'institution.edu',
      environments: {
        test: expect.objectContaining({ permissions: ['admin-all'] }),
        prod: expect.objectContaining({ customerUidKeys: [UID_KEY] }),
      },
      obid: ['read', 'write'],
    }),
    missing: [],
    conflicts: [],
    invalid: [],
  },
  {
    name: 'list',
    method: 'GET',
    path: '/list/prod',
    status: 200,
    call: (api, { mail }) =>
      api.list({ environment: 'prod', searchTerm: mail, sortKey: 'serviceUid', pageSize: 50 }, never()),
    result: (subject) => onPage(base(subject)),
    missing: [],
    conflicts: [],
    invalid: [
      ['query.page_size', (api) => api.list({ environment: 'prod', pageSize: 51 }, never())],
      ['query.page_idx', (api) => api.list({ environment: 'prod', pageIndex: 0 }, never())],
      ['path.environment', (api) => api.list({ environment: wrongEnvironment }, never())],
    ],
  },
  {
    name: 'listByCollection',
    method: 'GET',
    path: '/list/byAttributeCollection/prod',
    status: 200,
    call: (api, { collection }) =>
      api.listByCollection({ environment: 'prod', ...collection, sortKey: 'id', sortOrder: 'desc' }, never()),
    result: ({ identity }) => onPage(identity),
    missing: [],
    conflicts: [],
    invalid: [
      [
        'query.attributeAuthority',
        (api) => api.listByCollection({ environment: 'prod', authority: '' }, never()),
      ],
    ],
  },
  {
    name: 'search',
    method: 'GET',
    path: '/search/prod/',
    status: 200,
    call: (api, { mark }) => api.search('prod', `Ünal ${mark}`, never()),
    result: ({ identity }) => expect.arrayContaining([identity.serviceUid]),
    missing: [],
    conflicts: [],
    invalid: [['path.environment', (api) => api.search(wrongEnvironment, 'a/b %', never())]],
  },
  {
    name: 'fetch',
    method: 'GET',
    path: '/fetch/',
    status: 200,
    call: (api, { identity }) => api.fetch(identity.serviceUid, never()),
    result: ({ identity }) => identity,
    missing: [['identity', (api) => api.fetch(GHOST, never())]],
    conflicts: [],
    invalid: [],
  },
  {
    name: 'create',
    method: 'POST',
    path: '/create/prod',
    status: 201,
    call: (api, { mark }) =>
      api.create(
        'prod',
        {
          ...person(`new.${mark}@institution.edu`),
          obid: true,
          quiet: true,
          customerUidGen: UID_KEY,
          attributeCollections: [
            { authority: AUTHORITIES.personnel, uid: `new ${mark}`, attributes: { a: ['b', 'c'] } },
          ],
          remoteCredentials: [{ authority: AUTHORITIES.remote, uid: `new ${mark}` }],
        },
        never(),
      ),
    result: ({ mark }) =>
      expect.objectContaining({
        ...person(`new.${mark}@institution.edu`),
        serviceUid: expect.stringMatching(/./),
        attributeCollections: expect.arrayContaining([
          collectionOf(AUTHORITIES.personnel, `new ${mark}`, { a: ['b', 'c'] }),
          collectionOf(AUTHORITIES.remote, `new ${mark}`, {}),
          expect.objectContaining({ attributeCollectionAuthority: AUTHORITIES.students }),
          hosted(),
        ]),
      }),
    missing: [],
    conflicts: [
      {
        what: 'the address is on another identity',
        call: (api, { mail }) => api.create('prod', person(mail), never()),
        names: 'subject',
      },
      {
        what: 'the hosted credential exists',
        after: (api, { identity, mail }) =>
          api.createHostedCredential(identity.serviceUid, { surname: 'Ünal', email: mail }, never()),
        call: (api, { mail }) =>
          api.create('prod', { ...person(mail), allowDuplicateEmail: true, obid: true }, never()),
        names: 'subject',
      },
      {
        what: 'the collection exists',
        call: (api, { mark, collection }) =>
          api.create(
            'prod',
            { ...person(`new.${mark}@institution.edu`), attributeCollections: [collection] },
            never(),
          ),
        names: 'subject',
      },
    ],
    invalid: [
      ['body.mail', (api) => api.create('prod', person('no address'), never())],
      [
        'body.remoteCredentials.0.remoteCredentialAuthority',
        (api, { mark }) =>
          api.create(
            'prod',
            {
              ...person(`new.${mark}@institution.edu`),
              remoteCredentials: [{ authority: AUTHORITIES.gateways[0], uid: 'x' }],
            },
            never(),
          ),
      ],
    ],
  },
  {
    name: 'modify',
    method: 'PATCH',
    path: '/modify/',
    status: 200,
    call: (api, { identity }) => api.modify(identity.serviceUid, { givenName: 'Zora' }, never()),
    result: ({ identity }) => ({
      ...identity,
      givenName: 'Zora',
      lastUpdateTime: expect.any(String),
    }),
    afterwards: ({ mail }) => expect.objectContaining({ mail, givenName: 'Zora' }),
    missing: [['identity', (api) => api.modify(GHOST, { givenName: 'Zora' }, never())]],
    conflicts: [
      {
        what: 'the address is on another identity',
        // Of somebody else, who wants the subject's.
        call: async (api, { mail, mark }) => {
          const { serviceUid } = await api.create('prod', person(`else.${mark}@institution.edu`), never());
          return await api.modify(serviceUid, { mail }, never());
        },
        names: 'subject',
      },
    ],
    invalid: [
      ['body.mail', (api, { identity }) => api.modify(identity.serviceUid, { mail: 'no address' }, never())],
    ],
  },
];
