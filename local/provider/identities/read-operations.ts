import { type Answer, jsonAnswer } from '../answer.ts';
import { typeOfAuthority } from './authorities.ts';
import { check, requestSchemas } from './checks.ts';
import type { PageRequest, SortedBy, StoredIdentityPage } from './listing.ts';
import { type IdentityHalf, locate, type Operation } from './operation.ts';
import { type Caller, demand, demandHosted, mayHosted } from './permissions.ts';
import { identityBase, identityModel, type StoredCollection, type StoredIdentity } from './record.ts';
import { environmentParams, identityParams, pagingQuery } from './schemas.ts';

/** The operations that change nothing: permissions, both lists, search, fetch. */
export function readOperations(half: IdentityHalf): Operation[] {
  const { listing, uidField } = half;
  const schemas = requestSchemas(uidField);

  const pageAnswer = (
    { pageIndex, pageSize }: PageRequest,
    { items, totalItems }: StoredIdentityPage,
    render: (identity: StoredIdentity) => unknown,
  ): Answer =>
    jsonAnswer(200, {
      items: items.map(render),
      total_items: totalItems,
      page_cnt: Math.ceil(totalItems / pageSize),
      page_size: items.length,
      page_idx: pageIndex,
    });
  const sortedBy = (key: string) => (key === uidField ? 'uid' : key) as SortedBy;
  const asPageRequest = (query: {
    readonly page_idx: number;
    readonly page_size: number;
    readonly sort_key: string;
    readonly sort_order: 'asc' | 'desc';
  }): PageRequest => ({
    pageIndex: query.page_idx,
    pageSize: query.page_size,
    sortedBy: sortedBy(query.sort_key),
    sortOrder: query.sort_order,
  });
  const model = (caller: Caller) => (identity: StoredIdentity) =>
    identityModel(identity, uidField, shownTo(caller));

  return [
    {
      method: 'GET',
      url: '/permissions',
      operationId: 'getPermissions',
      summary: 'Permissions of the credential',
      success: [200, 'IdentitiesApiUserPermissionsModel'],
      refusals: [],
      run: ({ permissions }) => jsonAnswer(200, permissions),
    },
    {
      method: 'GET',
      url: '/list/:environment',
      operationId: 'listIdentities',
      summary: 'List identities',
      params: environmentParams(),
      querystring: pagingQuery(uidField, 'list'),
      success: [200, 'IdentityBasePage'],
      refusals: [422],
      run(caller, parts) {
        const { path, query } = check(schemas.list, parts);
        demand(caller, path.environment, 'read');
        const { search_term: term } = query;
        const place = { ...caller.organization, ...path };
        const search = term ? { term, hosted: mayHosted(caller, 'read') } : undefined;
        const request = asPageRequest(query);
        return pageAnswer(request, listing.page(place, request, search), (identity) =>
          identityBase(identity, uidField),
        );
      },
    },
    {
      method: 'GET',
      url: '/list/byAttributeCollection/:environment',
      operationId: 'listIdentitiesByAttributeCollection',
      summary: 'List identities by authority',
      params: environmentParams(),
      querystring: pagingQuery(uidField, 'byAttributeCollection'),
      success: [200, 'IdentityPage'],
      refusals: [422],
      run(caller, parts) {
        const { path, query } = check(schemas.listByCollection, parts);
        demand(caller, path.environment, 'read');
        const { attributeAuthority: authority, attributeAuthorityUid: uid } = query;
        const { organization } = caller;
        if (typeOfAuthority(organization.orgUrl, authority) === 'obid') demandHosted(caller, 'read');
        const request = asPageRequest(query);
        const page = listing.pageOfHolders({ ...organization, ...path }, { authority, uid }, request);
        return pageAnswer(request, page, model(caller));
      },
    },
    {
      method: 'GET',
      url: '/search/:environment/:searchTerm',
      operationId: 'searchIdentities',
      summary: 'Search identities by a sub-string of a name or an address',
      params: environmentParams('searchTerm'),
      success: [200, 'IdentityIdentifiers'],
      refusals: [422],
      run(caller, parts) {
        const { path } = check(schemas.search, parts);
        demand(caller, path.environment, 'read');
        const search = { term: path.searchTerm, hosted: mayHosted(caller, 'read') };
        return jsonAnswer(200, listing.search({ ...caller.organization, ...path }, search));
      },
    },
    {
      method: 'GET',
      url: `/fetch/:${uidField}`,
      operationId: 'fetchIdentity',
      summary: 'Fetch one identity',
      params: identityParams(uidField),
      success: [200, 'IdentityModel'],
      refusals: [404, 422],
      run(caller, parts) {
        const { path } = check(schemas.fetch, parts);
        return jsonAnswer(200, model(caller)(locate(half, caller, path.uid, 'read')));
      },
    },
  ];
}

/** Hosted credentials are shown to those who may read them. */
export function shownTo(caller: Caller): (collection: StoredCollection) => boolean {
  const hosted = mayHosted(caller, 'read');
  return ({ type }) => hosted || type !== 'obid';
}
