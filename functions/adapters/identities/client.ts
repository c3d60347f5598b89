import type {
  CollectionInput,
  CredentialInput,
  IdentitiesApi,
  PageOptions,
  SortKey,
} from '../../core/identities/identities-api.ts';
import type { IdentityBase, IdentityPage } from '../../core/identities/identity.ts';
import { answerReader } from './answers.ts';
import { Caller, type CallerOptions } from './caller.ts';
import { type Operation, segment, shown, withQuery } from './operation.ts';

export type IdentitiesClientOptions = CallerOptions;

const ROOT = '/identities/v1';
const READ = 'the permission `read` (or `admin-all`)';
const WRITE = 'the permission `write` (or `admin-all`)';
const DELETE = 'the permission `delete` or `write` (or `admin-all`)';
const LINK = `${WRITE}, or the authority is not among its \`attributeAuthorities\``;
const HOSTED = 'the hosted-credential permission `obid: write`';
const OTHER_ADDRESS = 'Use another address, or allow that identities share one (allowDuplicateEmail).';

/**
 * The provider's identity records over HTTP (identities-v1.md): a method per operation, none of which needs `this`.
 *
 * What is tried again (with backoff, jitter and `Retry-After`, `maxAttempts` times and within `retryBudgetMs`):
 * - after 429, and where no connection came about: everything, for it was certainly not done;
 * - after 5xx, a broken or slow exchange, an unreadable body, or a 404 that is not the document's: reads, deletions (a
 *   404 then means that the earlier try had done it) and `modifyCollection` with `overwrite`, which sets the same
 *   attributes twice. Never a creation, a modification of an identity, or a merge, of which the document does not say
 *   whether it appends;
 * - after 401: everything, once, with the credential read past every cache.
 *
 * Redirects are not followed: the credential would go along. No error holds the credential, even where the server
 * echoes it. Answers keep members that are not known here, and call the identifier `serviceUid` whatever `uidField` is.
 *
 * @throws OrglogError `configuration` for a base URL that is refused
 */
