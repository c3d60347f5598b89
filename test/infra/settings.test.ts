import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { asOrglogError } from '../../functions/core/errors.ts';
import { SAFE_ID } from '../../functions/core/keys.ts';
import { ID } from '../../infra/settings/identifiers.ts';
import { JSON_SCHEMA_FILE, settingsJsonSchema } from '../../infra/settings/json-schema.ts';
import { loadSettings, parseSettings } from '../../infra/settings/load.ts';
import { destination, manyOrganizations, organization, settings, settingsFile } from './settings-fixture.ts';

/** The message of the refusal. */
function refusal(text: string): string {
  try {
    parseSettings(text, 'orglog.config.json');
  } catch (error) {
    const { code, message } = asOrglogError(error, 'storage');
    expect(code).toBe('configuration');
    return message;
  }
  throw new Error('the file was accepted');
}

const org = organization;
const orgs = (...organizations: object[]) => ({ organizations });
const dests = (...destinations: object[]) => ({ destinations });
const omit = (omission: object) => ({ alarms: { email: 'a@institution.edu', omit: [omission] } });
const consumer = { principal: '111122223333', externalId: 'external-id' };

/** What is wrong, the members that make it so, and what the message must say: path, value, expectation. */
const BAD: readonly [string, object, ...RegExp[]][] = [
  ['no provider', { provider: undefined }, /\n {2}provider is missing: expected the provider/],
  ['no alarms', { alarms: undefined }, /alarms is missing: expected whom to tell, an object with email/],
  ['no organizations', orgs(), /organizations is \[\]: expected at least one/],
  ['organizations by id', { organizations: { a: {} } }, /organizations is \{"a":\{\}\}: expected a list/],
  [
    'a misspelt setting',
    { organisations: [] },
    /organisations is \[\]: no such setting; expected one of name, /,
  ],
  [
    'an unknown member',
    orgs(org('a', { schedule: 5 })),
    /organizations\[0\]\.schedule is 5: no such setting/,
  ],
  [
    'http',
    { provider: { baseUrl: 'http://api.provider.example' } },
    /provider\.baseUrl is "http.*not encrypted/,
  ],
  [
    'a password',
    { provider: { baseUrl: 'https://u:pw@p.example' } },
    /provider\.baseUrl is not shown.*credentials/,
  ],
  ['a query', { provider: { baseUrl: 'https://p.example/?a=1' } }, /provider\.baseUrl .*query or a hash/],
  ['a base URL that is none', { provider: { baseUrl: 'api' } }, /provider\.baseUrl is "api": .*not a URL/],
  [
    'a relative orgUrl',
    orgs(org('a', { orgUrl: 'a.edu' })),
    /organizations\[0\]\.orgUrl is "a\.edu": expected an abs/,
  ],
  [
    'white space',
    orgs(org('a', { orgUrl: 'https://a.edu/ ' })),
    /organizations\[0\]\.orgUrl is "https:\/\/a\.edu\/ "/,
  ],
  [
    'an orgUrl by ftp',
    orgs(org('a'), org('b', { orgUrl: 'ftp://b.edu/' })),
    /organizations\[1\]\.orgUrl is "ftp/,
  ],
  [
    'no id',
    orgs({ orgUrl: 'https://a.edu/' }),
    /organizations\[0\]\.id is missing: expected the organization's id/,
  ],
  ['an id with a dot', orgs(org('a.b')), /organizations\[0\]\.id is "a\.b": expected .*lower-case/],
  ['an id in capitals', orgs(org('A')), /organizations\[0\]\.id is "A"/],
  ['an id too long', orgs(org('a'.repeat(33))), /organizations\[0\]\.id is "a{33}": .*at most 32/],
  ['an id with a path', orgs(org('../b')), /organizations\[0\]\.id is "\.\.\/b"/],
  [
    'an id twice',
    orgs(org('a'), org('a', { orgUrl: 'https://b.edu/' })),
    /organizations\[1\]\.id is "a": .*organizations\[0\]/,
  ],
  [
    'the same log twice',
    orgs(
      org('a', { filters: { service: 'idp' } }),
      org('b', { orgUrl: 'https://a.edu/', filters: { service: 'idp' } }),
    ),
    /organizations\[1\]\.orgUrl is "https:\/\/a\.edu\/": .*organizations\[0\] reads the same log/,
  ],
  [
    'an odd period',
    orgs(org('a', { everyMinutes: 7 })),
    /organizations\[0\]\.everyMinutes is 7: expected one of 2, 3/,
  ],
  [
    'a period below the recommendation',
    orgs(org('a', { everyMinutes: 2 })),
    /organizations\[0\]\.everyMinutes is 2: expected 5 or more: the provider recommends a delay of at least 5 minutes/,
    /allowFasterThanRecommended/,
  ],
  [
    'a reason that is none',
    orgs(org('a', { everyMinutes: 2, allowFasterThanRecommended: 'yes' })),
    /organizations\[0\]\.allowFasterThanRecommended is "yes": expected a reason/,
  ],
  [
    'an unknown filter',
    orgs(org('a', { filters: { user: 'x' } })),
    /organizations\[0\]\.filters\.user is "x": no such/,
  ],
  [
    'a page too large',
    orgs(org('a', { limit: 1001 })),
    /organizations\[0\]\.limit is 1001: expected at most 1000/,
  ],
  [
    'an unknown choice',
    orgs(org('a', { onStaleToken: 'skip' })),
    /organizations\[0\]\.onStaleToken is "skip"/,
  ],
  [
    '41 in one stack',
    orgs(...manyOrganizations(41).map((one) => ({ ...one, stack: 1 }))),
    /organizations\[40\]\.stack is 1: expected at most 40 .*write "stack": 2/,
  ],
  [
    '41 in the second stack, the first full',
    orgs(...manyOrganizations(81).map((one, index) => ({ ...one, stack: index < 40 ? 1 : 2 }))),
    /organizations\[80\]\.stack is 2: .*write "stack": 3/,
  ],
  ['a stack of no number', orgs(org('a', { stack: 'two' })), /organizations\[0\]\.stack is "two"/],
  ['an unknown SIEM', dests(destination('a', { kind: 'siem' })), /destinations\[0\]\.kind is "siem"/],
  ['a destination twice', dests(destination('a'), destination('a')), /destinations\[1\]\.id is "a"/],
  [
    'eleven destinations',
    dests(...Array.from({ length: 11 }, (_, n) => destination(`d${n}`))),
    /destinations is .*at most 10/,
  ],
  [
    'anyone',
    dests(destination('a', { consumer: { ...consumer, principal: '*' } })),
    /consumer\.principal is "\*"/,
  ],
  [
    'no external id',
    dests(destination('a', { consumer: { principal: '111122223333' } })),
    /consumer\.externalId is missing/,
  ],
  [
    'a reader of a push queue',
    dests(destination('a', { delivery: 'push', consumer })),
    /destinations\[0\]\.consumer/,
  ],
  [
    'an archive of a week',
    { retention: { archiveDays: 7 } },
    /retention\.archiveDays is 7: expected 30 or more/,
  ],
  [
    'expiry before the move',
    { retention: { archiveDays: 60, infrequentAccessAfterDays: 90 } },
    /retention\.archiveDays is 60: .*\(90\)/,
  ],
  [
    'days nobody offers',
    { retention: { logDays: 100 } },
    /retention\.logDays is 100: expected what CloudWatch/,
  ],
  ['no address', { alarms: { email: 'security' } }, /alarms\.email is "security": expected an e-mail/],
  [
    'an omission without a reason',
    omit({ alarm: 'lag' }),
    /alarms\.omit\[0\]\.reason is missing: expected a reason/,
  ],
  [
    'an unknown alarm',
    omit({ alarm: 'noise', reason: 'nobody reads it' }),
    /alarms\.omit\[0\]\.alarm is "noise"/,
  ],
  [
    'an omission for nobody',
    omit({ alarm: 'lag', organization: 'b', reason: 'nobody reads it' }),
    /alarms\.omit\[0\]\.organization is "b": expected an id that is among the organizations of/,
  ],
  ["a tag of AWS's own", { tags: { 'aws:name': 'x' } }, /tags\.aws:name/],
  ['a name in capitals', { name: 'OrgLog' }, /name is "OrgLog": expected a name/],
];

