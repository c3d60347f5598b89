import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import { never } from './bed.ts';

/** One of the 13 operations with arguments: what must be sent, what a success says, what must come of it. */
export interface Row {
  readonly name: string;
  readonly call: (api: IdentitiesApi, signal?: AbortSignal) => Promise<unknown>;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** With `uidField` as the deployment has it. */
  readonly answer: (uidField: string) => unknown;
  readonly result: unknown;
  /** May be repeated after it may have happened. */
  readonly idempotent: boolean;
  /** An identity is addressed, so that 404 is documented. */
  readonly addressed: boolean;
  readonly conflicts: boolean;
}

/** Everything that a path or a query could trip over. */
export const UID = 'ab/c%2F?d#é 7';
const UID_ENCODED = 'ab%2Fc%252F%3Fd%23%C3%A9%207';
const AUTHORITY = 'https://hr.institution.edu/a b?x=1&y=2';
const LINK = { authority: AUTHORITY, uid: 'h+7/8' };

export const COLLECTION = {
  attributeCollectionAuthority: AUTHORITY,
  uid: 'h+7/8',
  attributes: { department: ['Physics', 'Optics'] },
  createTime: '2026-01-01T00:00:00+00:00',
  lastUpdateTime: '2026-01-02T00:00:00+00:00',
  credentialLastUsed: null,
  attributeCollectionAuthorityType: 'idp',
  addedLater: { kept: true },
};

export const BASE = {
  mail: 'jane.doe@institution.edu',
  givenName: 'Jane',
  sn: null,
  createTime: '2026-01-01T00:00:00+00:00',
  lastUpdateTime: '2026-01-02T00:00:00+00:00',
  addedLater: 7,
};

const identity = (uidField: string) => ({ [uidField]: UID, ...BASE, attributeCollections: [COLLECTION] });
const linked = (uidField: string) => ({ [uidField]: UID, attributeCollection: COLLECTION });
const page = (item: unknown) => ({
  items: [item],
  total_items: 51,
  page_cnt: 2,
  page_size: 1,
  page_idx: 2,
});
const pageResult = (item: unknown) => ({
  items: [item],
  totalItems: 51,
  pageCount: 2,
  pageSize: 1,
  pageIndex: 2,
});
const group = {
  permissions: ['read'],
  customerUidKeys: ['t:a'],
  attributeAuthorities: [AUTHORITY],
};
const permissions = {
  username: 'collector',
  orgDomain: 'institution.edu',
  environments: { test: group, prod: group },
  obid: ['read'],
};

const reading = { idempotent: true, conflicts: false, status: 200, method: 'GET' };
const creating = { idempotent: false, conflicts: true, status: 201, method: 'POST' };
const deleting = {
  idempotent: true,
  addressed: true,
  conflicts: false,
  status: 204,
  method: 'DELETE',
  answer: () => undefined,
  result: undefined,
};

