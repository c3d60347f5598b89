import { expect, it } from 'vitest';
import { ask, description, startIdentities } from './support.ts';

const PREFIX = '/identities/v1';

it('describes the 13 operations, each with its parameters and every documented answer', async () => {
  await using provider = await startIdentities();
  const { document } = await description(provider);
  const operations = Object.entries<Record<string, { responses: object; parameters?: { name: string }[] }>>(
    document.paths,
  )
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses, parameters = [] }]) => [
        `${method} ${path.slice(PREFIX.length)}`,
        parameters.map(({ name }) => name).join(' '),
        Object.keys(responses).join(' '),
      ]),
    );
  const paging = 'page_idx page_size sort_key sort_order';
  expect(operations.sort()).toEqual(
    [
      ['get /permissions', '', '200 401 500'],
      ['get /list/{environment}', `${paging} search_term environment`, '200 401 422 500'],
      [
        'get /list/byAttributeCollection/{environment}',
        `attributeAuthority attributeAuthorityUid ${paging} environment`,
        '200 401 422 500',
      ],
      ['get /search/{environment}/{searchTerm}', 'environment searchTerm', '200 401 422 500'],
      ['get /fetch/{serviceUid}', 'serviceUid', '200 401 404 422 500'],
      ['post /create/{environment}', 'environment', '201 401 409 422 500'],
      ['patch /modify/{serviceUid}', 'serviceUid', '200 401 404 409 422 500'],
      ['post /obids/create/{serviceUid}', 'serviceUid', '201 401 404 409 422 500'],
      ['post /attributeCollections/create/{serviceUid}', 'serviceUid', '201 401 404 409 422 500'],
      ['put /attributeCollections/modify/{serviceUid}', 'overwrite serviceUid', '200 401 404 422 500'],
      [
        'delete /attributeCollections/delete/{serviceUid}',
        'attributeAuthority attributeAuthorityUid serviceUid',
        '204 401 404 422 500',
      ],
      ['post /remoteCredentials/create/{serviceUid}', 'serviceUid', '201 401 404 409 422 500'],
      [
        'delete /remoteCredentials/delete/{serviceUid}',
        'remoteCredentialAuthority remoteCredentialUid serviceUid',
        '204 401 404 422 500',
      ],
    ].sort(),
  );
});

it('describes parameters and members under the name of the deployment', async () => {
  await using provider = await startIdentities([], { uidField: 'brandUid' });
  const { document } = await description(provider);
  expect(Object.keys(document.paths)).toContain(`${PREFIX}/fetch/{brandUid}`);
  expect(document.components.schemas.IdentityModel.required).toContain('brandUid');
  expect(JSON.stringify(document)).not.toContain('serviceUid');
});

it('lets scripted faults befall the identity half too', async () => {
  await using provider = await startIdentities();
  const on = ({ path }: { path: string }) => path.startsWith(PREFIX);
  const body = JSON.stringify({ detail: 'Database error: scripted' });
  provider.faults.add({ kind: 'status', status: 500, body }, { on });
  expect((await ask(provider, 'GET', '/permissions')).status).toBe(500);
  provider.faults.add({ kind: 'reset' }, { on });
  await expect(ask(provider, 'GET', '/permissions')).rejects.toThrow();
  expect(provider.requests.map(({ fault }) => fault)).toEqual(['status', 'reset']);
});
