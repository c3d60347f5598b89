import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HecEvent } from '../../local/sinks/hec-event.ts';
import { inOrder, pushBed, withoutRepeats } from '../local/push-bed.ts';
import { filesBelow, temporaryFolder } from '../local/temporary-folder.ts';
import { orglog, startOrglog } from './orglog.ts';

describe('orglog local --once --push', () => {
  test('brings every event into both sinks, and a second time nothing', async () => {
    await using bed = await pushBed();
    const args = [...bed.args, '--once', '--events', '2500', '--batch-bytes', '40000'];
    const first = await orglog(args, bed.env);
    expect(first).toMatchObject({ outcome: 0, stderr: '' });
    expect(first.stdout).toMatch(/ holds 2,500 events; splunk: 2,500 events; elastic: 2,500 events\n$/);
    const log = await bed.log();
    expect(log).toHaveLength(2500);
    for (const arrived of [bed.inSplunk(), bed.inElastic()]) {
      expect(new Set(arrived.map(([id]) => id)).size).toBe(2500);
      expect(inOrder(arrived)).toEqual(log);
    }
    expect(new Map(bed.inSplunk())).toEqual(new Map(bed.inElastic()));

    const requests = [bed.splunk.requests.length, bed.elastic.requests.length];
    const second = await orglog(args, bed.env);
    expect(second).toMatchObject({ outcome: 0, stderr: '' });
    expect(second.stdout).toMatch(/splunk: nothing new, 0 events; elastic: nothing new, 0 events\n$/);
    expect([bed.splunk.requests.length, bed.elastic.requests.length]).toEqual(requests);
  });

  test('starts stand-ins of its own, and says what becomes of their events', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '700', '--data-dir', folder.path];
    const { outcome, stdout } = await orglog([...args, '--push', 'elastic', '--push', 'splunk']);
    expect({ outcome, stdout }).toEqual({
      outcome: 0,
      stdout: expect.stringMatching(
        /; elastic: 700 events; splunk: 700 events; stand-ins keep theirs in memory only\n$/,
      ),
    });
  });

  test('a sink that is added later gets what is collected from then on', async () => {
    await using bed = await pushBed();
    const args = [...bed.args.slice(0, 3), '--events', '300'];
    await orglog([...args, '--once'], bed.env);
    const late = await orglog([...bed.args, '--once'], bed.env);
    expect(late.stdout).toContain('splunk: nothing new, 0 events, new here: it gets what is collected from');
    const before = await bed.log();
    await using running = startOrglog([...bed.args, '--every', '1'], bed.env);
    await running.printed(/ siem \d+, splunk \d+, elastic \d+/);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ outcome: 0, stderr: '' });
    await orglog([...bed.args, '--once'], bed.env);
    const since = (await bed.log()).slice(before.length);
    expect(since.length).toBeGreaterThan(0);
    expect(inOrder(bed.inSplunk())).toEqual(since);
    expect(inOrder(bed.inElastic())).toEqual(since);
  });

  test('an event that a sink refuses is laid aside, and all others arrive', async () => {
    await using bed = await pushBed();
    const isPoison = ({ fields }: HecEvent) => /:1:40"$/.test(fields.event_id ?? '');
    bed.splunk.faults.add({ kind: 'refuse', code: 15, which: isPoison }, { times: Infinity });
    const { outcome, stdout } = await orglog([...bed.args, '--once', '--events', '100'], bed.env);
    expect({ outcome, stdout }).toEqual({
      outcome: 0,
      stdout: expect.stringMatching(
        /splunk: 99 events, 1 rejected \(see rejected\/ in the archive\); elastic: 100 events\n$/,
      ),
    });
    const log = await bed.log();
    expect(inOrder(withoutRepeats(bed.inSplunk()).once)).toEqual(log.toSpliced(39, 1));
    const archive = join(bed.folder.path, 'archive');
    const rejected = (await filesBelow(archive)).filter((path) => /^rejected\/.*-40\.ndjson$/.test(path));
    expect(rejected).toEqual([expect.stringMatching(/^rejected\/splunk\//)]);
    const text = await readFile(join(archive, rejected[0] ?? ''), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ event: log[39], line: 40, destination: 'splunk' });
  });
});

describe('trouble with a sink', () => {
  test('a refused token ends --once in one sentence; with the right one, all arrives', async () => {
    await using bed = await pushBed();
    const args = [...bed.args, '--once', '--events', '300', '--batch-bytes', '1', '--limit', '50'];
    const refused = await orglog(args, { ...bed.env, ORGLOG_SPLUNK_TOKEN: 'stale' });
    expect(refused).toMatchObject({ outcome: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^orglog: splunk: HEC answered 403.*\(the credential comes from ORGLOG_SPLUNK_TOKEN\); 6 batches wait, and the next start tries again\n$/,
    );
    expect(refused.stderr).not.toContain('stale');
    // Nobody hammers with it, and the other sink has everything.
    expect(bed.splunk.requests.length).toBeLessThanOrEqual(2);
    expect(bed.inElastic()).toHaveLength(300);
    expect(await orglog(args, bed.env)).toMatchObject({ outcome: 0, stderr: '' });
    expect(inOrder(bed.inSplunk())).toEqual(await bed.log());
  });

  test('a sink that is not there ends --once in one sentence', async () => {
    await using bed = await pushBed();
    const { url } = bed.elastic;
    await bed.elastic.close();
    const { outcome, stderr } = await orglog([...bed.args, '--once', '--events', '10'], bed.env);
    expect({ outcome, stderr }).toEqual({
      outcome: 1,
      stderr: `orglog: elastic: ${url}: the connection was refused (ECONNREFUSED); 1 batch waits, and the next start tries again\n`,
    });
    expect(bed.inSplunk()).toHaveLength(10);
  });

  test('without --once it is told, and what waits is delivered later', async () => {
    await using bed = await pushBed();
    const args = [...bed.args, '--events', '100', '--every', '1'];
    await using running = startOrglog(args, { ...bed.env, ORGLOG_ELASTIC_API_KEY: 'stale' });
    await running.complained(/ elastic: /);
    running.kill('SIGINT');
    const { outcome, stderr, stdout } = await running.ended;
    expect({ outcome, stderr }).toEqual({
      outcome: 0,
      stderr: expect.stringMatching(/^\S+ elastic: Elasticsearch answered 401.*ORGLOG_ELASTIC_API_KEY\)\n$/),
    });
    expect(stdout).toMatch(/elastic: 0 events, \d+ batch(es)? queued; stopped/);
    expect(await orglog([...args, '--once'], bed.env)).toMatchObject({ outcome: 0 });
    expect(inOrder(bed.inElastic())).toEqual(await bed.log());
  });
});
