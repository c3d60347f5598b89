import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom, mixSeeds } from '../../local/provider/random.ts';
import { startProvider } from '../../local/provider/server.ts';
import { orglog, startOrglog } from '../cli/orglog.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MAIN = join(import.meta.dirname, '../../local/provider/main.ts');
const ORG_URL = 'https://institution.edu/';
const ENV = { ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: 'correct-horse' };
const KILLS = 12;

/** The stand-in in a process of its own. */
async function standIn(file: string, ...flags: string[]) {
  const child = spawn(process.execPath, [MAIN, '--file', file, '--org-url', ORG_URL, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENV,
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => expect.fail('the stand-in did not start')),
  ]);
  return {
    url: String(JSON.parse(line).url),
    async [Symbol.asyncDispose]() {
      const over = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await over;
    },
  };
}

test('kill -9 at any moment, over and over: each event is in the SIEM exactly once and in order', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'provider.sqlite');
  const data = join(folder.path, 'data');
  const random = createRandom(mixSeeds(20));
  // One page a batch: as many puts, commits and announcements as can be, so that kills fall between them.
  const reading = (url: string) => [
    ...['local', '--base-url', url, '--org-url', ORG_URL, '--data-dir', data],
    ...['--every', '1', '--limit', '20', '--batch-bytes', '1'],
  ];
  let url: string;
  let busyKills = 0;
  {
    await using producing = await standIn(file, '--events', '6000', '--live-per-hour', '360000');
    url = producing.url;
    let lines = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await using running = startOrglog(reading(url), ENV);

      // Every other one is left to get to work first, however slow the machine.
      if (kill % 2 === 1) await running.printed(/ events in /);
      await delay(kill % 2 === 1 ? random.next() * 600 : 200 + random.next() * 1200);
      running.kill('SIGKILL');
      expect((await running.ended).outcome).toBe('SIGKILL');
      const now = (await siemOf(data)).length;
      if (now > lines) busyKills++;
      lines = now;
    }
  }
  {
    await using quiet = await standIn(file, '--port', new URL(url).port);
    expect(quiet.url).toBe(url);
    const last = await orglog([...reading(url), '--once'], ENV);
    expect(last).toMatchObject({ outcome: 0, stderr: '' });
  }
  await using log = await startProvider({ file, organizations: [], credentials: [] });
  const expected = [...log.lines(ORG_URL)];
  const found = await siemOf(data);
  expect(busyKills).toBeGreaterThanOrEqual(KILLS / 2);
  expect(expected.length).toBeGreaterThan(6000);
  expect(found.length).toBe(expected.length);
  expect(found).toEqual(expected);
  console.log(
    `kill -9: ${KILLS} kills, ${busyKills} of them after new events; ${found.length} events, each once`,
  );
});

async function siemOf(data: string): Promise<string[]> {
  const text = await readFile(join(data, 'siem.ndjson'), 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}
