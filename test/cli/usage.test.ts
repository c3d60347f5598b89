import { describe, expect, test } from 'vitest';
import { orglog } from './orglog.ts';

describe('the command', () => {
  test('without a subcommand shows what there is, as a usage fault', async () => {
    const { outcome, stdout, stderr } = await orglog([]);
    expect(outcome).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('local');
  });

  test('explains itself in 80 columns', async () => {
    const { outcome, stdout } = await orglog(['local', '--help']);
    expect(outcome).toBe(0);
    expect(stdout).toContain('--base-url');
    expect(stdout).not.toContain('--batch-bytes');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('tells its version', async () => {
    expect(await orglog(['--version'])).toMatchObject({ outcome: 0, stdout: '0.1.0\n' });
  });

  test('suggests the subcommand that was meant', async () => {
    const { outcome, stderr } = await orglog(['lcoal']);
    expect(outcome).toBe(2);
    expect(stderr).toContain('Did you mean local?');
  });

  test('lists every fault of flags and environment at once, and no secret', async () => {
    const { outcome, stdout, stderr } = await orglog(
      ['local', '--limit', '1001', '--bogus', '--filter', 'colour=red', '--base-url', 'http://me:pw@x.org'],
      { ORGLOG_USERNAME: 'a:b', ORGLOG_PASSWORD: 'line\nbreak' },
    );
    expect(outcome).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toEqual([
      'orglog local: 7 faults in what it was given:',
      '  --bogus: there is no such option',
      expect.stringMatching(/^ {2}--base-url "http:\/\/…@x\.org": .*credentials/),
      '  --limit "1001": expected a whole number from 1 to 1000',
      expect.stringMatching(/^ {2}--filter "colour=red": expected one of service, logType/),
      '  --org-url: missing; expected with --base-url',
      '  ORGLOG_USERNAME (environment): expected no colon and no control character',
      expect.stringMatching(/^ {2}ORGLOG_PASSWORD \(environment\): expected no control character/),
      'See `orglog local --help`.',
      '',
    ]);
    expect(stderr).not.toMatch(/pw|line\nbreak|a:b/);
  });

  test('a flag without its value is a usage fault', async () => {
    const { outcome, stderr } = await orglog(['local', '--limit']);
    expect(outcome).toBe(2);
    expect(stderr).toContain('--limit');
  });
});