export const OPERATIONS: readonly Row[] = [
  {
    ...reading,
    name: 'permissions',
    call: (api, signal = never()) => api.permissions(signal),
    path: '/identities/v1/permissions',
    answer: () => permissions,
    result: permissions,
    addressed: false,
  },
  {
    ...reading,
    name: 'list',
    call: (api, signal = never()) =>
      api.list(
        {
          environment: 'prod',
          pageIndex: 2,
          pageSize: 50,
          sortKey: 'createTime',
          sortOrder: 'asc',
          searchTerm: 'dœ & 100%',
        },
        signal,
      ),
    path: '/identities/v1/list/prod',
    query: {
      page_idx: '2',
      page_size: '50',
      sort_key: 'createTime',
      sort_order: 'asc',
      search_term: 'dœ & 100%',
    },
    answer: (uidField) => page({ [uidField]: UID, ...BASE }),
    result: pageResult({ serviceUid: UID, ...BASE }),
    addressed: false,
  },
  {
    ...reading,
    name: 'listByCollection',
    call: (api, signal = never()) =>
      api.listByCollection({ environment: 'test', ...LINK, sortKey: 'id', sortOrder: 'desc' }, signal),
    path: '/identities/v1/list/byAttributeCollection/test',
    query: {
      attributeAuthority: AUTHORITY,
      attributeAuthorityUid: LINK.uid,
      sort_key: 'id',
      sort_order: 'desc',
    },
    answer: (uidField) => page(identity(uidField)),
    result: pageResult(identity('serviceUid')),
    addressed: false,
  },
  {
    ...reading,
    name: 'search',
    call: (api, signal = never()) => api.search('prod', 'dœ/100% ?', signal),
    path: '/identities/v1/search/prod/d%C5%93%2F100%25%20%3F',
    answer: () => [UID, 'x'],
    result: [UID, 'x'],
    addressed: false,
  },
  {
    ...reading,
    name: 'fetch',
    call: (api, signal = never()) => api.fetch(UID, signal),
    path: `/identities/v1/fetch/${UID_ENCODED}`,
    answer: identity,
    result: identity('serviceUid'),
    addressed: true,
  },
  {
    ...creating,
    name: 'create',
    call: (api, signal = never()) =>
      api.create(
        'prod',
        {
          mail: 'jane.doe@institution.edu',
          givenName: 'Jane',
          sn: 'Doe',
          customerUidGen: 't:a',
          obid: true,
          quiet: true,
          allowDuplicateEmail: true,
          attributeCollections: [{ ...LINK, attributes: { department: ['Physics'] } }],
          remoteCredentials: [LINK],
        },
        signal,
      ),
    path: '/identities/v1/create/prod',
    body: {
      mail: 'jane.doe@institution.edu',
      givenName: 'Jane',
      sn: 'Doe',
      customerUidGen: 't:a',
      obid: true,
      quiet: true,
      allowDuplicateEmail: true,
      attributeCollections: [
        {
          attributeCollectionAuthority: AUTHORITY,
          uid: LINK.uid,
          attributes: { department: ['Physics'] },
        },
      ],
      remoteCredentials: [{ remoteCredentialAuthority: AUTHORITY, uid: LINK.uid }],
    },
    answer: identity,
    result: identity('serviceUid'),
    addressed: false,
  },
  {
    ...creating,
    name: 'modify',
    call: (api, signal = never()) => api.modify(UID, { givenName: 'Janet' }, signal),
    method: 'PATCH',
    path: `/identities/v1/modify/${UID_ENCODED}`,
    body: { givenName: 'Janet' },
    status: 200,
    answer: identity,
    result: identity('serviceUid'),
    addressed: true,
  },
  {
    ...creating,
    name: 'createCollection',
    call: (api, signal = never()) => api.createCollection(UID, { ...LINK, attributes: { a: ['b'] } }, signal),
    path: `/identities/v1/attributeCollections/create/${UID_ENCODED}`,
    body: { attributeCollectionAuthority: AUTHORITY, uid: LINK.uid, attributes: { a: ['b'] } },
    answer: linked,
    result: linked('serviceUid'),
    addressed: true,
  },
  {
    ...creating,
    name: 'modifyCollection, merging',
    call: (api, signal = never()) => api.modifyCollection(UID, { ...LINK, attributes: { a: ['b'] } }, signal),
    method: 'PUT',
    path: `/identities/v1/attributeCollections/modify/${UID_ENCODED}`,
    body: { attributeCollectionAuthority: AUTHORITY, uid: LINK.uid, attributes: { a: ['b'] } },
    status: 200,
    answer: linked,
    result: linked('serviceUid'),
    addressed: true,
    conflicts: false,
  },
  {
    ...creating,
    name: 'modifyCollection, overwriting',
    call: (api, signal = never()) =>
      api.modifyCollection(UID, { ...LINK, attributes: { a: ['b'] }, overwrite: true }, signal),
    method: 'PUT',
    path: `/identities/v1/attributeCollections/modify/${UID_ENCODED}`,
    query: { overwrite: 'true' },
    body: { attributeCollectionAuthority: AUTHORITY, uid: LINK.uid, attributes: { a: ['b'] } },
    status: 200,
    answer: linked,
    result: linked('serviceUid'),
    idempotent: true,
    addressed: true,
    conflicts: false,
  },
  {
    ...deleting,
    name: 'deleteCollection',
    call: (api, signal = never()) => api.deleteCollection(UID, LINK, signal),
    path: `/identities/v1/attributeCollections/delete/${UID_ENCODED}`,
    query: { attributeAuthority: AUTHORITY, attributeAuthorityUid: LINK.uid },
  },
  {
    ...creating,
    name: 'createRemoteCredential',
    call: (api, signal = never()) => api.createRemoteCredential(UID, LINK, signal),
    path: `/identities/v1/remoteCredentials/create/${UID_ENCODED}`,
    body: { remoteCredentialAuthority: AUTHORITY, uid: LINK.uid },
    answer: linked,
    result: linked('serviceUid'),
    addressed: true,
  },
  {
    ...deleting,
    name: 'deleteRemoteCredential',
    call: (api, signal = never()) => api.deleteRemoteCredential(UID, LINK, signal),
    path: `/identities/v1/remoteCredentials/delete/${UID_ENCODED}`,
    query: { remoteCredentialAuthority: AUTHORITY, remoteCredentialUid: LINK.uid },
  },
  {
    ...creating,
    name: 'createHostedCredential',
    call: (api, signal = never()) =>
      api.createHostedCredential(
        UID,
        { surname: 'Doe', email: 'jane.doe@institution.edu', quiet: true },
        signal,
      ),
    path: `/identities/v1/obids/create/${UID_ENCODED}`,
    body: { surname: 'Doe', email: 'jane.doe@institution.edu', quiet: true },
    answer: linked,
    result: linked('serviceUid'),
    addressed: true,
  },
];
