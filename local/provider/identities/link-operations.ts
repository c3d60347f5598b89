import { typeOfAuthority } from './authorities.ts';
import { check, requestSchemas } from './checks.ts';
import { type IdentityHalf, linkedAnswer, locate, NO_CONTENT, type Operation } from './operation.ts';
import { demandAuthorities, demandHosted } from './permissions.ts';
import { refuseMadeElsewhere } from './records.ts';
import { deletionQuery, identityParams, OVERWRITE_QUERY } from './schemas.ts';

const WRAPPER = 'AttributeCollectionCreateOrModifyOutput';
const OF_COLLECTION = ['body', 'attributeCollectionAuthority'] as const;
const OF_CREDENTIAL = ['body', 'remoteCredentialAuthority'] as const;

/** The operations on what is linked to an identity: attribute collections and remote credentials. */
export function linkOperations(half: IdentityHalf): Operation[] {
  const { recordsOf, uidField } = half;
  const schemas = requestSchemas(uidField);
  const params = identityParams(uidField);
  return [
    {
      method: 'POST',
      url: `/attributeCollections/create/:${uidField}`,
      operationId: 'createAttributeCollection',
      summary: 'Create an attribute collection',
      params,
      body: 'AttributeCollectionInput',
      success: [201, WRAPPER],
      refusals: [404, 409, 422],
      run(caller, parts, occasion) {
        const { path, body } = check(schemas.createCollection, parts);
        const found = locate(half, caller, path.uid, 'write');
        const { attributeCollectionAuthority: authority } = body;
        demandAuthorities(caller, found.environment, [authority]);
        refuseMadeElsewhere(found.orgUrl, [{ authority, loc: OF_COLLECTION }]);
        return linkedAnswer(half, 201, found.uid, recordsOf(found.orgUrl).link(found, body, occasion));
      },
    },
    {
      method: 'PUT',
      url: `/attributeCollections/modify/:${uidField}`,
      operationId: 'modifyAttributeCollection',
      summary: 'Modify an attribute collection',
      params,
      querystring: OVERWRITE_QUERY,
      body: 'AttributeCollectionInput',
      success: [200, WRAPPER],
      refusals: [404, 422],
      run(caller, parts, occasion) {
        const { path, query, body } = check(schemas.modifyCollection, parts);
        const found = locate(half, caller, path.uid, 'write');
        const { attributeCollectionAuthority: authority } = body;
        demandAuthorities(caller, found.environment, [authority]);
        refuseMadeElsewhere(found.orgUrl, [{ authority, loc: OF_COLLECTION }]);
        const changed = recordsOf(found.orgUrl).change(found, body, query.overwrite, occasion);
        return linkedAnswer(half, 200, found.uid, changed);
      },
    },
    {
      method: 'DELETE',
      url: `/attributeCollections/delete/:${uidField}`,
      operationId: 'deleteAttributeCollection',
      summary: 'Delete an attribute collection',
      params,
      querystring: deletionQuery('attributeAuthority', 'attributeAuthorityUid'),
      success: [204],
      refusals: [404, 422],
      run(caller, parts, occasion) {
        const { path, query } = check(schemas.deleteCollection, parts);
        const found = locate(half, caller, path.uid, 'delete');
        const { attributeAuthority: authority, attributeAuthorityUid: uid } = query;
        demandAuthorities(caller, found.environment, [authority]);
        if (typeOfAuthority(found.orgUrl, authority) === 'obid') demandHosted(caller, 'write');
        recordsOf(found.orgUrl).unlink(found, { authority, uid }, false, occasion);
        return NO_CONTENT;
      },
    },
    {
      method: 'POST',
      url: `/remoteCredentials/create/:${uidField}`,
      operationId: 'createRemoteCredential',
      summary: 'Create a remote credential',
      params,
      body: 'RemoteCredentialInput',
      success: [201, WRAPPER],
      refusals: [404, 409, 422],
      run(caller, parts, occasion) {
        const { path, body } = check(schemas.createRemote, parts);
        const found = locate(half, caller, path.uid, 'write');
        const { remoteCredentialAuthority: authority, uid } = body;
        refuseMadeElsewhere(found.orgUrl, [{ authority, loc: OF_CREDENTIAL }]);
        const linked = recordsOf(found.orgUrl).linkRemote(found, { authority, uid }, occasion);
        return linkedAnswer(half, 201, found.uid, linked);
      },
    },
    {
      method: 'DELETE',
      url: `/remoteCredentials/delete/:${uidField}`,
      operationId: 'deleteRemoteCredential',
      summary: 'Delete a remote credential',
      params,
      querystring: deletionQuery('remoteCredentialAuthority', 'remoteCredentialUid'),
      success: [204],
      refusals: [404, 422],
      run(caller, parts, occasion) {
        const { path, query } = check(schemas.deleteRemote, parts);
        const found = locate(half, caller, path.uid, 'delete');
        const { remoteCredentialAuthority: authority, remoteCredentialUid: uid } = query;
        recordsOf(found.orgUrl).unlink(found, { authority, uid }, true, occasion);
        return NO_CONTENT;
      },
    },
  ];
}
