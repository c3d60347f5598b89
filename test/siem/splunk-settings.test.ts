import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LISTED_PAIRS } from '../../functions/core/vocabulary.ts';
import { ADD_ON, readAddOn, readConf, readLookup, SOURCE_TYPE } from './splunk/add-on.ts';
import { parseConf, settingOf, settingsNamed, stanzaOf } from './splunk/conf.ts';
import { type Expression, parseExpression, parts } from './splunk/expression.ts';
import { parseLookup, parseSearch } from './splunk/search-time.ts';

const FILES = readdirSync(join(ADD_ON, 'default')).filter((name) => name.endsWith('.conf'));
const props = readConf('props.conf');
const transforms = readConf('transforms.conf');
const eventtypes = readConf('eventtypes.conf');
const tags = readConf('tags.conf');
const lookups = settingsNamed(props, SOURCE_TYPE, 'LOOKUP-').map(([, value]) => parseLookup(value));
const looked = lookups.flatMap(({ outputs }) => outputs);
const calculated = settingsNamed(props, SOURCE_TYPE, 'EVAL-');

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
      'eventtypes.conf',
      'fields.conf',
      'macros.conf',
      'props.conf',
      'tags.conf',
      'transforms.conf',
    ]);
    for (const name of FILES) expect(readConf(name).size, name).toBeGreaterThan(0);
  });

  it('share every kind of object with other apps: data models look from theirs', () => {
    const meta = parseConf(readAddOn('metadata/default.meta'));
    for (const kind of ['props', 'transforms', 'lookups', 'eventtypes', 'tags', 'fields', 'macros'])
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

describe('the source type', () => {
  it.each([
    ['TRUNCATE', '0'],
    ['SHOULD_LINEMERGE', 'false'],
    ['LINE_BREAKER', '([\\r\\n]+)'],
    ['KV_MODE', 'json'],
    ['CHARSET', 'UTF-8'],
    ['MAX_DAYS_AGO', '10951'],
  ])('sets %s to %s', (name, value) => {
    expect(settingOf(props, SOURCE_TYPE, name)).toBe(value);
  });

  it('extracts no field twice: the JSON is read when it is searched, not when it is indexed', () => {
    expect(stanzaOf(props, SOURCE_TYPE).has('INDEXED_EXTRACTIONS')).toBe(false);
  });

  it('names transforms that exist', () => {
    for (const [, name] of settingsNamed(props, SOURCE_TYPE, 'TRANSFORMS-')) stanzaOf(transforms, name);
    for (const { transform } of lookups) stanzaOf(transforms, transform);
    const used = [...lookups.map(({ transform }) => transform), 'orglog_time'];
    expect([...transforms.keys()].sort()).toStrictEqual(used.sort());
  });

  it('looks up columns that the files have, by every column that tells rows apart', () => {
    for (const { transform, inputs, outputs } of lookups) {
      const { columns, rows } = readLookup(settingOf(transforms, transform, 'filename'));
      expect(columns).toStrictEqual(expect.arrayContaining([...inputs, ...outputs]));
      expect(settingOf(transforms, transform, 'case_sensitive_match')).toBe('true');
      const keys = rows.map((row) => inputs.map((name) => row[name]).join('/'));
      expect(new Set(keys).size).toBe(rows.length);
      expect(keys).toStrictEqual(LISTED_PAIRS.map((pair) => `${pair.logType}/${pair.logSubtype}`));
    }
    expect(readdirSync(join(ADD_ON, 'lookups'))).toStrictEqual(['orglog_vocabulary.csv']);
  });

  it('gives each field one source', () => {
    const aliased = settingsNamed(props, SOURCE_TYPE, 'FIELDALIAS-').map(([, value]) =>
      value.split(' ').at(-1),
    );
    const names = [...calculated.map(([name]) => name), ...aliased, ...looked];
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('calculated fields', () => {
  it.each(calculated)('%s can be read, and uses only what the event says', (_name, source) => {
    const made = new Set([...calculated.map(([name]) => name), ...looked]);
    for (const part of parts(parseExpression(source)))
      if (part.kind === 'field') expect(made.has(part.name), part.name).toBe(false);
  });

  it.each(['if(a, b', '"open', 'a b', 'f(,)', "''", 'a = ', '(a'])('are read strictly: %s', (source) => {
    expect(() => parseExpression(source)).toThrow();
  });

  it('use regular expressions that PCRE and JavaScript read alike, and that need no escaping anywhere', () => {
    const regexes = [
      ...calculated.map(([, source]) => source),
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
    const [vocabulary] = lookups;
    for (const [name, stanza] of eventtypes) {
      const terms = parseSearch(stanza.get('search') ?? '');
      expect(terms[0], name).toStrictEqual({ field: 'sourcetype', value: SOURCE_TYPE });
      for (const { field, value } of terms.slice(1)) {
        expect(vocabulary?.outputs).toContain(field);
        expect(readLookup('orglog_vocabulary.csv').rows.some((row) => row[field] === value)).toBe(true);
      }
    }
  });

  it('tag each event type as the vocabulary does its data model', () => {
    const wanted = new Map(
      LISTED_PAIRS.flatMap(({ meaning: { cim } }) => (cim ? [[cim.model, cim.tags]] : [])),
    );
    const given = new Map<string, string[]>();
    for (const [stanza, settings] of tags) {
      const name = stanza.replace(/^eventtype=/, '');
      const search = parseSearch(settingOf(eventtypes, name, 'search'));
      const model = search.find(({ field }) => field === 'cim_model')?.value ?? '';
      expect([...settings.values()].every((value) => value === 'enabled')).toBe(true);
      given.set(model, [...settings.keys()]);
    }
    expect(given).toStrictEqual(wanted);
  });
});

it('event_id is an indexed field, of this source type only', () => {
  expect([...readConf('fields.conf').keys()]).toStrictEqual([`sourcetype::${SOURCE_TYPE}::event_id`]);
});

function regexOf(part: Expression): string[] {
  if (part.kind !== 'call' || (part.name !== 'match' && part.name !== 'replace')) return [];
  const [, regex] = part.args;
  if (regex?.kind !== 'literal') throw new Error(`${part.name} without a literal`);
  return [String(regex.value)];
}
