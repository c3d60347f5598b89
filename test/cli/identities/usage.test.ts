import { describe, expect, test } from 'vitest';
import { orglogHere, type Surroundings } from '../in-process.ts';
import { PASSWORD, widest } from './bed.ts';

/** Nobody is called here: nothing listens on port 1. */
const env = {
  ORGLOG_BASE_URL: 'http://127.0.0.1:1',
  ORGLOG_USERNAME: 'writer',
  ORGLOG_PASSWORD: PASSWORD,
};

const run = (args: readonly string[], surroundings: Surroundings = {}) =>
  orglogHere(['identities', ...args], { env, ...surroundings });

/** The faults of a call, which must be a usage fault that printed nothing else. */
async function faultsOf(args: readonly string[], surroundings?: Surroundings): Promise<string[]> {
  const { outcome, stdout, stderr } = await run(args, surroundings);
  expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
  const lines = stderr.split('\n');
  expect(lines[0]).toMatch(/^orglog identities [a-z ]+: (one fault|\d+ faults) in what it was given:$/);
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^See `orglog identities .* --help`\.$/), '']);
  return lines.slice(1, -2).map((line) => line.trim());
}

const COMMANDS: readonly (readonly string[])[] = [
  [],
  ['permissions'],
  ['list'],
  ['search'],
  ['fetch'],
  ['create'],
  ['modify'],
  ['collection'],
  ['collection', 'create'],
  ['collection', 'modify'],
  ['collection', 'delete'],
  ['credential'],
  ['credential', 'create'],
  ['credential', 'delete'],
  ['hosted'],
  ['hosted', 'create'],
];

describe('help', () => {
  test.each(COMMANDS)('of %s %s fits 80 columns and has what a reader needs', async (...command) => {
    const { outcome, stdout, stderr } = await run([...command, '--help']);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stdout.startsWith(`Usage: ${['orglog', 'identities', ...command].join(' ')}`)).toBe(true);
    if (/^(|collection|credential|hosted)$/.test(command.join(' '))) return;
    expect(stdout).toContain('Examples:\n  orglog identities ');
    expect(stdout).toMatch(/Exit codes: 0 fine, 1 trouble.*\n.*130 interrupted\.\n$/);
  });

  test('of the whole names every command', async () => {
    const { stdout } = await run(['--help']);
    for (const [name] of COMMANDS.slice(1)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  });

  test('is shown as a usage fault where a command is missing, or unknown', async () => {
    expect(await run([])).toMatchObject({
      outcome: 2,
      stdout: '',
      stderr: expect.stringContaining('search'),
    });
    const { outcome, stderr } = await run(['lsit']);
    expect(outcome).toBe(2);
    expect(stderr).toContain('Did you mean list?');
  });
});