describe('a bad settings file', () => {
  it('is one of at least 30 in this table', () => {
    expect(BAD.length).toBeGreaterThanOrEqual(30);
  });

  it.each(BAD)('is refused: %s', (_, members, ...said) => {
    const message = refusal(JSON.stringify(settingsFile({ ...members })));
    for (const words of said) expect(message).toMatch(words);
    expect(message).toMatch(/^orglog\.config\.json has a fault; nothing was synthesized:\n {2}.*$/);
  });

  it('is told every fault at once, those between members too', () => {
    const message = refusal(
      JSON.stringify(
        settingsFile({
          name: 'Bad Name',
          organizations: [org('a', { orgUrl: 'a.edu' }), org('a'), org('c', { everyMinutes: 3, limit: 0 })],
          retention: { archiveDays: 1 },
        }),
      ),
    );
    const paths = [...message.matchAll(/^ {2}(\S+) is /gm)].map(([, path]) => path);
    expect(message).toContain(`has ${paths.length} faults`);
    expect(new Set(paths)).toStrictEqual(
      new Set([
        'name',
        'organizations[0].orgUrl',
        'organizations[1].id',
        'organizations[2].everyMinutes',
        'organizations[2].limit',
        'retention.archiveDays',
      ]),
    );
  });

  it('is refused when it is not JSON, or not an object', () => {
    expect(refusal('{ "name": }')).toMatch(/^orglog\.config\.json is not JSON: /);
    expect(refusal('[]')).toMatch(
      /the file is \[\]: expected the settings of orglog, an object with name, provider/,
    );
    expect(refusal('null')).toMatch(/the file is null/);
  });

  it('never repeats a credential that was put into a URL', () => {
    const url = 'https://operator:hunter2@institution.edu/';
    const message = refusal(JSON.stringify(settingsFile(orgs(org('a', { orgUrl: url })))));
    expect(message).toMatch(/organizations\[0\]\.orgUrl is not shown/);
    expect(message).not.toContain('hunter2');
  });
});