export function createIdentitiesClient(options: IdentitiesClientOptions): IdentitiesApi & AsyncDisposable {
  const caller = new Caller(options);
  const uidField = options.uidField ?? 'serviceUid';
  const answers = answerReader(uidField);
  const run = <Result>(operation: Operation<Result>, signal: AbortSignal) => caller.call(operation, signal);
  // Invalid arguments reject like all else: an operation is described within the promise.
  const call = async <Result>(describe: () => Operation<Result>, signal: AbortSignal) =>
    await run(describe(), signal);
  const paging = ({
    pageIndex,
    pageSize,
    sortOrder,
    sortKey,
  }: PageOptions & { sortKey?: SortKey | 'id' }) => ({
    page_idx: pageIndex,
    page_size: pageSize,
    sort_key: sortKey === 'serviceUid' ? uidField : sortKey,
    sort_order: sortOrder,
  });
  const pathOf = (operation: string, serviceUid: string) =>
    `${ROOT}/${operation}/${segment(serviceUid, 'serviceUid')}`;
  const noIdentity = (serviceUid: string) => `no identity ${shown(serviceUid)}`;
  const noLink = (serviceUid: string, of: CredentialInput) =>
    `no identity ${shown(serviceUid)}, or none that ${named(of)} is linked to`;

  return {
    permissions: (signal) =>
      call(
        () => ({
          does: 'tell its permissions',
          method: 'GET',
          path: `${ROOT}/permissions`,
          idempotent: true,
          needs: 'access to identity records',
          read: answers.permissions,
        }),
        signal,
      ),

    list: (list, signal) =>
      call<IdentityPage<IdentityBase>>(
        () => ({
          does: `list the identities of ${list.environment}`,
          method: 'GET',
          path: withQuery(`${ROOT}/list/${segment(list.environment, 'environment')}`, {
            ...paging(list),
            search_term: list.searchTerm,
          }),
          idempotent: true,
          needs: `${READ} for ${list.environment}`,
          read: answers.page,
        }),
        signal,
      ),

    listByCollection: (list, signal) =>
      call(
        () => ({
          does: `list the identities of ${list.environment} with a collection of ${shown(list.authority)}`,
          method: 'GET',
          path: withQuery(`${ROOT}/list/byAttributeCollection/${segment(list.environment, 'environment')}`, {
            attributeAuthority: list.authority,
            attributeAuthorityUid: list.uid,
            ...paging(list),
          }),
          idempotent: true,
          needs: `${READ} for ${list.environment}`,
          read: answers.page,
        }),
        signal,
      ),

    search: (environment, term, signal) =>
      call(
        () => ({
          does: `search ${environment} for ${shown(term)}`,
          method: 'GET',
          path: `${ROOT}/search/${segment(environment, 'environment')}/${segment(term, 'searchTerm')}`,
          idempotent: true,
          needs: `${READ} for ${environment}`,
          read: answers.uids,
        }),
        signal,
      ),

    fetch: (serviceUid, signal) =>
      call(
        () => ({
          does: `fetch the identity ${shown(serviceUid)}`,
          method: 'GET',
          path: pathOf('fetch', serviceUid),
          idempotent: true,
          needs: READ,
          addresses: noIdentity(serviceUid),
          read: answers.identity,
        }),
        signal,
      ),

    create: (environment, { attributeCollections, remoteCredentials, ...input }, signal) =>
      call(
        () => ({
          does: `create an identity for ${shown(input.mail)} in ${environment}`,
          method: 'POST',
          path: `${ROOT}/create/${segment(environment, 'environment')}`,
          body: {
            ...input,
            attributeCollections: attributeCollections?.map(collectionBody),
            remoteCredentials: remoteCredentials?.map(credentialBody),
          },
          idempotent: false,
          needs: `${WRITE} for ${environment}${input.obid ? `, ${HOSTED}` : ''}, or an authority or customerUidGen that the call names is not among those it may use`,
          remedy: `${OTHER_ADDRESS} A hosted credential or a collection that exists cannot be created again.`,
          mentions: [
            input.mail,
            ...[...(attributeCollections ?? []), ...(remoteCredentials ?? [])].flatMap(mentionsOf),
          ],
          read: answers.identity,
        }),
        signal,
      ),

    modify: (serviceUid, input, signal) =>
      call(
        () => ({
          does: `modify the identity ${shown(serviceUid)}`,
          method: 'PATCH',
          path: pathOf('modify', serviceUid),
          body: { ...input },
          idempotent: false,
          needs: WRITE,
          addresses: noIdentity(serviceUid),
          remedy: OTHER_ADDRESS,
          mentions: input.mail === undefined ? [] : [input.mail],
          read: answers.identity,
        }),
        signal,
      ),

    createCollection: (serviceUid, input, signal) =>
      call(
        () => ({
          does: `link ${named(input)} to the identity ${shown(serviceUid)}`,
          method: 'POST',
          path: pathOf('attributeCollections/create', serviceUid),
          body: collectionBody(input),
          idempotent: false,
          needs: LINK,
          addresses: noIdentity(serviceUid),
          remedy: 'Modify the collection that is there, or name another one.',
          mentions: mentionsOf(input),
          read: answers.linked,
        }),
        signal,
      ),

    modifyCollection: (serviceUid, { overwrite, ...input }, signal) =>
      call(
        () => ({
          does: `modify ${named(input)} of the identity ${shown(serviceUid)}`,
          method: 'PUT',
          path: withQuery(pathOf('attributeCollections/modify', serviceUid), { overwrite }),
          body: collectionBody(input),
          idempotent: overwrite === true,
          needs: LINK,
          addresses: noLink(serviceUid, input),
          mentions: mentionsOf(input),
          read: answers.linked,
        }),
        signal,
      ),

    deleteCollection: (serviceUid, of, signal) =>
      call(
        () => ({
          does: `delete ${named(of)} of the identity ${shown(serviceUid)}`,
          method: 'DELETE',
          path: withQuery(pathOf('attributeCollections/delete', serviceUid), {
            attributeAuthority: of.authority,
            attributeAuthorityUid: of.uid,
          }),
          idempotent: true,
          needs: DELETE,
          addresses: noLink(serviceUid, of),
          read: answers.nothing,
        }),
        signal,
      ),

    createRemoteCredential: (serviceUid, input, signal) =>
      call(
        () => ({
          does: `link the remote credential ${named(input)} to the identity ${shown(serviceUid)}`,
          method: 'POST',
          path: pathOf('remoteCredentials/create', serviceUid),
          body: credentialBody(input),
          idempotent: false,
          needs: LINK,
          addresses: noIdentity(serviceUid),
          remedy: 'It is linked already: name another one.',
          mentions: mentionsOf(input),
          read: answers.linked,
        }),
        signal,
      ),

    deleteRemoteCredential: (serviceUid, of, signal) =>
      call(
        () => ({
          does: `delete the remote credential ${named(of)} of the identity ${shown(serviceUid)}`,
          method: 'DELETE',
          path: withQuery(pathOf('remoteCredentials/delete', serviceUid), {
            remoteCredentialAuthority: of.authority,
            remoteCredentialUid: of.uid,
          }),
          idempotent: true,
          needs: DELETE,
          addresses: noLink(serviceUid, of),
          read: answers.nothing,
        }),
        signal,
      ),

    createHostedCredential: (serviceUid, input, signal) =>
      call(
        () => ({
          does: `create a hosted credential for ${shown(input.email)} and link it to the identity ${shown(serviceUid)}`,
          method: 'POST',
          path: pathOf('obids/create', serviceUid),
          body: { ...input },
          idempotent: false,
          needs: `${HOSTED}, or ${WRITE}`,
          addresses: noIdentity(serviceUid),
          remedy: 'The account exists already: use another address, or leave it as it is.',
          mentions: [input.email],
          read: answers.linked,
        }),
        signal,
      ),

    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}

function collectionBody({ authority, uid, attributes }: CollectionInput) {
  return { attributeCollectionAuthority: authority, uid, attributes };
}

function credentialBody({ authority, uid }: CredentialInput) {
  return { remoteCredentialAuthority: authority, uid };
}

function mentionsOf({ authority, uid }: CredentialInput): readonly string[] {
  return [authority, uid];
}

function named({ authority, uid }: CredentialInput): string {
  return `${shown(uid)} of ${shown(authority)}`;
}