describe('all faults at once', () => {
  test('of list', async () => {
    const args = ['list', '--bogus=secret', 'x', '--page', '0', '--page-size', '51', '--sort', 'id', '--all'];
    const more = ['--order', 'up', '--uid', 'u', '--environment', 'dev', '--uid-field', 'a-b'];
    const aws = ['--region', 'nowhere', '--base-url', 'http://me:pw@institution.edu'];
    expect(await faultsOf([...args, ...more, ...aws], { env: { ORGLOG_USERNAME: 'a:b' } })).toEqual([
      '--bogus: there is no such option',
      '"x": expected no argument here',
      '--environment "dev": expected test or prod',
      '--page "0": expected a whole number from 1 to 1000000000',
      '--page-size "51": expected a whole number from 1 to 50',
      '--order "up": expected asc or desc',
      '--uid: expected together with --authority only',
      '--sort "id": expected together with --authority only',
      '--page: expected without --all',
      expect.stringMatching(/^--base-url "http:\/\/…@institution\.edu": .*credentials/),
      '--uid-field "a-b": expected the name of a field, for example serviceUid',
      '--region "nowhere": expected the name of a region, for example us-east-1',
      'ORGLOG_USERNAME (environment): expected no colon and no control character',
      expect.stringMatching(/^ORGLOG_PASSWORD \(environment\): not set/),
      '--region: expected together with --secret only',
    ]);
  });

  test('of create', async () => {
    expect(
      await faultsOf([
        ...[
          'create',
          '--mail',
          'nobody',
          '--sn',
          '',
          '--collection',
          'hr:1',
          '--collection',
          'authority=a,uid=',
        ],
        ...['--credential', 'authority=a,uid=b,key=value'],
      ]),
    ).toEqual([
      '--mail "nobody": expected an e-mail address',
      '--sn "": expected a surname',
      expect.stringMatching(/^--collection "hr:1": expected authority=…,uid=…,key=value…/),
      expect.stringMatching(/^--collection "authority=a,uid=": expected authority=…/),
      '--credential "authority=a,uid=b,key=value": expected authority=…,uid=…',
      '--given-name: missing; expected, or a document with --input',
    ]);
  });

  test('of a document for create', async () => {
    const input = JSON.stringify({
      ...{ mail: 'x', givenName: 'A', obid: 'yes', colour: 'red' },
      attributeCollections: [{ attributeCollectionAuthority: 'a', attributes: { k: 'v' } }],
    });
    expect(await faultsOf(['create', '--input', '-', '--mail', 'a@institution.edu'], { input })).toEqual([
      '--input "-": mail: expected an e-mail address',
      '--input "-": sn: expected a string',
      '--input "-": obid: expected true or false',
      '--input "-": attributeCollections.0.uid: expected a string',
      '--input "-": attributeCollections.0.attributes.k: expected a list of strings',
      '--input "-": Unrecognized key: "colour"',
      '--mail: expected in the document of --input',
    ]);
  });

  test.each([
    ['a file that is not there', '/nowhere.json', '', 'it cannot be read (ENOENT)'],
    ['what is no JSON', '-', '{"mail": "secret@institution.edu"', 'it is not JSON'],
    ['JSON of another kind', '-', '[]', 'expected object'],
  ])('of %s', async (_what, path, input, fault) => {
    const [first = ''] = await faultsOf(['create', '--input', path], { input });
    expect(first).toContain(`--input "${path}": `);
    expect(first).toContain(fault);
    expect(first).not.toContain('secret');
  });

  test('a document is not typed on the terminal that will be asked', async () => {
    expect(await faultsOf(['create', '--input', '-'], { columns: 80 })).toEqual([
      '--input "-": expected a pipe on standard input, not a terminal',
    ]);
  });

  test('of modify', async () => {
    expect(await faultsOf(['modify', 'a', 'b', '--quiet'])).toEqual([
      '"b": expected no argument here',
      '--quiet: there is no such option',
      '--mail, --given-name, --sn: all missing; expected at least one of them',
    ]);
  });

  test.each([
    ['fetch', ["<serviceUid>: missing; expected an identity's identifier"]],
    ['search', ['<term>: missing; expected a part of a name or an e-mail address']],
    [
      'collection create',
      [
        "<serviceUid>: missing; expected an identity's identifier",
        '--authority: missing; expected the identifier of its authority',
        '--uid: missing; expected its identifier within the authority',
      ],
    ],
    [
      'hosted create',
      [
        "<serviceUid>: missing; expected an identity's identifier",
        '--email: missing; expected an e-mail address',
        '--surname: missing; expected a surname',
      ],
    ],
  ])('of %s without anything', async (command, faults) => {
    expect(await faultsOf(command.split(' '))).toEqual(faults);
  });

  test('of attributes', async () => {
    const at = ['--authority', 'a', '--uid', 'u'];
    expect(await faultsOf(['collection', 'modify', 'id', ...at])).toEqual([
      '--attribute: missing; expected at least one (or --attributes, or --overwrite to remove all)',
    ]);
    const both = ['--attribute', 'k=v', '--attribute', 'none', '--attributes', '-'];
    expect(await faultsOf(['collection', 'create', 'id', ...at, ...both], { input: '{"k": [1]}' })).toEqual([
      '--attribute "none": expected key=value',
      '--attributes "-": k.0: expected a string',
      '--attributes: expected without --attribute',
    ]);
  });

  test('of the address and the credential', async () => {
    expect(await faultsOf(['permissions'], { env: {} })).toEqual([
      "--base-url: missing; expected the provider's address here, or in ORGLOG_BASE_URL",
      expect.stringMatching(/^ORGLOG_USERNAME \(environment\): not set: .* its identity interface$/),
      expect.stringMatching(/^ORGLOG_PASSWORD \(environment\): not set/),
    ]);
    const [fault] = await faultsOf(['permissions'], {
      env: { ...env, ORGLOG_BASE_URL: 'http://institution.edu' },
    });
    expect(fault).toMatch(/^ORGLOG_BASE_URL \(environment\): .* is not encrypted/);
  });
});
