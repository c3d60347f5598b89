import { expect } from 'vitest';
import { never } from './bed.ts';
import { AUTHORITIES } from './stand-in.ts';
import { account, collectionOf, GHOST, holding, hosted, linked, other, type TableRow } from './table-row.ts';

/** The operations on what is linked to an identity. */
export const LINK_ROWS: readonly TableRow[] = [
  {
    name: 'createCollection',
    method: 'POST',
    path: '/attributeCollections/create/',
    status: 201,
    call: (api, { identity, mark }) =>
      api.createCollection(identity.serviceUid, { ...other(mark), attributes: { year: ['3'] } }, never()),
    result: (subject) =>
      linked(subject, collectionOf(AUTHORITIES.students, `s ${subject.mark}`, { year: ['3'] })),
    afterwards: ({ mark }) => holding(collectionOf(AUTHORITIES.students, `s ${mark}`, { year: ['3'] })),
    missing: [['identity', (api, { mark }) => api.createCollection(GHOST, other(mark), never())]],
    conflicts: [
      {
        what: 'the collection exists',
        call: (api, { identity, collection }) =>
          api.createCollection(identity.serviceUid, collection, never()),
        names: 'nobody',
      },
    ],
    invalid: [
      [
        'body.uid',
        (api, { identity }) =>
          api.createCollection(identity.serviceUid, { authority: AUTHORITIES.personnel, uid: '' }, never()),
      ],
    ],
  },
  {
    name: 'modifyCollection',
    method: 'PUT',
    path: '/attributeCollections/modify/',
    status: 200,
    call: (api, { identity, collection }) =>
      api.modifyCollection(
        identity.serviceUid,
        { ...collection, attributes: { role: ['head'] }, overwrite: true },
        never(),
      ),
    result: (subject) =>
      linked(subject, collectionOf(AUTHORITIES.personnel, subject.collection.uid, { role: ['head'] })),
    afterwards: ({ collection }) =>
      holding(collectionOf(collection.authority, collection.uid, { role: ['head'] })),
    missing: [
      ['identity', (api, { collection }) => api.modifyCollection(GHOST, collection, never())],
      [
        'collection',
        (api, { identity, mark }) => api.modifyCollection(identity.serviceUid, other(mark), never()),
      ],
    ],
    conflicts: [],
    invalid: [
      [
        'body.uid',
        (api, { identity }) =>
          api.modifyCollection(identity.serviceUid, { authority: AUTHORITIES.personnel, uid: '' }, never()),
      ],
    ],
  },
  {
    name: 'deleteCollection',
    method: 'DELETE',
    path: '/attributeCollections/delete/',
    status: 204,
    call: (api, { identity, collection }) => api.deleteCollection(identity.serviceUid, collection, never()),
    result: () => undefined,
    afterwards: ({ credential }) =>
      expect.objectContaining({
        attributeCollections: [collectionOf(credential.authority, credential.uid, {})],
      }),
    missing: [
      ['identity', (api, { collection }) => api.deleteCollection(GHOST, collection, never())],
      [
        'collection',
        (api, { identity, mark }) => api.deleteCollection(identity.serviceUid, other(mark), never()),
      ],
    ],
    conflicts: [],
    invalid: [
      [
        'query.attributeAuthorityUid',
        (api, { identity }) =>
          api.deleteCollection(identity.serviceUid, { authority: AUTHORITIES.personnel, uid: '' }, never()),
      ],
    ],
  },
  {
    name: 'createRemoteCredential',
    method: 'POST',
    path: '/remoteCredentials/create/',
    status: 201,
    call: (api, { identity, mark }) =>
      api.createRemoteCredential(
        identity.serviceUid,
        { authority: AUTHORITIES.remote, uid: `two ${mark}` },
        never(),
      ),
    result: (subject) => linked(subject, collectionOf(AUTHORITIES.remote, `two ${subject.mark}`, {})),
    afterwards: ({ mark }) => holding(collectionOf(AUTHORITIES.remote, `two ${mark}`, {})),
    missing: [['identity', (api, { credential }) => api.createRemoteCredential(GHOST, credential, never())]],
    conflicts: [
      {
        what: 'the credential exists',
        call: (api, { identity, credential }) =>
          api.createRemoteCredential(identity.serviceUid, credential, never()),
        names: 'nobody',
      },
    ],
    invalid: [
      [
        'body.remoteCredentialAuthority',
        (api, { identity }) =>
          api.createRemoteCredential(
            identity.serviceUid,
            { authority: AUTHORITIES.hosted, uid: 'x' },
            never(),
          ),
      ],
    ],
  },
  {
    name: 'deleteRemoteCredential',
    method: 'DELETE',
    path: '/remoteCredentials/delete/',
    status: 204,
    call: (api, { identity, credential }) =>
      api.deleteRemoteCredential(identity.serviceUid, credential, never()),
    result: () => undefined,
    afterwards: ({ collection }) =>
      expect.objectContaining({
        attributeCollections: [expect.objectContaining({ uid: collection.uid })],
      }),
    missing: [
      ['identity', (api, { credential }) => api.deleteRemoteCredential(GHOST, credential, never())],
      [
        'credential',
        (api, { identity, collection }) =>
          api.deleteRemoteCredential(identity.serviceUid, collection, never()),
      ],
    ],
    conflicts: [],
    invalid: [
      [
        'query.remoteCredentialUid',
        (api, { identity }) =>
          api.deleteRemoteCredential(
            identity.serviceUid,
            { authority: AUTHORITIES.remote, uid: '' },
            never(),
          ),
      ],
    ],
  },
  {
    name: 'createHostedCredential',
    method: 'POST',
    path: '/obids/create/',
    status: 201,
    call: (api, { identity, mark }) =>
      api.createHostedCredential(identity.serviceUid, account(mark), never()),
    result: (subject) => linked(subject, hosted()),
    afterwards: () => holding(hosted()),
    missing: [['identity', (api, { mark }) => api.createHostedCredential(GHOST, account(mark), never())]],
    conflicts: [
      {
        what: 'the account exists',
        after: (api, { identity, mark }) =>
          api.createHostedCredential(identity.serviceUid, account(mark), never()),
        call: (api, { identity, mark }) =>
          api.createHostedCredential(identity.serviceUid, account(mark), never()),
        names: 'subject',
      },
    ],
    invalid: [
      [
        'body.email',
        (api, { identity }) =>
          api.createHostedCredential(identity.serviceUid, { surname: 'Ünal', email: 'no address' }, never()),
      ],
    ],
  },
];
