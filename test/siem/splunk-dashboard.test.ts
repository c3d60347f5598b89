import { describe, expect, it } from 'vitest';
import { readAddOn, readConf, SOURCE_TYPE } from './splunk/add-on.ts';
import { settingOf, settingsNamed } from './splunk/conf.ts';
import { parseLookup } from './splunk/search-time.ts';
import { elements, parseXml } from './splunk/xml.ts';

const VIEW = 'orglog_overview';
const view = parseXml(readAddOn(`default/data/ui/views/${VIEW}.xml`));
const queries = [...elements(view, 'query')].map(({ text }) => text);
const props = readConf('props.conf');

const KNOWN = new Set([
  ...['logType', 'logSubtype', 'orgDomain', 'correlationId', 'tenant', 'service', '_time', '_indextime'],
  ...settingsNamed(props, SOURCE_TYPE, 'EVAL-').map(([name]) => name),
  ...settingsNamed(props, SOURCE_TYPE, 'LOOKUP-').flatMap(([, value]) => parseLookup(value).outputs),
]);

describe('the dashboard', () => {
  it.each(['<a>', '<a></b>', '<a b=c/>', '<a>&nbsp;</a>', '<a/><b/>', '<a>&</a>', 'x<a/>'])(
    'is read strictly: %s',
    (xml) => {
      expect(() => parseXml(xml)).toThrow();
    },
  );

  it('is a form, and the app opens with it', () => {
    expect(view.name).toBe('form');
    expect(view.attributes.version).toBe('1.1');
    const nav = parseXml(readAddOn('default/data/ui/nav/default.xml'));
    expect(
      [...elements(nav, 'view')].find(({ attributes }) => attributes.default === 'true')?.attributes.name,
    ).toBe(VIEW);
  });

  it('looks where the macro says, and nowhere else', () => {
    expect(settingOf(readConf('macros.conf'), 'orglog_events', 'definition')).toContain(
      `sourcetype="${SOURCE_TYPE}"`,
    );
    for (const query of queries) {
      expect(query).toMatch(/^`orglog_events` /);
      expect(query.match(/`/g)).toHaveLength(2);
    }
  });

  it('gives every search the chosen time, and every panel the chosen organization', () => {
    for (const { children } of elements(view, 'search'))
      expect(children.map(({ name, text }) => [name, text]).slice(1)).toStrictEqual([
        ['earliest', '$span.earliest$'],
        ['latest', '$span.latest$'],
      ]);
    for (const panel of elements(view, 'panel'))
      for (const { text } of elements(panel, 'query')) expect(text).toContain(' orgDomain="$org$"');
  });

  it.each(queries)('asks only for fields that there are: %s', (query) => {
    const made = new Set(
      [...query.matchAll(/ AS (\w+)|\beval (\w+)=/g)].flatMap(([, a, b]) => [a ?? b ?? '']),
    );
    const asked = [
      ...[...query.matchAll(/(\w+)!?=(?!=)/g)].map(([, name = '']) => name),
      ...[...query.matchAll(/\bby (\w+)/g)].map(([, name = '']) => name),
      ...[...query.matchAll(/\b(?:dc|max|latest)\((\w+)\)/g)].map(([, name = '']) => name),
    ];
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect(KNOWN.has(name) || made.has(name), name).toBe(true);
  });

  it('shows what an operator asks for', () => {
    const titles = [...elements(view, 'title')].map(({ text }) => text);
    expect(titles).toStrictEqual([
      'Sign-ins',
      'Refused attempts',
      'Events of unlisted kinds',
      'Attempts to sign in',
      'Users with most refused attempts',
      'Addresses with most refused attempts',
      'Second factors',
      'Applications by users',
      'Account and password changes',
      'Mail',
      'From event to index, seconds',
      'Newest event of each organization',
    ]);
  });
});
