import * as z from 'zod/mini';
import type { LinkedCollection } from '../../core/identities/identities-api.ts';
import type {
  Identity,
  IdentityEnvironment,
  IdentityPage,
  IdentityPermissions,
  LinkGroup,
} from '../../core/identities/identity.ts';

/** A success whose body is no JSON: a proxy answered, or the body was cut. */
export class NotJson extends Error {}

/**
 * A success whose body is not what the document says. The message names the place and never a value; but the place may
 * be an echo of what was sent, and as long as the answer pleases.
 */
export class Misfit extends Error {}

// Unknown members are kept, so that what the provider adds reaches the archive. Behind z.lazy: built at the first answer.
const Collection = z.lazy(() =>
  z.looseObject({
    attributeCollectionAuthority: z.string(),
    uid: z.string(),
    attributes: z.nullish(z.record(z.string(), z.array(z.string()))),
    createTime: z.string(),
    lastUpdateTime: z.string(),
    credentialLastUsed: z.nullish(z.string()),
    attributeCollectionAuthorityType: z.string(),
  }),
);

const IdentityRecord = z.lazy(() =>
  z.looseObject({
    serviceUid: z.string().check(z.minLength(1)),
    mail: z.nullish(z.string()),
    givenName: z.nullish(z.string()),
    sn: z.nullish(z.string()),
    createTime: z.string(),
    lastUpdateTime: z.string(),
    attributeCollections: z.nullish(z.array(Collection)),
  }),
);

const count = () => z.int().check(z.minimum(0));

const Page = z.lazy(() =>
  z.looseObject({
    items: z.array(IdentityRecord),
    total_items: count(),
    page_cnt: count(),
    page_size: count(),
    page_idx: z.int().check(z.minimum(1)),
  }),
);

const Linked = z.lazy(() =>
  z.looseObject({ serviceUid: z.string().check(z.minLength(1)), attributeCollection: Collection }),
);

const Uids = z.lazy(() => z.array(z.string()));

const Group = z.lazy(() =>
  z.looseObject({
    permissions: z.nullish(z.array(z.string())),
    customerUidKeys: z.nullish(z.array(z.string())),
    attributeAuthorities: z.nullish(z.array(z.string())),
  }),
);

const Permissions = z.lazy(() =>
  z.looseObject({
    username: z.string(),
    orgDomain: z.string(),
    environments: z.nullish(z.looseObject({ test: z.nullish(Group), prod: z.nullish(Group) })),
    obid: z.nullish(z.array(z.string())),
  }),
);

/** Reads answers of a deployment that calls the identifier's field `uidField`. All throw NotJson or Misfit. */
export function answerReader(uidField: string) {
  const rename = (value: unknown) => renamed(value, uidField);
  return {
    permissions: (body: Buffer): IdentityPermissions => {
      const { environments, obid, ...rest } = fitting(Permissions, parse(body), uidField);
      const groups: Partial<Record<IdentityEnvironment, LinkGroup>> = {};
      for (const environment of ['test', 'prod'] as const) {
        const group = environments?.[environment];
        if (group) groups[environment] = asLinkGroup(group);
      }
      return { ...rest, environments: groups, obid: obid ?? [] };
    },
    page: (body: Buffer): IdentityPage => {
      const json = parse(body);
      const page = fitting(
        Page,
        isRecord(json) && Array.isArray(json.items) ? { ...json, items: json.items.map(rename) } : json,
        uidField,
      );
      return {
        items: page.items,
        totalItems: page.total_items,
        pageCount: page.page_cnt,
        pageSize: page.page_size,
        pageIndex: page.page_idx,
      };
    },
    identity: (body: Buffer): Identity => fitting(IdentityRecord, rename(parse(body)), uidField),
    linked: (body: Buffer): LinkedCollection => fitting(Linked, rename(parse(body)), uidField),
    uids: (body: Buffer): readonly string[] => fitting(Uids, parse(body), uidField),
    /** Of a 204, and of any other success where nothing is expected. */
    nothing: (): void => undefined,
  };
}

function asLinkGroup(group: z.infer<typeof Group>): LinkGroup {
  return {
    ...group,
    permissions: group.permissions ?? [],
    customerUidKeys: group.customerUidKeys ?? [],
    attributeAuthorities: group.attributeAuthorities ?? [],
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new NotJson();
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The deployment's identifier under the document's name. A member that merely has that name gives way. */
function renamed(value: unknown, uidField: string): unknown {
  if (uidField === 'serviceUid' || !isRecord(value)) return value;
  const { serviceUid: _, [uidField]: uid, ...rest } = value;
  return { serviceUid: uid, ...rest };
}

function fitting<Schema extends z.ZodMiniType>(
  schema: Schema,
  json: unknown,
  uidField: string,
): z.infer<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue, ...more] = result.error.issues;
  const path = (issue?.path ?? []).map((part) => (part === 'serviceUid' ? uidField : String(part))).join('.');
  const expected = issue?.code === 'invalid_type' ? `is no ${issue.expected}` : 'is out of bounds';
  const others = more.length === 0 ? '' : `, and ${more.length} more like it`;
  throw new Misfit(`${path === '' ? 'the body' : path} ${expected}${others}`);
}
