import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LISTED_FEED_ACTIONS } from '../../functions/core/vocabulary/feed-actions.ts';
import { LISTED_PAIRS } from '../../functions/core/vocabulary.ts';
import {
  ADD_ON,
  IDENTITY_SOURCE_TYPE,
  readAddOn,
  readConf,
  readLookup,
  SOURCE_TYPE,
} from './splunk/add-on.ts';
import { parseConf, settingOf, settingsNamed, stanzaOf } from './splunk/conf.ts';
import { type Expression, parseExpression, parts } from './splunk/expression.ts';
import { parseLookup, parseSearch } from './splunk/search-time.ts';

const FILES = readdirSync(join(ADD_ON, 'default')).filter((name) => name.endsWith('.conf'));
const props = readConf('props.conf');
const transforms = readConf('transforms.conf');
const eventtypes = readConf('eventtypes.conf');
const tags = readConf('tags.conf');

/** What each source type is looked up by. */
const STANZAS = [
  {
    sourceType: SOURCE_TYPE,
    keys: LISTED_PAIRS.map(({ logType, logSubtype }) => `${logType}/${logSubtype}`),
    vocabulary: 'orglog_vocabulary.csv',
  },
  {
    sourceType: IDENTITY_SOURCE_TYPE,
    keys: LISTED_FEED_ACTIONS.map(([action]) => action as string),
    vocabulary: 'orglog_feed.csv',
  },
];

function lookupsOf(sourceType: string) {
  return settingsNamed(props, sourceType, 'LOOKUP-').map(([, value]) => parseLookup(value));
}

describe('the settings files', () => {
  it.each([
    ['outside any stanza', 'a = b\n'],
    ['two stanzas', '[a]\n[a]\n'],
    ['set twice', '[a]\nb = 1\nb = 2\n'],
    ['not a setting', '[a]\nb\n'],
    ['after the backslash', '[a]\nb = 1 \\ \n2\n'],
    ['continued line', '[a]\nb = 1 \\\n'],
    ['lines end in LF', '[a]\r\n'],
  ])('are read strictly: %s', (message, text) => {
    expect(() => parseConf(text)).toThrow(message);
  });

  it('are these, and each can be read', () => {
    expect(FILES.sort()).toStrictEqual([
      'app.conf',
      'collections.conf',
      'eventtypes.conf',
      'fields.conf',
      'macros.conf',
      'props.conf',
      'savedsearches.conf',
      'tags.conf',
      'transforms.conf',
    ]);
    for (const name of FILES) expect(readConf(name).size, name).toBeGreaterThan(0);
  });

  it('share every kind of object with other apps: data models look from theirs', () => {
    const meta = parseConf(readAddOn('metadata/default.meta'));
    for (const kind of [
      'props',
      'transforms',
      'lookups',
      'eventtypes',
      'tags',
      'fields',
      'macros',
      'collections',
    ])
      expect(settingOf(meta, kind, 'export')).toBe('system');
  });

  it('carry the version of the project', () => {
    const { version } = JSON.parse(readFileSync(join(ADD_ON, '../../../package.json'), 'utf8'));
    const app = readConf('app.conf');
    expect(settingOf(app, 'launcher', 'version')).toBe(version);
    expect(settingOf(app, 'id', 'version')).toBe(version);
    expect(settingOf(app, 'package', 'id')).toBe('TA-orglog');
    expect(settingOf(app, 'id', 'name')).toBe('TA-orglog');
    const manifest = JSON.parse(readAddOn('app.manifest'));
    expect(manifest.info.id).toMatchObject({ name: 'TA-orglog', version });
  });
});

it('the transforms are those that are used', () => {
  const used = STANZAS.flatMap(({ sourceType }) => [
    ...settingsNamed(props, sourceType, 'TRANSFORMS-').map(([, name]) => name),
    ...lookupsOf(sourceType).map(({ transform }) => transform),
  ]);
  for (const name of used) stanzaOf(transforms, name);
  // The one that savedsearches.conf fills.
  expect([...transforms.keys()].sort()).toStrictEqual([...new Set([...used, 'orglog_identities'])].sort());
  expect(readdirSync(join(ADD_ON, 'lookups')).sort()).toStrictEqual(
    STANZAS.map(({ vocabulary }) => vocabulary).sort(),
  );
});

