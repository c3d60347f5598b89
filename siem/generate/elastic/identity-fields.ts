import { IDENTITY_DATASET } from '../../../functions/core/ecs/identity-document.ts';
import { AGENT_FIELDS, BASE_FIELDS, type Field, keyword } from './fields.ts';

/** What Fleet asks of every data stream. */
export const IDENTITY_BASE_FIELDS: readonly Field[] = BASE_FIELDS.map((field) => {
  if (field.name === 'event.dataset')
    return { ...field, description: `Always ${IDENTITY_DATASET}.`, value: IDENTITY_DATASET };
  if (field.name === '@timestamp')
    return {
      ...field,
      description:
        'When the provider says that it happened; of a snapshot, a removal and an unlinking, when the walk began.',
    };
  return field;
});

/** Fields of Elastic Common Schema. */
export const IDENTITY_ECS_FIELDS: readonly Field[] = [
  keyword('ecs.version', 'Version of Elastic Common Schema.'),
  { name: 'error.message', type: 'match_only_text', description: 'Why the line could not be read.' },
  keyword(
    'event.kind',
    'event; asset for an identity announced whole; pipeline_error for what could not be read.',
  ),
  keyword('event.category', 'iam.'),
  keyword('event.type', 'user, and creation, change, deletion or info.'),
  keyword('event.action', 'What the feed calls it, such as identity.created or collection.linked.'),
  keyword('event.outcome', 'success; absent for an identity announced whole.'),
  keyword('event.id', 'Identity of the line: the same whenever it is delivered again.'),
  {
    name: 'event.created',
    type: 'date',
    description:
      'When the walk began that shows it: of two documents of one identity, the later one is newer.',
  },
  { name: 'event.ingested', type: 'date', description: 'When it arrived in Elasticsearch.' },
  { name: 'event.original', type: 'keyword', description: 'The line of the feed.', unindexed: true },
  keyword('user.id', 'Identifier of the identity at the provider.'),
  keyword('user.name', 'Mail address of the identity, else its identifier.'),
  keyword('user.email', 'Mail address of the identity, as it is now.'),
  keyword('user.full_name', 'Given name and surname, as they are now.'),
  keyword('user.changes.email', 'The new mail address, where it changed.'),
  keyword('user.changes.full_name', 'The new name, where it changed.'),
  keyword('organization.name', 'Identifier of the organization in the settings of orglog.'),
  keyword('observer.vendor', 'Always identity provider.'),
  keyword('observer.product', 'Always identity records.'),
  keyword('observer.type', 'Always identity-provider.'),
  keyword(
    'related.user',
    'All identifiers in the line: the identity’s, mail addresses old and new, uids of collections.',
  ),
  keyword('tags', 'Tags.'),
];

/** What has no place in Elastic Common Schema. */
export const IDENTITY_ORGLOG_FIELDS: readonly Field[] = [
  keyword('orglog.org', 'Identifier of the organization in the settings of orglog.'),
  keyword('orglog.environment', 'prod or test.'),
  { name: 'orglog.walk', type: 'long', description: 'The walk whose snapshot shows it, counted from 1.' },
  { name: 'orglog.created_at', type: 'date', description: 'When the identity was created.' },
  { name: 'orglog.updated_at', type: 'date', description: 'When the identity was last updated.' },
  keyword('orglog.authority', 'Authority of the attribute collection.'),
  keyword('orglog.authority_type', 'sor, obid or gateway.'),
  {
    name: 'orglog.collection',
    type: 'flattened',
    description: 'The attribute collection; of an identity announced whole, all of them.',
  },
  {
    name: 'orglog.changes',
    type: 'flattened',
    description: 'What changed, by field: orglog.changes.mail.from, orglog.changes.mail.to.',
  },
];

/** Of the identity feed. */
export const IDENTITY_FIELDS: readonly Field[] = [
  ...IDENTITY_BASE_FIELDS,
  ...IDENTITY_ECS_FIELDS,
  ...IDENTITY_ORGLOG_FIELDS,
  ...AGENT_FIELDS,
];
