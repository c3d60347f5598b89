import { describe, expect, it } from 'vitest';
import { ecsIdentityDocument } from '../../functions/core/ecs-identity.ts';
import { LISTED_FEED_ACTIONS } from '../../functions/core/vocabulary/feed-actions.ts';
import { identitySamples } from '../../siem/generate/elastic/identity-samples.ts';
import { IDENTITY_SOURCE_TYPE, readConf, SOURCE_TYPE } from './splunk/add-on.ts';
import { settingOf, settingsNamed, stanzaOf } from './splunk/conf.ts';
import { parseLookup, searchTime } from './splunk/search-time.ts';

const search = searchTime(IDENTITY_SOURCE_TYPE);
const props = readConf('props.conf');

const LINE = {
  action: 'identity.modified',
  timeStampISO: '2026-01-02T03:04:05.678Z',
  org: 'institution',
  environment: 'prod',
  walk: 2,
  walkStartedAt: '2026-01-02T08:00:00.000Z',
  serviceUid: 'f2b7',
  identity: { serviceUid: 'f2b7', mail: 'rosa.costa@institution.edu', givenName: 'Rosa', sn: 'Costa' },
};
const fieldsOf = (line: object) => search(JSON.stringify(line)).fields;

describe('every action of the identity feed', () => {
  it.each(LISTED_FEED_ACTIONS)('%s is in its data model, and in no other', (action, { cim, title }) => {
    const { fields, tags, eventtypes } = search(JSON.stringify({ ...LINE, action }));
    expect(tags).toStrictEqual([...(cim?.tags ?? [])]);
    expect(eventtypes).toContain('orglog_identity');
    expect(eventtypes).not.toContain('orglog_event');
    expect(fields).toMatchObject({
      action: cim && 'action' in cim ? cim.action : null,
      object_category: cim && 'action' in cim ? 'user' : null,
      change_type: cim && 'action' in cim ? 'AAA' : null,
      status: cim && 'action' in cim ? 'success' : null,
      feed_action: action,
      signature: title,
      signature_id: action,
    });
  });

  it('that is not listed is in none', () => {
    const { tags, eventtypes } = search(JSON.stringify({ ...LINE, action: 'identity.frozen' }));
    expect(tags).toStrictEqual([]);
    expect(eventtypes).toStrictEqual(['orglog_identity']);
  });
});

