import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALARMS } from '../../infra/settings/alarm-names.ts';
import { orglogHere } from '../cli/in-process.ts';
import { WHERE } from './desk.ts';
import { type Block, commandsOf, entriesOf, RUNBOOK, wordsOf } from './entries.ts';

const PARTS = ['Means', 'Urgency', 'First', 'You see', 'Causes and cures', 'Call the provider'];
const TESTS = ['organization', 'destination', 'identity'].map((about) => `test/runbook/${about}-entries.ts`);

describe('docs/runbook.md', () => {
  const text = readFileSync(RUNBOOK, 'utf8');
  const entries = entriesOf(RUNBOOK);
  const named = [...entries.keys()].filter((name) => name !== '' && name !== WHERE);

  it('has an entry for each alarm under its name, and no others', () => {
    expect(named).toStrictEqual([...ALARMS]);
  });

  it('begins with the two commands that are always right', () => {
    const [first] = entries.get('')?.blocks ?? [];
    expect(first?.text.split('\n')).toStrictEqual(['orglog status', 'orglog check']);
    expect(first?.line).toBeLessThan(8);
  });

  it.each(ALARMS)('has all parts of %s, in their order, and a test', (alarm) => {
    const entry = entries.get(alarm)?.text ?? '';
    const at = PARTS.map((part) => entry.indexOf(`**${part}**`));
    expect(at.every((place, index) => place > (at[index - 1] ?? 0))).toBe(true);
    const [first] = entries.get(alarm)?.blocks ?? [];
    expect(first).toMatchObject({ kind: 'sh', under: 'First' });
    const tests = TESTS.map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(tests).toMatch(new RegExp(`'${alarm}[:,]`));
  });

  it('links only to what it has', () => {
    const anchors = new Set([...entries.keys()].map((name) => name.toLowerCase().replaceAll(' ', '-')));
    const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !anchors.has(anchor ?? ''))).toStrictEqual([]);
  });
});

describe('every `orglog` line', () => {
  it.each(linesOf(RUNBOOK))('%s', async (line) => expectCallable(line));
  it.each(linesOf('README.md'))('of the README: %s', async (line) => expectCallable(line));
});

describe('the examples of --help', () => {
  const commands = ['status', 'verify', 'replay', 'rewind', 'redrive', 'pause', 'resume', 'check'];
  const groups = ['rejected list', 'rejected retry', 'secret set'];

  it.each([...commands, ...groups])('of %s can be called as they stand', async (command) => {
    const { stdout } = await orglogHere([...command.split(' '), '--help']);
    const [, shown = ''] = /\nExamples:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const lines = commandsOf({ text: shown });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toContain(`orglog ${command} `);
      await expectCallable(line.replaceAll(/ --(data-dir|profile|stack|region) \S+/g, ''));
    }
  });
});

it('a line that cannot be called is found', async () => {
  await expect(expectCallable('orglog replay --organization institution')).rejects.toThrow();
});

/** In blocks, and those in a sentence that are whole. */
function linesOf(path: string): string[] {
  const blocks: Pick<Block, 'text'>[] = [...entriesOf(path).values()].flatMap(({ blocks: all }) =>
    all.filter(({ kind }) => kind === 'sh'),
  );
  const inText = [...readFileSync(path, 'utf8').matchAll(/`(orglog [a-z]+ [^`…<]*--[^`…<]+)`/g)];
  const lines = [...blocks.flatMap(commandsOf), ...inText.map(([, line = '']) => line)];
  const ours = lines.map((line) => line.replace(/^npm run -s orglog -- /, 'orglog '));
  return [...new Set(ours.filter((line) => line.startsWith('orglog ')))];
}

/** The program's own parser takes it: whatever comes of it then, the call is not what is wrong. */
async function expectCallable(line: string): Promise<void> {
  const filled = line
    .replace(/'?<FROM>'?/g, '2026-01-02')
    .replace(/<[^>]+>/g, '1')
    .replace(/(?<=^orglog .*) \| .*$/, '');
  const [, ...words] = wordsOf(filled.replace(INTO, ''));
  const ended = new AbortController();
  ended.abort();
  const { outcome, stderr } = await orglogHere(words, {
    ...(INTO.test(filled) ? {} : { columns: 80 }),
    env: NOWHERE,
    input: '',
    stop: ended.signal,
  });
  expect({ outcome, stderr }).not.toMatchObject({ outcome: 2 });
}

/** What comes through a pipe. */
const INTO = /^.* \| (?=orglog )/;

/** A system that is not there, and nobody listening. */
const NOWHERE = {
  ORGLOG_DATA_DIR: '/nowhere',
  ORGLOG_BASE_URL: 'http://127.0.0.1:1',
  ORGLOG_USERNAME: 'demo',
  ORGLOG_PASSWORD: 'demo',
};
