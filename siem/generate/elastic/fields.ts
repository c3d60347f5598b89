import { DATASET } from '../../../functions/core/ecs/document.ts';

type FieldType =
  | 'constant_keyword'
  | 'date'
  | 'flattened'
  | 'ip'
  | 'boolean'
  | 'keyword'
  | 'long'
  | 'match_only_text';

/** A field of the index: what it is made of is in functions/core/ecs/document.ts. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  /** Kept, not searched. */
  readonly unindexed?: true;
  /** `constant_keyword` only. */
  readonly value?: string;
}

export const keyword = (name: string, description: string): Field => ({ name, type: 'keyword', description });

/** What Fleet asks of every data stream. */
export const BASE_FIELDS: readonly Field[] = [
  { name: 'data_stream.type', type: 'constant_keyword', description: 'Data stream type.' },
  { name: 'data_stream.dataset', type: 'constant_keyword', description: 'Data stream dataset.' },
  { name: 'data_stream.namespace', type: 'constant_keyword', description: 'Data stream namespace.' },
  { name: 'event.module', type: 'constant_keyword', description: 'Always orglog.', value: 'orglog' },
  { name: 'event.dataset', type: 'constant_keyword', description: `Always ${DATASET}.`, value: DATASET },
  { name: '@timestamp', type: 'date', description: 'When it happened, by the provider’s clock.' },
];

/** Fields of Elastic Common Schema. */
export const ECS_FIELDS: readonly Field[] = [
  keyword('ecs.version', 'Version of Elastic Common Schema.'),
  { name: 'error.message', type: 'match_only_text', description: 'Why the event could not be read.' },
  keyword('event.kind', 'event, or pipeline_error for what could not be read.'),
  keyword('event.category', 'authentication (only for attempts to sign in), session, web, iam or email.'),
  keyword('event.type', 'Kind of event within its category.'),
  keyword('event.action', 'logType and logSubtype, joined by a hyphen.'),
  keyword('event.outcome', 'success, failure or unknown.'),
  keyword('event.id', 'Identity of the event: the same whenever it is delivered again.'),
  keyword('event.provider', 'Service of the provider that wrote the event.'),
  keyword('event.reason', 'Why it ended so, in the event’s own words.'),
  {
    name: 'event.original',
    type: 'keyword',
    description: 'The event as the provider sent it.',
    unindexed: true,
  },
  keyword('source.address', 'Client address as written.'),
  { name: 'source.ip', type: 'ip', description: 'Client address, where it is one.' },
  keyword('user.name', 'Who: uid, else eppn, else user unless that is an address.'),
  keyword('user.id', 'Who, across organizations: eppn, else uid.'),
  keyword('user.email', 'Mail address of the user.'),
  keyword('user.full_name', 'Name of the user: only where identities enrich sign-ins.'),
  keyword('user.domain', 'What follows the @ of eppn.'),
  keyword('organization.name', 'Domain of the organization.'),
  keyword('service.name', 'Service of the provider that wrote the event.'),
  keyword('observer.vendor', 'Always identity provider.'),
  keyword('observer.product', 'Always sign-in log.'),
  keyword('observer.type', 'Always identity-provider.'),
  keyword('related.user', 'All names of the user in the event.'),
  { name: 'related.ip', type: 'ip', description: 'All addresses in the event.' },
  keyword('tags', 'Tags.'),
];

/** What has no place in Elastic Common Schema. */
export const ORGLOG_FIELDS: readonly Field[] = [
  keyword('orglog.org', 'Identifier of the organization in the settings of orglog.'),
  keyword('orglog.org_url', 'URL of the organization at the provider.'),
  keyword('orglog.log_type', 'logType as sent.'),
  keyword('orglog.log_subtype', 'logSubtype as sent.'),
  keyword('orglog.tenant', 'Tenant.'),
  keyword('orglog.correlation_id', 'Joins the events of one sign-in.'),
  keyword(
    'orglog.application',
    'What was signed in to: a SAML entity ID, a CAS service, an OpenID Connect client.',
  ),
  {
    name: 'orglog.sign_in',
    type: 'boolean',
    description: 'Whether the event counts as one attempt to sign in.',
  },
  { name: 'orglog.log_data', type: 'flattened', description: 'logData as sent.' },
  keyword('orglog.identity.id', 'Identifier of the identity: only where identities enrich sign-ins.'),
  { name: 'orglog.identity.created_at', type: 'date', description: 'When that identity was created.' },
  keyword(
    'orglog.identity.last_action',
    'The last that the identity feed told of it, such as identity.removed.',
  ),
];

/** What the agent adds. */
export const AGENT_FIELDS: readonly Field[] = [
  keyword('aws.s3.bucket.name', 'Bucket of the object.'),
  keyword('aws.s3.bucket.arn', 'ARN of that bucket.'),
  keyword('aws.s3.object.key', 'Key of the object.'),
  keyword('cloud.provider', 'Always aws.'),
  keyword('cloud.region', 'Region of the bucket.'),
  keyword('input.type', 'Type of the agent’s input.'),
  keyword('log.file.path', 'URL of the object.'),
  { name: 'log.offset', type: 'long', description: 'Where in the object the line begins.' },
];

/** Of the sign-in log. */
export const EVENT_FIELDS: readonly Field[] = [
  ...BASE_FIELDS,
  ...ECS_FIELDS,
  ...ORGLOG_FIELDS,
  ...AGENT_FIELDS,
];

const LONGEST_INDEXED = 1024;

/** As a package declares them (package-spec, data_stream/fields). */
export function declared(fields: readonly Field[]): unknown[] {
  return fields.map(({ name, type, description, unindexed, value }) => ({
    name,
    type,
    description,
    ...(unindexed && { index: false, doc_values: false }),
    ...(value !== undefined && { value }),
    ...(type === 'ip' && { ignore_malformed: true }),
  }));
}

/** As an index template maps them. What is not listed is kept and not indexed: no event can be refused for it. */
export function mapping(fields: readonly Field[]): unknown {
  const properties: Tree = {};
  for (const field of fields) {
    const path = field.name.split('.');
    const last = path.pop() ?? field.name;
    let at = properties;
    for (const part of path) at = inside(at, part);
    at[last] = mappingOf(field);
  }
  return { dynamic: false, properties };
}

type Tree = Record<string, unknown>;

function inside(tree: Tree, part: string): Tree {
  const object = (tree[part] ?? { properties: {} }) as { properties: Tree };
  tree[part] = object;
  return object.properties;
}

function mappingOf({ type, unindexed, value }: Field): unknown {
  if (unindexed) return { type, index: false, doc_values: false };
  if (type === 'keyword' || type === 'flattened') return { type, ignore_above: LONGEST_INDEXED };
  if (type === 'ip') return { type, ignore_malformed: true };
  return { type, ...(value !== undefined && { value }) };
}

/** As a table for people. */
export function tableOfFields(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, description }) => `| ${name} | ${description} | ${type} |`);
  return ['| Field | Description | Type |', '|---|---|---|', ...rows].join('\n');
}
