import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../../functions/core/identities/identity.ts';
import type { Provider } from '../../../../local/provider/server.ts';
import { DAY, NOON, ORG_URL, OTHER_URL } from '../support.ts';
import { AUTHORITIES, ask, createPerson, startIdentities } from './support.ts';

const everyone = (provider: Provider, environment: 'test' | 'prod' = 'prod') => [
  ...provider.identities.all(ORG_URL, environment),
];
const mayHold = (each: Identity, authority: string) =>
  each.attributeCollections?.filter((one) => one.attributeCollectionAuthority === authority) ?? [];

describe('seeded identities', () => {
  it('are the same for the same seed, and others for another', async () => {
    const seeded = async (seed: number) => {
      await using provider = await startIdentities();
      provider.identities.seed(ORG_URL, { environment: 'prod', count: 300, seed });
      return everyone(provider);
    };
    const [one, same, other] = [await seeded(1), await seeded(1), await seeded(2)];
    expect(same).toEqual(one);
    expect(other.map(({ serviceUid }) => serviceUid)).not.toEqual(one.map(({ serviceUid }) => serviceUid));
  });

  it('are a realistic mix', async () => {
    await using provider = await startIdentities();
    provider.identities.seed(ORG_URL, { environment: 'prod', count: 4000, seed: 1 });
    const all = everyone(provider);
    expect([all.length, provider.identities.count(ORG_URL, 'prod')]).toEqual([4000, 4000]);
    expect(provider.identities.count(ORG_URL, 'test') + provider.identities.count(OTHER_URL, 'prod')).toBe(0);
    const { personnel, students, hosted, gateways, remote } = AUTHORITIES;
    for (const [authority, low, high] of [
      [personnel, 0.6, 0.8],
      [students, 0.2, 0.4],
      [gateways[0], 0.1, 0.3],
      [hosted, 0.15, 0.3],
      [remote, 0.02, 0.08],
    ] as const) {
      const share = all.filter((each) => mayHold(each, authority).length > 0).length / all.length;
      expect(share).toBeGreaterThan(low);
      expect(share).toBeLessThan(high);
    }
    const bare = all.filter(({ attributeCollections }) => attributeCollections?.length === 0);
    expect(bare.length).toBeGreaterThan(100);
    const used = all.flatMap((each) => mayHold(each, gateways[0])).filter((each) => each.credentialLastUsed);
    expect(used.length).toBeGreaterThan(200);
    const times = all.map(({ createTime }) => createTime);
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBeLessThan(times.length - 200);
    expect(Date.parse(String(times[0]))).toBeGreaterThanOrEqual(NOON - 1000 * DAY);
    expect(Date.parse(String(times.at(-1)))).toBeLessThanOrEqual(NOON);
    expect(new Set(all.map(({ mail }) => mail)).size).toBeLessThan(all.length);
  });

  it('can be added to those that are there', async () => {
    await using provider = await startIdentities();
    for (const seed of [1, 2]) provider.identities.seed(ORG_URL, { environment: 'prod', count: 20, seed });
    expect(new Set(everyone(provider).map(({ serviceUid }) => serviceUid)).size).toBe(40);
    expect(() =>
      provider.identities.seed('https://nowhere.example/', { environment: 'prod', count: 1, seed: 1 }),
    ).toThrow(/no organization/);
  });
});

describe('seeded changes', () => {
  it('are the same for the same seed, and all that they say happened', async () => {
    const changed = async () => {
      let now = NOON;
      await using provider = await startIdentities([], { now: () => now });
      provider.identities.seed(ORG_URL, { environment: 'prod', count: 400, seed: 1 });
      now += DAY;
      const before = new Map(everyone(provider).map((each) => [each.serviceUid, each]));
      const changes = provider.identities.change(ORG_URL, { environment: 'prod', count: 250, seed: 9 });
      return { before, changes, after: everyone(provider), events: [...provider.lines(ORG_URL)] };
    };
    const [one, same] = [await changed(), await changed()];
    expect(same).toEqual(one);
    const { before, changes, after, events } = one;
    expect(changes).toHaveLength(250);
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(changes, ({ kind }) => kind)).map(([kind, list]) => [
        kind,
        list?.length ?? 0,
      ]),
    );
    expect(Object.keys(counts).sort()).toEqual(
      ['attributes', 'created', 'linked', 'modified', 'removed', 'unlinked', 'used'].sort(),
    );
    expect(after).toHaveLength(400 + Number(counts.created) - Number(counts.removed));
    expect(events.length).toBeGreaterThanOrEqual(250);
    const gone = new Set(changes.flatMap(({ kind, serviceUid }) => (kind === 'removed' ? [serviceUid] : [])));
    const byUid = new Map(after.map((each) => [each.serviceUid, each]));
    for (const { kind, serviceUid } of changes) {
      expect(byUid.has(serviceUid)).toBe(!gone.has(serviceUid));
      if (!gone.has(serviceUid)) expect(byUid.get(serviceUid)).not.toEqual(before.get(serviceUid));
      if (kind === 'created') expect(before.has(serviceUid)).toBe(false);
    }
    const touched = new Set(changes.map(({ serviceUid }) => serviceUid));
    for (const [uid, identity] of before) if (!touched.has(uid)) expect(byUid.get(uid)).toEqual(identity);
  });

  it('begin with creations where nobody is', async () => {
    await using provider = await startIdentities();
    const changes = provider.identities.change(ORG_URL, { environment: 'test', count: 30, seed: 2 });
    expect([changes.length, changes[0]?.kind]).toEqual([30, 'created']);
    expect(provider.identities.count(ORG_URL, 'prod')).toBe(0);
  });
});

it('keeps identities, and what they are found by, over a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'identities-'));
  try {
    const file = join(folder, 'state.sqlite');
    let before: Identity[];
    let made: { serviceUid: string; mail: string };
    {
      await using provider = await startIdentities([], { file });
      provider.identities.seed(ORG_URL, { environment: 'prod', count: 60, seed: 1 });
      made = await createPerson(provider, 'ann', { obid: true });
      provider.identities.remove(ORG_URL, (await createPerson(provider, 'bob')).serviceUid);
      before = everyone(provider);
    }
    await using provider = await startIdentities([], { file });
    expect(everyone(provider)).toEqual(before);
    expect((await ask(provider, 'GET', '/search/prod/ann@inst')).json).toEqual([made.serviceUid]);
    const query = { attributeAuthority: AUTHORITIES.hosted, page_size: 50, sort_order: 'desc' };
    const list = await ask(provider, 'GET', '/list/byAttributeCollection/prod', { query });
    expect(list.json.items[0]).toEqual(made);
    await createPerson(provider, 'cy');
    expect(everyone(provider).at(-1)?.givenName).toBe('cy');
  } finally {
    await rm(folder, { recursive: true });
  }
});
