import { z } from 'zod';
import { Refusal, type ValidationError } from '../answer.ts';

const ENVIRONMENT = z.enum(['test', 'prod']);
const filled = () => z.string().min(1);

/** A whole number as a query spells it. */
const whole = (low: number, high: number | undefined, standard: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be an integer')
    .transform(Number)
    .pipe(
      z
        .int()
        .min(low)
        .max(high ?? Number.MAX_SAFE_INTEGER),
    )
    .prefault(String(standard));

const collectionInput = z.object({
  attributeCollectionAuthority: filled(),
  uid: filled(),
  attributes: z.record(z.string(), z.array(z.string())).optional(),
});
const remoteCredentialInput = z.object({ remoteCredentialAuthority: filled(), uid: filled() });

/** The bodies, each with the name of its schema in the description (identities-v1.md). */
export const BODIES = {
  IdentityCreateInput: z.object({
    mail: z.email(),
    givenName: filled(),
    sn: filled(),
    customerUidGen: z
      .string()
      .regex(/^[^:]+:.+$/, 'must be <tenantShortName>:<attributeCollectionAuthority>')
      .nullish(),
    obid: z.boolean().default(false),
    quiet: z.boolean().default(false),
    allowDuplicateEmail: z.boolean().default(false),
    attributeCollections: z.array(collectionInput).nullish(),
    remoteCredentials: z.array(remoteCredentialInput).nullish(),
  }),
  IdentityModifyInput: z.object({
    mail: z.email().nullish(),
    givenName: filled().nullish(),
    sn: filled().nullish(),
    allowDuplicateEmail: z.boolean().default(false),
  }),
  AttributeCollectionInput: collectionInput,
  RemoteCredentialInput: remoteCredentialInput,
  OrgBrandedIdAccountCreateInput: z.object({
    givenName: filled().nullish(),
    surname: filled(),
    email: z.email(),
    quiet: z.boolean().default(false),
  }),
};

export type CollectionInput = z.output<typeof collectionInput>;
export type CreateInput = z.output<(typeof BODIES)['IdentityCreateInput']>;
export type ModifyInput = z.output<(typeof BODIES)['IdentityModifyInput']>;
export type AccountInput = z.output<(typeof BODIES)['OrgBrandedIdAccountCreateInput']>;

const paging = {
  page_idx: whole(1, undefined, 1),
  page_size: whole(1, 50, 10),
  sort_order: z.enum(['asc', 'desc']).default('asc'),
};

/** The parts of each kind of request, under the names that a 422's `loc` begins with. */
export function requestSchemas(uidField: string) {
  const sortKeys = [uidField, 'sn', 'givenName', 'mail', 'createTime', 'lastUpdateTime'] as const;
  const ofEnvironment = z.object({ environment: ENVIRONMENT });
  const ofIdentity = z.object({ [uidField]: filled() }).transform((path) => ({ uid: path[uidField] ?? '' }));
  const withBody = <Body extends z.ZodType>(body: Body) => z.object({ path: ofIdentity, body });
  return {
    list: z.object({
      path: ofEnvironment,
      query: z.object({
        ...paging,
        sort_key: z.enum(sortKeys).default('createTime'),
        search_term: z.string().optional(),
      }),
    }),
    listByCollection: z.object({
      path: ofEnvironment,
      query: z.object({
        attributeAuthority: filled(),
        attributeAuthorityUid: filled().optional(),
        ...paging,
        sort_key: z.enum(['id', ...sortKeys]).default('createTime'),
      }),
    }),
    search: z.object({ path: z.object({ environment: ENVIRONMENT, searchTerm: filled() }) }),
    fetch: z.object({ path: ofIdentity }),
    create: z.object({ path: ofEnvironment, body: BODIES.IdentityCreateInput }),
    modify: withBody(BODIES.IdentityModifyInput),
    createCollection: withBody(BODIES.AttributeCollectionInput),
    modifyCollection: z.object({
      path: ofIdentity,
      query: z.object({
        overwrite: z
          .enum(['true', 'false'])
          .default('false')
          .transform((text) => text === 'true'),
      }),
      body: BODIES.AttributeCollectionInput,
    }),
    deleteCollection: z.object({
      path: ofIdentity,
      query: z.object({ attributeAuthority: filled(), attributeAuthorityUid: filled() }),
    }),
    createRemote: withBody(BODIES.RemoteCredentialInput),
    deleteRemote: z.object({
      path: ofIdentity,
      query: z.object({ remoteCredentialAuthority: filled(), remoteCredentialUid: filled() }),
    }),
    createHosted: withBody(BODIES.OrgBrandedIdAccountCreateInput),
  };
}

/** What came with a request: its body as bytes that nobody has looked at. */
export interface RequestParts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly contentType: string | undefined;
}

/** Check all parts of a request. Throws the 422 that lists every fault. */
export function check<Schema extends z.ZodType>(schema: Schema, parts: RequestParts): z.output<Schema> {
  const { body, fault } = readBody(parts);
  const given = { path: parts.path, query: parts.query, body };
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  // Of a body that is no JSON object at all, what it lacks says nothing.
  const issues = result.error.issues.filter(({ path }) => fault === undefined || path[0] !== 'body');
  const ofBody = fault !== undefined && issues.length < result.error.issues.length ? [fault] : [];
  throw new Refusal(422, [...issues.map((issue) => toValidationError(issue, given)), ...ofBody]);
}

function readBody({ body, contentType }: RequestParts): { body?: unknown; fault?: ValidationError } {
  const loc = ['body'];
  if (!(body instanceof Uint8Array) || body.length === 0) {
    return { fault: { loc, msg: 'Field required', type: 'missing', input: null } };
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    return {
      fault: { loc, msg: 'must be application/json', type: 'invalid_type', input: contentType ?? null },
    };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { body: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      fault: { loc, msg: 'JSON decode error', type: 'json_invalid', input: {}, ctx: { error: reason } },
    };
  }
}

function toValidationError(issue: z.core.$ZodIssue, given: unknown): ValidationError {
  const { code, path, message, input: _input, ...ctx } = issue;
  const loc = path.map((part) => (typeof part === 'number' ? part : String(part)));
  let input: unknown = given;
  for (const part of loc) {
    const inside = typeof input === 'object' && input !== null && Object.hasOwn(input, part);
    if (!inside) return { loc, msg: 'Field required', type: 'missing', input };
    input = (input as Record<string | number, unknown>)[part];
  }
  return { loc, msg: message, type: code, input, ctx };
}