describe.each(STANZAS)('the source type $sourceType', ({ sourceType, keys: listed }) => {
  const lookups = lookupsOf(sourceType);
  const looked = lookups.flatMap(({ outputs }) => outputs);
  const calculated = settingsNamed(props, sourceType, 'EVAL-');

  it.each([
    ['TRUNCATE', '0'],
    ['SHOULD_LINEMERGE', 'false'],
    ['LINE_BREAKER', '([\\r\\n]+)'],
    ['KV_MODE', 'json'],
    ['CHARSET', 'UTF-8'],
    ['MAX_DAYS_AGO', '10951'],
  ])('sets %s to %s', (name, value) => {
    expect(settingOf(props, sourceType, name)).toBe(value);
  });

  it('extracts no field twice: the JSON is read when it is searched, not when it is indexed', () => {
    expect(stanzaOf(props, sourceType).has('INDEXED_EXTRACTIONS')).toBe(false);
  });

  it('looks up columns that the files have, by every column that tells rows apart', () => {
    for (const { transform, inputs, outputs } of lookups) {
      const { columns, rows } = readLookup(settingOf(transforms, transform, 'filename'));
      expect(columns).toStrictEqual(expect.arrayContaining([...inputs, ...outputs]));
      expect(settingOf(transforms, transform, 'case_sensitive_match')).toBe('true');
      const keys = rows.map((row) => inputs.map((name) => row[name]).join('/'));
      expect(new Set(keys).size).toBe(rows.length);
      expect(keys).toStrictEqual(listed);
    }
  });

  it('gives each field one source', () => {
    const aliased = settingsNamed(props, sourceType, 'FIELDALIAS-').map(([, value]) =>
      value.split(' ').at(-1),
    );
    const names = [...calculated.map(([name]) => name), ...aliased, ...looked];
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(calculated)(
    'calculates %s, which can be read, and uses only what the event says',
    (_name, source) => {
      const made = new Set([...calculated.map(([name]) => name), ...looked]);
      for (const part of parts(parseExpression(source)))
        if (part.kind === 'field') expect(made.has(part.name), part.name).toBe(false);
    },
  );
});

describe('calculated fields', () => {
  it.each(['if(a, b', '"open', 'a b', 'f(,)', "''", 'a = ', '(a'])('are read strictly: %s', (source) => {
    expect(() => parseExpression(source)).toThrow();
  });

  it('use regular expressions that PCRE and JavaScript read alike, and that need no escaping anywhere', () => {
    const regexes = [
      ...STANZAS.flatMap(({ sourceType }) => settingsNamed(props, sourceType, 'EVAL-')).map(
        ([, source]) => source,
      ),
      settingOf(transforms, 'orglog_time', 'INGEST_EVAL'),
    ]
      .map((source) => source.replace(/^_time = /, ''))
      .flatMap((source) => [...parts(parseExpression(source))].flatMap(regexOf));
    expect(regexes.length).toBeGreaterThan(50);
    for (const regex of new Set(regexes)) {
      expect(() => new RegExp(regex), regex).not.toThrow();
      // Groups of JavaScript's and PCRE's common kind; no classes, escapes, or flags.
      expect(regex).not.toMatch(/\\|\[:|\(\?(?![:!=])|[*+?}]\+/);
    }
  });
});

describe('event types and tags', () => {
  it('search by what lookups give, and by the source type', () => {
    for (const [name, stanza] of eventtypes) {
      const [type, ...terms] = parseSearch(stanza.get('search') ?? '');
      expect(type?.field, name).toBe('sourcetype');
      const searched = STANZAS.find(({ sourceType }) => sourceType === type?.value);
      for (const { field, value } of terms) {
        expect(lookupsOf(searched?.sourceType ?? '')[0]?.outputs).toContain(field);
        expect(readLookup(searched?.vocabulary ?? '').rows.some((row) => row[field] === value)).toBe(true);
      }
    }
  });

  it('tag each event type as the vocabulary does its data model', () => {
    const meant = [
      ...LISTED_PAIRS.map(({ meaning: { cim } }) => [SOURCE_TYPE, cim] as const),
      ...LISTED_FEED_ACTIONS.map(([, { cim }]) => [IDENTITY_SOURCE_TYPE, cim] as const),
    ];
    const wanted = new Map(
      meant.flatMap(([type, cim]) => (cim ? [[`${type} ${cim.model}`, [...cim.tags] as string[]]] : [])),
    );
    const given = new Map<string, string[]>();
    for (const [stanza, settings] of tags) {
      const name = stanza.replace(/^eventtype=/, '');
      const search = parseSearch(settingOf(eventtypes, name, 'search'));
      const model = ['sourcetype', 'cim_model'].map(
        (name) => search.find(({ field }) => field === name)?.value,
      );
      expect([...settings.values()].every((value) => value === 'enabled')).toBe(true);
      given.set(model.join(' '), [...settings.keys()]);
    }
    expect(given).toStrictEqual(wanted);
  });
});

it('event_id is an indexed field, of these source types only', () => {
  expect([...readConf('fields.conf').keys()]).toStrictEqual(
    STANZAS.map(({ sourceType }) => `sourcetype::${sourceType}::event_id`),
  );
});

function regexOf(part: Expression): string[] {
  if (part.kind !== 'call' || (part.name !== 'match' && part.name !== 'replace')) return [];
  const [, regex] = part.args;
  if (regex?.kind !== 'literal') throw new Error(`${part.name} without a literal`);
  return [String(regex.value)];
}