describe('the fields of a line', () => {
  it('are what the data model Change asks for, but for who did it', () => {
    const changes = [{ field: 'mail', from: 'a@x', to: 'b@x' }, { field: 'sn' }];
    expect(fieldsOf({ ...LINE, changes })).toMatchObject({
      command: 'identity.modified',
      dest: 'institution/prod',
      dvc: 'institution/prod',
      object: 'rosa.costa@institution.edu',
      object_attrs: ['mail', 'sn'],
      object_id: 'f2b7',
      user: 'rosa.costa@institution.edu',
      user_id: 'f2b7',
      vendor_account: 'institution',
      vendor_product: 'orglog',
    });
    expect(fieldsOf(LINE)).not.toHaveProperty('src_user');
  });

  it.each([
    [
      { mail: null, givenName: null, sn: null },
      { user: 'f2b7', email: null, realname: null },
    ],
    [{ sn: 'Costa' }, { user: 'f2b7', realname: 'Costa' }],
    [{ givenName: 'Rosa', sn: '' }, { realname: 'Rosa' }],
  ])('name the user by what there is: %j', (identity, fields) => {
    expect(fieldsOf({ ...LINE, identity })).toMatchObject(fields);
  });

  it('find the principal name in one collection, and in all of a snapshot', () => {
    const attributes = { 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': ['rcosta@institution.edu'] };
    expect(fieldsOf({ ...LINE, collection: { attributes } }).eppn).toBe('rcosta@institution.edu');
    const identity = { ...LINE.identity, attributeCollections: [{ attributes }, { attributes: {} }] };
    expect(fieldsOf({ ...LINE, identity }).eppn).toBe('rcosta@institution.edu');
    expect(fieldsOf(LINE).eppn).toBeNull();
  });

  it.each(['2026-01-02T08:00:00.000Z', '2026-01-02T08:00:00+00:00', '2026-01-02T09:00:00.1234+0100'])(
    'say when the walk began: %s',
    (walkStartedAt) => {
      expect(fieldsOf({ ...LINE, walkStartedAt }).walk_started).toBe(Date.UTC(2026, 0, 2, 8) / 1000);
    },
  );

  it('are those of push delivery to Elastic, line for line', () => {
    const objects = identitySamples().filter(({ line }) => line.startsWith('{') && line.endsWith('}'));
    expect(objects.length).toBeGreaterThan(10);
    for (const { line } of objects) {
      const { fields } = search(line);
      const { user, event, orglog } = ecsIdentityDocument(line, { org: 'x', eventId: 'x', collectedAt: 0 });
      expect({
        id: fields.user_id,
        name: fields.user,
        email: fields.email ?? undefined,
        full_name: fields.realname ?? undefined,
        action: fields.feed_action,
        place: fields.dest,
      }).toStrictEqual({
        id: user?.id,
        name: user?.name,
        email: user?.email,
        full_name: user?.full_name,
        action: event.action,
        place: `institution/${orglog.environment}`,
      });
    }
  });
});

describe('a queue that announces both streams', () => {
  const transforms = readConf('transforms.conf');

  it('gives each object its source type, by its key', () => {
    expect(settingsNamed(props, SOURCE_TYPE, 'TRANSFORMS-').map(([, name]) => name)).toContain(
      'orglog_identity_sourcetype',
    );
    const setting = (name: string) => settingOf(transforms, 'orglog_identity_sourcetype', name);
    expect(setting('SOURCE_KEY')).toBe('MetaData:Source');
    expect(setting('DEST_KEY')).toBe('MetaData:Sourcetype');
    expect(setting('FORMAT')).toBe(`sourcetype::${IDENTITY_SOURCE_TYPE}`);
    const isIdentity = (key: string) =>
      new RegExp(setting('REGEX')).test(`source::s3://orglog-archive-1-us-east-1/${key}`);
    expect(isIdentity('identities/org=institution/env=prod/dt=2026-01-02/m4-000000000001.ndjson.gz')).toBe(
      true,
    );
    expect(isIdentity('logs/org=institution/dt=2026-01-02/k3-000000000001.ndjson.gz')).toBe(false);
    expect(isIdentity('logs/identities/x')).toBe(false);
  });

  it('reads both alike while it does not know yet', () => {
    const indexTime = (sourceType: string) =>
      [...stanzaOf(props, sourceType)].filter(([name]) => /^(?:[A-Z_]+|TRANSFORMS-orglog_time)$/.test(name));
    expect(indexTime(IDENTITY_SOURCE_TYPE)).toStrictEqual(indexTime(SOURCE_TYPE));
  });
});

describe('the lookup of identities', () => {
  /** Enterprise Security, "Format an asset or identity list as a lookup": the identity lookup's header. */
  const HEADER =
    'identity,prefix,nick,first,last,suffix,email,phone,managedBy,priority,bunit,category,watchlist,startDate,endDate,work_city,work_country,work_lat,work_long'.split(
      ',',
    );
  const collection = [...stanzaOf(readConf('collections.conf'), 'orglog_identities').keys()].map((name) =>
    name.replace(/^field\./, ''),
  );
  const rows = settingOf(readConf('macros.conf'), 'orglog_identity_rows', 'definition');

  it('has the fields that Enterprise Security expects, in its collection and its definition', () => {
    expect(collection.slice(0, HEADER.length)).toStrictEqual(HEADER);
    const definition = stanzaOf(readConf('transforms.conf'), 'orglog_identities');
    expect(definition.get('collection')).toBe('orglog_identities');
    expect(definition.get('fields_list')?.split(', ')).toStrictEqual(['_key', ...collection]);
  });

  it('is given each of them', () => {
    const [, table = ''] = /\| table ([\w ]+?) *\\?\n/.exec(rows) ?? [];
    expect(table.split(' ')).toStrictEqual(['row', ...collection]);
    expect(rows).toMatch(/\| outputlookup append=true key_field=row orglog_identities$/);
    const made = new Set(
      [...rows.matchAll(/(\w+)=(?!")|(\w+)=""| AS (\w+)|\bby ([\w ]+)/g)].flatMap(([, a, b, c, d]) =>
        [a, b, c, ...(d?.split(' ') ?? [])].filter((name) => name !== undefined),
      ),
    );
    for (const name of collection) expect(made, name).toContain(name);
  });

  it('keeps a row that is newer than what is indexed again: a replay brings back nobody', () => {
    expect(collection).toContain('seen');
    const [, known] = /lookup orglog_identities _key AS row OUTPUT .*?\bseen AS (\w+)/.exec(rows) ?? [];
    expect(rows).toContain(`| where isnull(${known}) OR seen>=tonumber(${known})`);
  });

  it('is made of fields that events have', () => {
    const known = new Set([
      'serviceUid',
      'org',
      'environment',
      ...settingsNamed(props, IDENTITY_SOURCE_TYPE, 'EVAL-').map(([name]) => name),
      ...settingsNamed(props, IDENTITY_SOURCE_TYPE, 'FIELDALIAS-').map(([, value]) =>
        value.split(' ').at(-1),
      ),
      ...settingsNamed(props, IDENTITY_SOURCE_TYPE, 'LOOKUP-').flatMap(
        ([, value]) => parseLookup(value).outputs,
      ),
    ]);
    for (const name of ['walk_started', 'feed_action', 'email', 'eppn', 'serviceUid', 'org', 'environment']) {
      expect(rows).toMatch(new RegExp(`\\b${name}\\b`));
      expect(known).toContain(name);
    }
    const quoted = [...rows.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name);
    expect(new Set(quoted)).toStrictEqual(
      new Set(['identity.givenName', 'identity.sn', 'identity.createTime']),
    );
  });

  it('is filled by a search each hour, and anew by one that is run by hand', () => {
    const saved = readConf('savedsearches.conf');
    const [update = '', rebuild = ''] = [...saved.keys()];
    expect(settingOf(saved, update, 'search')).toBe(
      '`orglog_identity_events` _index_earliest=-3h | `orglog_identity_rows`',
    );
    expect(settingOf(saved, update, 'cron_schedule')).toMatch(/^\d+ \* \* \* \*$/);
    expect(settingOf(saved, update, 'enableSched')).toBe('1');
    expect(settingOf(saved, rebuild, 'search')).toBe('`orglog_identity_events` | `orglog_identity_rows`');
    expect(settingOf(saved, rebuild, 'enableSched')).toBe('0');
    expect(settingOf(readConf('macros.conf'), 'orglog_identity_events', 'definition')).toContain(
      `sourcetype="${IDENTITY_SOURCE_TYPE}"`,
    );
  });
});
