import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startProvider } from '../../local/provider/server.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { orglog, startOrglog } from './orglog.ts';

/** What the stand-in of a data folder holds, and what its SIEM got. */
async function bothSides(folder: string): Promise<{ log: string[]; siem: string[] }> {
  await using provider = await startProvider({
    file: join(folder, 'provider.sqlite'),
    organizations: [],
    credentials: [],
  });
  const siem = await readFile(join(folder, 'siem.ndjson'), 'utf8');
  return { log: [...provider.lines('https://institution.edu/')], siem: siem.split('\n').slice(0, -1) };
}

describe('orglog local --once', () => {
  test('brings all of the log into the SIEM in order, and a second time nothing new', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '2500', '--data-dir', folder.path];
    const first = await orglog(args);
    expect(first).toMatchObject({ outcome: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^institution: 2,500 events in \d+ pages and 1 batch, [\d.]+ MB \([\d.]+ kB stored\), [\d.]+ s; .*siem\.ndjson holds 2,500 events\n$/,
    );
    const second = await orglog(args);
    expect(second).toMatchObject({ outcome: 0, stderr: '' });
    expect(second.stdout).toMatch(/^institution: nothing new, 0 events in 1 page, .*holds 2,500 events\n$/);
    const { log, siem } = await bothSides(folder.path);
    expect(siem).toHaveLength(2500);
    expect(siem).toEqual(log);
  });

  test('an empty log is no trouble', async () => {
    await using folder = await temporaryFolder();
    const { outcome, stdout } = await orglog(['local', '--once', '--events', '0', '--data-dir', folder.path]);
    expect({ outcome, stdout }).toEqual({ outcome: 0, stdout: expect.stringContaining('nothing new') });
  });

  test('many small batches end up as one file', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '1000', '--limit', '50', '--batch-bytes', '1'];
    const { stdout } = await orglog([...args, '--data-dir', folder.path]);
    expect(stdout).toMatch(/1,000 events in 2[01] pages and 20 batches/);
    const { log, siem } = await bothSides(folder.path);
    expect(siem).toEqual(log);
  });

  test('a torn tail of the SIEM file is cut off; a file that was moved away begins anew', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '100', '--data-dir', folder.path];
    await orglog(args);
    const path = join(folder.path, 'siem.ndjson');
    const whole = await readFile(path, 'utf8');
    await appendFile(path, '{"torn":');
    await orglog(args);
    expect(await readFile(path, 'utf8')).toBe(whole);
    await rename(path, `${path}.1`);
    expect(await orglog(args)).toMatchObject({
      outcome: 0,
      stdout: expect.stringContaining('holds 0 events'),
    });
  });

  test('a SIEM file that lost a part is not written on', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '100', '--data-dir', folder.path];
    await orglog(args);
    await writeFile(join(folder.path, 'siem.ndjson'), 'short\n');
    expect(await orglog(args)).toEqual({
      outcome: 1,
      stdout: '',
      stderr: expect.stringMatching(/^orglog: .*siem\.ndjson has 6 bytes, but \d+ were written: .*\n$/),
    });
  });

  test('a damaged file of its own is told in one sentence', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--once', '--events', '100', '--data-dir', folder.path];
    await writeFile(
      join(folder.path, 'siem.sqlite'),
      'no database at all, and far too short to be one of them',
    );
    const broken = await orglog(args);
    expect(broken).toMatchObject({ outcome: 1, stderr: expect.stringContaining('siem.sqlite') });
    expect(broken.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('orglog local', () => {
  test('goes on until Ctrl-C, ends cleanly, and the next start goes on from there', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--events', '1500', '--every', '1', '--data-dir', folder.path];
    await using running = startOrglog(args);
    await running.printed(/ events in /);
    running.kill('SIGINT');
    const first = await running.ended;
    expect(first).toMatchObject({ outcome: 0, stderr: '' });
    expect(first.stdout.trim().split('\n').at(-1)).toMatch(/stopped; the next start goes on from here$/);

    await using again = startOrglog(args);
    await again.printed(/ events in /);
    again.kill('SIGTERM');
    expect(await again.ended).toMatchObject({ outcome: 0, stderr: '' });
    await orglog([...args, '--once']);
    const { log, siem } = await bothSides(folder.path);
    expect(log.length).toBeGreaterThan(1500);
    expect(siem).toEqual(log);
  });

  test('refuses a folder in which another one is at work', async () => {
    await using folder = await temporaryFolder();
    const args = ['local', '--events', '10', '--data-dir', folder.path];
    await using running = startOrglog(args);
    await running.printed(/ events in /);
    expect(await orglog([...args, '--once'])).toEqual({
      outcome: 1,
      stdout: '',
      stderr: `orglog: another orglog is at work in ${folder.path}: stop that one first, or name another folder with --data-dir\n`,
    });
    running.kill('SIGKILL');
    await running.ended;
    expect(await orglog([...args, '--once'])).toMatchObject({ outcome: 0 });
  });
});
