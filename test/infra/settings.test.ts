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
import { BAD } from './bad-settings.ts';
import { followed, manyOrganizations, organization, settings, settingsFile } from './settings-fixture.ts';

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

  it('follows identity records as soon as it says whose', () => {
    expect(settings(orgs(followed('a'))).organizations[0]?.identities).toStrictEqual({
      environments: ['prod'],
      everyHours: 24,
      redact: [],
      snapshots: 'first',
      uidField: 'serviceUid',
      stack: 1,
    });
    const all = {
      ...{
        environments: ['test', 'prod'],
        everyHours: 168,
        authorities: [],
        redact: ['mail', 'urn:oid:2.5.4.4'],
      },
      ...{ snapshots: 'every', credential: 'shared', uidField: 'tenantUid', stack: 2 },
    };
    expect(settings(orgs(followed('a', all))).organizations[0]?.identities).toStrictEqual(all);
  });

  it('may share a credential between two environments, or between a log and its identity records', () => {
    const file = orgs(
      followed('a', { environments: ['test'], credential: 'shared' }, { credential: 'shared' }),
      followed('b', { environments: ['prod'], credential: 'shared' }),
    );
    expect(settings(file).organizations).toHaveLength(2);
  });

  it('may hold 44 environments in an identity stack', () => {
    const both = { identities: { environments: ['test', 'prod'] } };
    expect(() => settings(orgs(...manyOrganizations(22).map((one) => ({ ...one, ...both }))))).not.toThrow();
    const spread = manyOrganizations(40).map((one, index) => ({
      ...one,
      identities: { ...both.identities, stack: index < 22 ? 1 : 2 },
    }));
    expect(settings(orgs(...spread)).organizations).toHaveLength(40);
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