describe('a good settings file', () => {
  it('may be short: everything else has a default', () => {
    expect(settings()).toStrictEqual({
      name: 'orglog',
      provider: { baseUrl: 'https://api.provider.example' },
      organizations: [
        {
          id: 'institution',
          orgUrl: 'https://institution.edu/',
          everyMinutes: 5,
          filters: {},
          limit: 1000,
          onStaleToken: 'continue',
          stack: 1,
        },
      ],
      destinations: [],
      retention: { infrequentAccessAfterDays: 90, logDays: 90 },
      alarms: { email: 'security@institution.edu', omit: [], runbookUrl: 'docs/runbook.md' },
      monitoring: 'standard',
      tags: {},
    });
  });

  it('may ask for more than the provider recommends, with a reason', () => {
    const faster = { everyMinutes: 2, allowFasterThanRecommended: 'agreed with the provider on 2026-01-02' };
    expect(settings(orgs(org('a', faster))).organizations[0]?.everyMinutes).toBe(2);
  });

  it('may read one log twice with different filters', () => {
    const same = { orgUrl: 'https://a.edu/' };
    const file = orgs(
      org('a', { ...same, filters: { service: 'idp' } }),
      org('b', { ...same, filters: { service: 'mail' } }),
    );
    expect(settings(file).organizations).toHaveLength(2);
  });

  it('may hold a thousand organizations in 25 stacks', () => {
    const stacks = settings(orgs(...manyOrganizations(1000))).organizations.map(({ stack }) => stack);
    expect(new Set(stacks).size).toBe(25);
  });

  it('has only ids that the collector takes', () => {
    const ids = ['a', 'a-b', '0', 'a'.repeat(32), `${'a'.repeat(15)}--${'0'.repeat(15)}`];
    expect(ids.filter((id) => !ID.test(id) || !SAFE_ID.test(id))).toStrictEqual([]);
    expect(['', '-a', 'a-', 'a_b', 'a/b', 'ä', 'a\n'].filter((id) => ID.test(id))).toStrictEqual([]);
  });
});

describe('the file that is read', () => {
  it('is the committed example where there is no other, and says so', () => {
    const loaded = loadSettings('.', 'orglog.config.example.json');
    expect(loaded.isExample).toBe(true);
    expect(loaded.settings.organizations.map(({ id }) => id)).toStrictEqual(['institution', 'college']);
  });

  it('is orglog.config.json as soon as there is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orglog-settings-'));
    try {
      writeFileSync(
        join(folder, 'orglog.config.example.json'),
        JSON.stringify(settingsFile({ name: 'example' })),
      );
      expect(loadSettings(folder)).toMatchObject({ isExample: true, settings: { name: 'example' } });
      writeFileSync(join(folder, 'orglog.config.json'), JSON.stringify(settingsFile({ name: 'mine' })));
      expect(loadSettings(folder)).toMatchObject({ isExample: false, settings: { name: 'mine' } });
      expect(() => loadSettings(folder, 'other.json')).toThrow(/^other\.json cannot be read in /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the JSON Schema', () => {
  const committed: object = JSON.parse(readFileSync(JSON_SCHEMA_FILE, 'utf8'));

  it('is not stale (else: npm run generate:schema)', () => {
    expect(committed).toStrictEqual(JSON.parse(settingsJsonSchema()));
  });

  it('takes the example and refuses a misspelt member', () => {
    const validate = new Ajv({ formats: { uri: true, email: true } }).compile(committed);
    expect(validate(JSON.parse(readFileSync('orglog.config.example.json', 'utf8')))).toBe(true);
    expect(validate(settingsFile({ organisations: [] }))).toBe(false);
  });
});
