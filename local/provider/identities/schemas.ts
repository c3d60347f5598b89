import { z } from 'zod';
import { BODIES } from './checks.ts';
import type { JsonSchema } from './operation.ts';

const TEXT = { type: 'string' } as const;
const MAYBE_TEXT = { type: ['string', 'null'] } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** Shared schemas of the OpenAPI description, after identities-v1.md, "Resources and their fields". */
export function identitySchemas(uidField: string): ({ $id: string } & JsonSchema)[] {
  const base = {
    [uidField]: TEXT,
    mail: MAYBE_TEXT,
    givenName: MAYBE_TEXT,
    sn: MAYBE_TEXT,
    createTime: TIME,
    lastUpdateTime: TIME,
  };
  const required = [uidField, 'createTime', 'lastUpdateTime'];
  const page = (item: string) => ({
    type: 'object',
    additionalProperties: false,
    required: ['items', 'total_items', 'page_cnt', 'page_size', 'page_idx'],
    properties: {
      items: { type: 'array', items: { $ref: `${item}#` } },
      total_items: COUNT,
      page_cnt: COUNT,
      page_size: COUNT,
      page_idx: { type: 'integer', minimum: 1 },
    },
  });
  return [
    {
      $id: 'LinkGroup',
      type: 'object',
      additionalProperties: false,
      properties: { permissions: TEXTS, customerUidKeys: TEXTS, attributeAuthorities: TEXTS },
    },
    {
      $id: 'IdentitiesApiUserPermissionsModel',
      type: 'object',
      additionalProperties: false,
      required: ['username', 'orgDomain'],
      properties: {
        username: TEXT,
        orgDomain: TEXT,
        environments: {
          type: 'object',
          additionalProperties: false,
          properties: { test: { $ref: 'LinkGroup#' }, prod: { $ref: 'LinkGroup#' } },
        },
        obid: TEXTS,
      },
    },
    {
      $id: 'AttributeCollectionOutput',
      type: 'object',
      additionalProperties: false,
      required: [
        'attributeCollectionAuthority',
        'uid',
        'createTime',
        'lastUpdateTime',
        'attributeCollectionAuthorityType',
      ],
      properties: {
        attributeCollectionAuthority: TEXT,
        uid: TEXT,
        attributes: { type: 'object', additionalProperties: TEXTS },
        createTime: TIME,
        lastUpdateTime: TIME,
        credentialLastUsed: MAYBE_TEXT,
        attributeCollectionAuthorityType: {
          type: 'string',
          enum: ['sor', 'obid', 'gateway'],
          readOnly: true,
        },
      },
    },
    {
      $id: 'AttributeCollectionCreateOrModifyOutput',
      type: 'object',
      additionalProperties: false,
      required: [uidField, 'attributeCollection'],
      properties: { [uidField]: TEXT, attributeCollection: { $ref: 'AttributeCollectionOutput#' } },
    },
    {
      $id: 'IdentityModelBase',
      type: 'object',
      additionalProperties: false,
      required,
      properties: base,
    },
    {
      $id: 'IdentityModel',
      type: 'object',
      additionalProperties: false,
      required,
      properties: {
        ...base,
        attributeCollections: { type: ['array', 'null'], items: { $ref: 'AttributeCollectionOutput#' } },
      },
    },
    { $id: 'IdentityBasePage', ...page('IdentityModelBase') },
    { $id: 'IdentityPage', ...page('IdentityModel') },
    { $id: 'IdentityIdentifiers', ...TEXTS },
    ...Object.entries(BODIES).map(([name, schema]) => {
      const { $schema: _draft, ...described } = z.toJSONSchema(schema, { io: 'input' });
      return { $id: name, ...described };
    }),
  ];
}

const ENVIRONMENT = { type: 'string', enum: ['test', 'prod'] } as const;
const FILLED = { type: 'string', minLength: 1 } as const;

export function environmentParams(...others: readonly string[]): JsonSchema {
  const texts = Object.fromEntries(others.map((name) => [name, FILLED]));
  return {
    type: 'object',
    required: ['environment', ...others],
    properties: { environment: ENVIRONMENT, ...texts },
  };
}

export function identityParams(uidField: string): JsonSchema {
  return { type: 'object', required: [uidField], properties: { [uidField]: FILLED } };
}

export function deletionQuery(authority: string, uid: string): JsonSchema {
  return { type: 'object', required: [authority, uid], properties: { [authority]: FILLED, [uid]: FILLED } };
}

export const OVERWRITE_QUERY: JsonSchema = {
  type: 'object',
  properties: { overwrite: { type: 'boolean', default: false } },
};

export function pagingQuery(uidField: string, list: 'list' | 'byAttributeCollection'): JsonSchema {
  const sortKeys = [uidField, 'sn', 'givenName', 'mail', 'createTime', 'lastUpdateTime'];
  const plain = list === 'list';
  return {
    type: 'object',
    ...(!plain && { required: ['attributeAuthority'] }),
    properties: {
      ...(!plain && { attributeAuthority: FILLED, attributeAuthorityUid: FILLED }),
      page_idx: { type: 'integer', minimum: 1, default: 1 },
      page_size: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      sort_key: { type: 'string', enum: plain ? sortKeys : ['id', ...sortKeys], default: 'createTime' },
      sort_order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      ...(plain && { search_term: TEXT }),
    },
  };
}
