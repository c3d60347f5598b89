import { describe, expect, it } from 'vitest';
import { stableNumber } from '../../infra/settings/identifiers.ts';
import { destination, followed, organization, pushDestination, settings } from './settings-fixture.ts';
import { type Synthesized, synthesize } from './synthesize.ts';

const A = organization('a', { credential: 'shared' });
const B = organization('b');
const C = organization('c', { stack: 2 });
const SPLUNK = destination('splunk', { consumer: { principal: '111122223333', externalId: 'external-id' } });
const ELASTIC = destination('elastic', { kind: 'elastic' });

/** Logical ids, in all stacks, whose resource is not the same in both: added, removed or changed. */
function differences(one: Synthesized, other: Synthesized) {
  const entries = ({ templates }: Synthesized) =>
    new Map(
      [...templates].flatMap(([stack, { Resources }]) =>
        Object.entries(Resources).map(([id, { Type, Properties, DeletionPolicy }]): [string, string] => [
          `${stack} ${Type} ${id}`,
          // Not DependsOn: an order of creation, which changes nothing that is there.
          JSON.stringify({ Properties, DeletionPolicy }),
        ]),
      ),
    );
  const [before, after] = [entries(one), entries(other)];
  return {
    gone: [...before.keys()].filter((key) => !after.has(key)),
    added: [...after.keys()].filter((key) => !before.has(key)),
    changed: [...before].filter(([key, value]) => (after.get(key) ?? value) !== value).map(([key]) => key),
  };
}

/** What is drawn of everything, by what it is: it belongs to no organization or destination. */
const SHARED = /AWS::CloudWatch::Dashboard/;

describe('a deployment that changes', async () => {
  const base = await synthesize(settings({ organizations: [A, B], destinations: [SPLUNK] }));

  it('is the same when nothing changed, in whatever order things are written', async () => {
    const again = await synthesize(settings({ organizations: [B, A], destinations: [SPLUNK] }));
    const { gone, added, changed } = differences(base, again);
    expect({ gone, added, changed: changed.filter((key) => !SHARED.test(key)) }).toStrictEqual({
      gone: [],
      added: [],
      // The list of the functions that it may invoke is in another order.
      changed: changed.filter((key) => /SchedulerRole/.test(key)),
    });
  });

  it("leaves every other organization's resources as they are when one is added or removed", async () => {
    const more = await synthesize(
      settings({ organizations: [A, B, organization('new')], destinations: [SPLUNK] }),
    );
    const { gone, added, changed } = differences(base, more);
    expect(gone).toStrictEqual([]);
    expect(added.length).toBeGreaterThanOrEqual(5);
    expect(added.filter((key) => !/^orglog-collectors-1 \S+ Orgnew/.test(key))).toStrictEqual([]);
    expect(changed.filter((key) => !SHARED.test(key))).toStrictEqual([
      expect.stringMatching(/^orglog-collectors-1 AWS::IAM::Role SchedulerRole/),
    ]);
  });

  it('adds a stack without touching the others', async () => {
    const more = await synthesize(settings({ organizations: [A, B, C], destinations: [SPLUNK] }));
    const { gone, added, changed } = differences(base, more);
    expect(gone).toStrictEqual([]);
    expect(added.filter((key) => !key.startsWith('orglog-collectors-2 '))).toStrictEqual([]);
    expect(changed.filter((key) => !SHARED.test(key))).toStrictEqual([]);
  });

  it('adds and removes identity records without touching anything else', async () => {
    const records = { environments: ['prod'], redact: ['mail'] };
    const one = await synthesize(
      settings({ organizations: [A, followed('b', records)], destinations: [SPLUNK] }),
    );
    const added = differences(base, one);
    expect([added.gone, added.changed.filter((key) => !SHARED.test(key))]).toStrictEqual([[], []]);
    expect(added.added.filter((key) => !key.startsWith('orglog-identities-1 '))).toStrictEqual([]);
    expect(one.after.get('orglog-identities-1')).toStrictEqual(['orglog-foundation']);

    const more = await synthesize(
      settings({
        organizations: [
          { ...A, identities: { environments: ['prod'] } },
          followed('b', { ...records, environments: ['test', 'prod'] }),
        ],
        destinations: [SPLUNK],
      }),
    );
    const further = differences(one, more);
    expect(further.gone).toStrictEqual([]);
    expect(further.added.filter((key) => !/^orglog-identities-1 \S+ Org(a|btest)/.test(key))).toStrictEqual(
      [],
    );
    expect(further.changed.filter((key) => !SHARED.test(key))).toStrictEqual([
      expect.stringMatching(/^orglog-identities-1 AWS::IAM::Role SchedulerRole/),
    ]);
  });

  it("leaves every other destination's resources as they are when one is added or removed", async () => {
    const more = await synthesize(settings({ organizations: [A, B], destinations: [ELASTIC, SPLUNK] }));
    const { gone, added, changed } = differences(base, more);
    expect(gone).toStrictEqual([]);
    expect(added.length).toBeGreaterThanOrEqual(5);
    expect(added.filter((key) => !/^orglog-foundation \S+ \w*elastic/i.test(key))).toStrictEqual([]);
    // Who announces must be told of it: functions and their roles, and nothing that holds anything.
    expect(
      changed
        .filter((key) => !SHARED.test(key))
        .filter((key) => !/ AWS::(Lambda::Function|IAM::Role) Org[ab]/.test(key)),
    ).toStrictEqual([]);
  });

  it("leaves every other destination's resources as they are when orglog pushes to one more, or to one less", async () => {
    const pushing = [SPLUNK, pushDestination('hec')];
    const one = await synthesize(settings({ organizations: [A, B], destinations: pushing }));
    const more = await synthesize(
      settings({
        organizations: [A, B],
        destinations: [pushDestination('bulk', 'elastic'), pushDestination('hec2'), ...pushing],
      }),
    );
    const { gone, added, changed } = differences(one, more);
    expect(gone).toStrictEqual([]);
    expect(added.filter((key) => !/^orglog-foundation \S+ \w*?(bulk|hec2)/.test(key))).toStrictEqual([]);
    for (const type of [
      'Lambda::Function',
      'Lambda::EventSourceMapping',
      'SQS::Queue',
      'CloudWatch::Alarm',
    ]) {
      for (const id of ['bulk', 'hec2']) {
        expect(added).toContainEqual(expect.stringMatching(new RegExp(` AWS::${type} \\w*${id}`)));
      }
    }
    expect(
      changed
        .filter((key) => !SHARED.test(key))
        .filter((key) => !/ AWS::(Lambda::Function|IAM::Role) Org[ab]/.test(key)),
    ).toStrictEqual([]);
  });

  it('says nothing from stack to stack that could not be taken back', async () => {
    const { templates, after } = await synthesize(
      settings({ organizations: [A, B, C], destinations: [SPLUNK] }),
    );
    const text = JSON.stringify([...templates]);
    expect(text).not.toContain('Fn::ImportValue');
    expect(text).not.toContain('"Export"');
    expect(after.get('orglog-foundation')).toStrictEqual([]);
    expect(after.get('orglog-collectors-1')).toStrictEqual(['orglog-foundation']);
    expect(after.get('orglog-collectors-2')).toStrictEqual(['orglog-foundation']);
  });

  it('keeps the minute of each schedule for good', () => {
    expect(['institution', 'college', 'a'].map((id) => stableNumber(id, 5))).toStrictEqual([2, 3, 0]);
  });
});
