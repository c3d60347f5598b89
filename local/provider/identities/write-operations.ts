import { jsonAnswer } from '../answer.ts';
import { type CreateInput, check, requestSchemas } from './checks.ts';
import { type IdentityHalf, linkedAnswer, locate, type Operation } from './operation.ts';
import { type Caller, demand, demandAuthorities, demandHosted, demandUidKey } from './permissions.ts';
import { shownTo } from './read-operations.ts';
import { identityModel } from './record.ts';
import { refuseMadeElsewhere } from './records.ts';
import { environmentParams, identityParams } from './schemas.ts';

/** The operations on identities themselves, and hosted credentials: create, modify, obids/create. */
export function writeOperations(half: IdentityHalf): Operation[] {
  const { recordsOf, uidField } = half;
  const schemas = requestSchemas(uidField);
  return [
    {
      method: 'POST',
      url: '/create/:environment',
      operationId: 'createIdentity',
      summary: 'Create an identity',
      params: environmentParams(),
      body: 'IdentityCreateInput',
      success: [201, 'IdentityModel'],
      refusals: [409, 422],
      run(caller, parts, occasion) {
        const { path, body } = check(schemas.create, parts);
        demandAdditions(caller, path.environment, body);
        const { orgUrl } = caller.organization;
        const created = recordsOf(orgUrl).create(path.environment, body, occasion);
        const shown = shownTo(caller);
        // What the call itself made is shown even to those who may not read hosted credentials.
        const model = identityModel(created, uidField, (each) => body.obid || shown(each));
        return jsonAnswer(201, model);
      },
    },
    {
      method: 'PATCH',
      url: `/modify/:${uidField}`,
      operationId: 'modifyIdentity',
      summary: 'Modify an identity',
      params: identityParams(uidField),
      body: 'IdentityModifyInput',
      success: [200, 'IdentityModel'],
      refusals: [404, 409, 422],
      run(caller, parts, occasion) {
        const { path, body } = check(schemas.modify, parts);
        const found = locate(half, caller, path.uid, 'write');
        const modified = recordsOf(found.orgUrl).modify(found, body, occasion);
        return jsonAnswer(200, identityModel(modified, uidField, shownTo(caller)));
      },
    },
    {
      method: 'POST',
      url: `/obids/create/:${uidField}`,
      operationId: 'createHostedCredential',
      summary: 'Create a hosted credential',
      params: identityParams(uidField),
      body: 'OrgBrandedIdAccountCreateInput',
      success: [201, 'AttributeCollectionCreateOrModifyOutput'],
      refusals: [404, 409, 422],
      run(caller, parts, occasion) {
        const { path, body } = check(schemas.createHosted, parts);
        demandHosted(caller, 'write');
        const found = locate(half, caller, path.uid, 'write');
        const collection = recordsOf(found.orgUrl).linkHosted(found, body, occasion);
        return linkedAnswer(half, 201, found.uid, collection);
      },
    },
  ];
}

/** Throws the 401 for what the credential may not add, then the 422 for what nobody may. */
function demandAdditions(caller: Caller, environment: 'test' | 'prod', body: CreateInput): void {
  const collections = body.attributeCollections ?? [];
  const credentials = body.remoteCredentials ?? [];
  demand(caller, environment, 'write');
  demandAuthorities(
    caller,
    environment,
    collections.map((each) => each.attributeCollectionAuthority),
  );
  if (typeof body.customerUidGen === 'string') demandUidKey(caller, environment, body.customerUidGen);
  if (body.obid) demandHosted(caller, 'write');
  refuseMadeElsewhere(caller.organization.orgUrl, [
    ...collections.map(({ attributeCollectionAuthority: authority }, index) => ({
      authority,
      loc: ['body', 'attributeCollections', index, 'attributeCollectionAuthority'],
    })),
    ...credentials.map(({ remoteCredentialAuthority: authority }, index) => ({
      authority,
      loc: ['body', 'remoteCredentials', index, 'remoteCredentialAuthority'],
    })),
  ]);
}
