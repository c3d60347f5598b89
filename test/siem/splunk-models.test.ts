import { describe, expect, it } from 'vitest';
import { LISTED_PAIRS } from '../../functions/core/vocabulary.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { type Searched, searchTime } from './splunk/search-time.ts';

const search = searchTime();

/**
 * The data models' constraints and what they need, as github.com/splunk/pytest-splunk-addon (data_models) states them:
 * required fields that the log can fill, and prescribed values.
 */
const MODELS = {
  Authentication: {
    holds: ({ tags, fields }: Searched) =>
      tags.includes('authentication') && !(fields.action === 'success' && String(fields.user).endsWith('$')),
    required: ['action', 'app', 'dest', 'src', 'signature', 'signature_id', 'vendor_product'],
    prescribed: { action: ['success', 'failure', 'pending', 'error'] },
  },
  Change: {
    holds: ({ tags, fields }: Searched) =>
      tags.includes('change') && tags.includes('account') && fields.object_category === 'user',
    required: [
      'action',
      'change_type',
      'command',
      'dest',
      'dvc',
      'object',
      'object_id',
      'src',
      'status',
      'user',
      'vendor_product',
    ],
    prescribed: { status: ['success', 'failure'], action: ['created', 'deleted', 'modified', 'updated'] },
  },
  Email: {
    holds: ({ tags }: Searched) => tags.includes('email') && tags.includes('delivery'),
    required: [
      'action',
      'dest',
      'message_id',
      'recipient',
      'recipient_count',
      'src',
      'user',
      'vendor_product',
    ],
    // "failed": see functions/core/vocabulary/dialects.ts.
    prescribed: { action: ['delivered', 'blocked', 'quarantined', 'deleted', 'failed'] },
  },
} as const;
type Model = keyof typeof MODELS;
const NAMES: readonly Model[] = ['Authentication', 'Change', 'Email'];

function modelsOf(searched: Searched): Model[] {
  return NAMES.filter((name) => MODELS[name].holds(searched));
}

describe('every listed pair', () => {
  it.each(LISTED_PAIRS)('$logType $logSubtype', ({ logType, logSubtype, meaning }) => {
    const searched = search(JSON.stringify({ logType, logSubtype }));
    expect(modelsOf(searched)).toStrictEqual(meaning.cim ? [meaning.cim.model] : []);
    expect([...searched.tags]).toStrictEqual([...(meaning.cim?.tags ?? [])]);
    expect(searched.fields.action).toBe(meaning.cim?.action ?? null);
    expect(searched.fields.outcome).toBe(meaning.outcome);
    expect(searched.fields.activity).toBe(meaning.activity);
    expect(searched.fields.is_signin).toBe(String(meaning.signIn));
    expect(searched.fields.signature).toContain(`${logType} ${logSubtype}`);
    expect(searched.eventtypes).toContain('orglog_event');
  });
});

describe('an unlisted pair', () => {
  it.each([
    { logType: 'authentication', logSubtype: 'Success' },
    { logType: 'mfa', logSubtype: 'failure' },
    { logType: 'authentication', logSubtype: 'somethingNew' },
    { logType: 'somethingNew', logSubtype: 'success' },
  ])('$logType $logSubtype is in no model, of unknown outcome, and still an event', (event) => {
    const searched = search(JSON.stringify(event));
    expect(modelsOf(searched)).toStrictEqual([]);
    expect(searched.fields.outcome).toBe('unknown');
    expect(searched.eventtypes).toStrictEqual(['orglog_event']);
  });
});

describe('a week of traffic', () => {
  const events = [
    ...generateTraffic({
      seed: 11,
      orgUrl: 'https://login.institution.edu/',
      orgDomain: 'institution.edu',
      fromMs: Date.parse('2026-01-05T00:00:00Z'),
      toMs: Date.parse('2026-01-12T00:00:00Z'),
      count: 12_000,
    }),
  ];
  const searched = events.map((event) => ({ event, ...search(JSON.stringify(event)) }));

  it('counts a sign-in once, whatever it passes through', () => {
    const visits = Map.groupBy(searched, ({ event }) => event.correlationId);
    let signIns = 0;
    for (const visit of visits.values()) {
      const successes = visit.filter(
        (one) => modelsOf(one).includes('Authentication') && one.fields.action === 'success',
      );
      const ended = visit.some(
        ({ event }) => event.logType === 'authentication' && event.logSubtype === 'success',
      );
      expect(successes).toHaveLength(ended ? 1 : 0);
      signIns += successes.length;
    }
    // Each kind of sign-in occurs, with the validations and token exchanges that must not count.
    expect(signIns).toBeGreaterThan(1000);
    const seen = new Set(events.map(({ logType, logSubtype }) => `${logType} ${logSubtype}`));
    for (const pair of [
      'cas serviceValidate',
      'cas samlValidate',
      'oidc token',
      'oidc idToken',
      'oidc userinfo',
      'MFA success',
      'emailMFA success',
    ])
      expect(seen, pair).toContain(pair);
  });

  it('counts each refused attempt, and nothing else as one', () => {
    const failures = searched.filter(
      (one) => modelsOf(one).includes('Authentication') && one.fields.action !== 'success',
    );
    const refused = events.filter(
      ({ logType, logSubtype }) =>
        ['authentication', 'MFA', 'emailMFA'].includes(logType) &&
        ['failure', 'error', 'invalidCode', 'expiredCode'].includes(logSubtype),
    );
    expect(failures.map(({ event }) => event)).toStrictEqual(refused);
    expect(refused.length).toBeGreaterThan(100);
  });

  it.each(NAMES)('fills what %s needs', (name) => {
    const { required, prescribed } = MODELS[name];
    const inModel = searched.filter((one) => modelsOf(one).includes(name));
    expect(inModel.length).toBeGreaterThan(50);
    for (const { event, fields } of inModel) {
      const lacking = required.filter((field) => (fields[field] ?? '') === '' || fields[field] === 'null');
      expect(lacking, `${event.logType} ${event.logSubtype}`).toStrictEqual([]);
      for (const [field, values] of Object.entries(prescribed)) expect(values).toContain(fields[field]);
    }
  });

  it('names the user of every attempt but those of people nobody knows', () => {
    for (const { event, fields } of searched.filter((one) => modelsOf(one).includes('Authentication')))
      if (fields.user === null) expect(event.logData.user).toBe(event.clientIP);
      else expect(fields.user).toBe(event.logData.eppn);
  });
});
