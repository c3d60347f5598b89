import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import { startProvider } from '../../local/provider/server.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { orglogHere } from './in-process.ts';
import { orglog } from './orglog.ts';

const ORG_URL = 'https://institution.edu/';

async function feedIn(folder: string): Promise<FeedEvent[]> {
  const text = await readFile(join(folder, 'siem-identities.ndjson'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Who is there by what the feed says. */
function presentBy(feed: readonly FeedEvent[]): string[] {
  const present = new Set<string>();
  for (const { action, serviceUid } of feed) {
    if (action === 'identity.removed') present.delete(serviceUid);
    else if (action === 'identity.snapshot' || action === 'identity.created') present.add(serviceUid);
  }
  return [...present].sort();
}

async function presentAtProvider(folder: string): Promise<string[]> {
  await using provider = await startProvider({
    file: join(folder, 'provider.sqlite'),
    organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
    credentials: [],
  });
  return [...provider.identities.all(ORG_URL, 'prod')].map(({ serviceUid }) => serviceUid).sort();
}

describe('orglog local --identities', () => {
  test('brings a snapshot into the SIEM, then what changed, and the log beside it', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '200', '--identities', '150', '--data-dir', folder.path];
    const first = await orglog([...args, '--push', 'splunk,elastic']);
    expect(first).toMatchObject({ outcome: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /identities: 1\d\d in the snapshot, \d+ changes in 2 walks; \S+siem-identities\.ndjson holds 1\d\d lines; splunk: \d+ events; elastic: \d+ events/,
    );
    const feed = await feedIn(folder.path);
    expect(feed.slice(0, 150).map(({ action }) => action)).toStrictEqual(
      Array(150).fill('identity.snapshot'),
    );
    expect(feed.length).toBeGreaterThan(150);
    expect(presentBy(feed)).toStrictEqual(await presentAtProvider(folder.path));
    const log = await readFile(join(folder.path, 'siem.ndjson'), 'utf8');
    expect(log.split('\n').length - 1).toBeGreaterThan(200);

    const replay = ['replay', '--org', 'institution', '--from', '1d', '--to', 'now', '--json'];
    const lost = [...replay, '--stream', 'identities.prod', '--destination', 'siem', '--dry-run'];
    const planned = await orglogHere([...lost, '--data-dir', folder.path]);
    expect(planned).toMatchObject({ outcome: 0 });
    expect(JSON.parse(planned.stdout)).toMatchObject({ stream: 'identities.prod', events: feed.length });

    const second = await orglog(args);
    expect(second).toMatchObject({ outcome: 0, stderr: '' });
    expect(second.stdout).toMatch(/changes in 1 walk;/);
    const more = await feedIn(folder.path);
    expect(more.length).toBeGreaterThan(feed.length);
    expect(more.slice(0, feed.length)).toStrictEqual(feed);
    expect(presentBy(more)).toStrictEqual(await presentAtProvider(folder.path));
  });

  test.each([
    [['--identities', 'prod'], 'expected how many the stand-in has'],
    [['--identities', 'all'], 'expected a number'],
    [
      ['--identities', '5', '--base-url', 'http://127.0.0.1:9', '--org-url', ORG_URL],
      'expected the environments',
    ],
  ])('%j is refused', async (flags, reason) => {
    const { outcome, stderr } = await orglog(['local', '--once', ...flags]);
    expect(outcome).toBe(2);
    expect(stderr).toContain(reason);
  });
});
