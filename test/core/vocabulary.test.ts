import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOG_SUBTYPES, LOG_TYPES } from '../../functions/core/vocabulary/enumerations.ts';
import { LISTED_PAIRS, type Meaning, meaningOf, UNLISTED } from '../../functions/core/vocabulary.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { TABLE } from './vocabulary-table.ts';

const meanings = [...LISTED_PAIRS.map(({ meaning }) => meaning), UNLISTED];

/** ECS: the types that each category expects. https://www.elastic.co/docs/reference/ecs/ecs-allowed-values-event-category */
const EXPECTED_TYPES: Readonly<Record<string, readonly string[]>> = {
  authentication: ['start', 'end', 'info'],
  email: ['info'],
  iam: ['admin', 'change', 'creation', 'deletion', 'group', 'info', 'user'],
  session: ['start', 'end', 'info'],
  web: ['access', 'error', 'info'],
};

/** CIM: the tags that make an event part of a model, and its actions. github.com/splunk/pytest-splunk-addon, data_models. */
const MODELS = {
  Authentication: { tags: ['authentication'], actions: ['success', 'failure', 'pending', 'error'] },
  Change: { tags: ['change', 'account'], actions: ['created', 'modified', 'deleted', 'updated'] },
  // "failed" is ours: see functions/core/vocabulary/dialects.ts.
  Email: {
    tags: ['email', 'delivery'],
    actions: ['delivered', 'blocked', 'quarantined', 'deleted', 'failed'],
  },
};

/** OCSF: the activities of each class. github.com/ocsf/ocsf-schema, events. */
const ACTIVITIES: Readonly<Record<number, readonly number[]>> = {
  0: [0, 99],
  3001: [1, 2, 3, 4, 5, 6, 7, 8, 9, 99],
  3002: [1, 2, 3, 4, 5, 6, 99],
  4009: [1, 2, 3, 99],
  6003: [1, 2, 3, 4, 99],
};

function shown({ ecs, cim, ocsf, signIn }: Meaning): string {
  return [
    `${ecs.category.join('+')}/${ecs.type.join('+')}/${ecs.outcome}`,
    cim === undefined ? '-' : `${cim.model} ${cim.action}`,
    `${ocsf.classUid * 100 + ocsf.activityId}/${ocsf.statusId}`,
    ...(signIn ? ['sign-in'] : []),
  ].join(' ');
}

describe('the vocabulary', () => {
  const rows = TABLE.split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/))
    .map(([logType, logSubtype, ...rest]) => [logType, logSubtype, rest.join(' ')] as const);

  it('has a row for every type with every subtype', () => {
    const listed = LOG_TYPES.flatMap((type) => LOG_SUBTYPES.map((subtype) => `${type} ${subtype}`));
    expect(rows.map(([type, subtype]) => `${type} ${subtype}`)).toStrictEqual(listed);
    expect(listed).toHaveLength(10 * 21);
  });

  it.each(rows)('%s %s: %s', (logType, logSubtype, meaning) => {
    expect(shown(meaningOf(logType, logSubtype))).toBe(meaning);
  });

  it('uses no ECS category with a type that it does not expect', () => {
    for (const { ecs } of meanings)
      for (const category of ecs.category)
        expect(EXPECTED_TYPES[category]).toEqual(expect.arrayContaining([...ecs.type]));
  });

  it('is in a CIM model exactly with its tags, one of its actions, and a known result', () => {
    for (const { cim, outcome } of meanings) {
      if (cim === undefined) continue;
      expect(cim.tags).toStrictEqual(MODELS[cim.model].tags);
      expect(MODELS[cim.model].actions).toContain(cim.action);
      expect(outcome).not.toBe('unknown');
      if ('status' in cim) expect(cim.status).toBe(outcome);
    }
  });

  it('uses only activities that the OCSF class has', () => {
    for (const { ocsf } of meanings) expect(ACTIVITIES[ocsf.classUid]).toContain(ocsf.activityId);
  });

  it('counts the same events as attempts to sign in, in every dialect', () => {
    for (const meaning of meanings) {
      const { ecs, cim, ocsf, signIn } = meaning;
      expect(ecs.category.includes('authentication') && ecs.outcome !== 'unknown', shown(meaning)).toBe(
        signIn,
      );
      expect(cim?.model === 'Authentication', shown(meaning)).toBe(signIn);
      expect(ocsf.classUid === 3002 && ocsf.activityId === 1, shown(meaning)).toBe(signIn);
    }
  });

  it('counts one successful sign-in at most of everything under one correlationId', () => {
    const counted = new Map<string, number>();
    const traffic = generateTraffic({
      seed: 4,
      orgUrl: 'https://institution.edu/',
      orgDomain: 'institution.edu',
      fromMs: Date.UTC(2026, 0, 2),
      toMs: Date.UTC(2026, 0, 3),
      count: 20_000,
    });
    for (const { correlationId, logType, logSubtype } of traffic) {
      const { signIn, outcome } = meaningOf(logType, logSubtype);
      if (signIn && outcome === 'success') counted.set(correlationId, (counted.get(correlationId) ?? 0) + 1);
    }
    expect(counted.size).toBeGreaterThan(1000);
    expect(Math.max(...counted.values())).toBe(1);
  });

  it('calls any other pair an event of unknown outcome, and counts it nowhere', () => {
    const other = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'toString'),
    );
    fc.assert(
      fc.property(other, fc.oneof(other, fc.constantFrom(...LOG_SUBTYPES)), (logType, logSubtype) => {
        fc.pre(!(LOG_TYPES as readonly unknown[]).includes(logType));
        expect(meaningOf(logType, logSubtype)).toBe(UNLISTED);
        expect(meaningOf('cas', logType)).toSatisfy(
          (meaning: Meaning) =>
            meaning === UNLISTED || (LOG_SUBTYPES as readonly unknown[]).includes(logType),
        );
      }),
      { seed: 4, numRuns: 500 },
    );
    expect(UNLISTED.ecs).toStrictEqual({ kind: 'event', category: [], type: [], outcome: 'unknown' });
    expect(UNLISTED).toMatchObject({ signIn: false, ocsf: { classUid: 0, statusId: 0 } });
    expect(UNLISTED).not.toHaveProperty('cim');
  });
});
