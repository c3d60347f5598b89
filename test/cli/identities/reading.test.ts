import { afterAll, describe, expect, test } from 'vitest';
import type { Identity, IdentityPage } from '../../../functions/core/identities/identity.ts';
import { scripted } from '../../adapters/identities/bed.ts';
import { AUTHORITIES, identityBed, steady, widest } from './bed.ts';

const bed = await identityBed();
afterAll(() => bed[Symbol.asyncDispose]());

/** Two whose every value is known. */
const known = await identityBed({ count: 0 });
afterAll(() => known[Symbol.asyncDispose]());
await known.create('ada@institution.edu');
await known.run([
  ...['create', '--yes', '--mail', 'wolfeschlegelsteinhausenbergerdorff@institution.edu'],
  ...['--given-name', 'Adolph', '--sn', 'Wolfeschlegelsteinhausenbergerdorff'],
  ...['--collection', `authority=${AUTHORITIES.personnel},uid=4711,department=History,department=Art`],
  ...['--collection', `authority=${AUTHORITIES.students},uid=${'8309d1b5'.repeat(9)}`],
  ...['--credential', `authority=${AUTHORITIES.remote},uid=adolph`],
]);

const terminal = { columns: 80, env: { NO_COLOR: '1' } };
const ids = (json: string) => (JSON.parse(json) as IdentityPage).items.map(({ serviceUid }) => serviceUid);
const query = () => bed.provider.requests.at(-1)?.query;

/** One with every kind of collection. */
function richest(): Identity {
  const [first] = bed
    .all()
    .toSorted((a, b) => (b.attributeCollections ?? []).length - (a.attributeCollections ?? []).length);
  if (first === undefined) throw new Error('the stand-in is empty');
  return first;
}

describe('orglog identities permissions', () => {
  test('shows them on a terminal', async () => {
    const { outcome, stdout, stderr } = await bed.run(['permissions'], terminal);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "username            writer
      organization        institution.edu
      hosted credentials  read, write

      prod                 read, write, delete
        authorities        personnel
                           students
                           https://institution.edu/idp/metadata
                           https://institution.edu/gateway/social/metadata
                           https://institution.edu/gateway/federation/metadata
                           https://idp.partner.example/saml/metadata
        customer UID keys  institution:personnel

      test                 read, write, delete
        authorities        personnel
                           students
                           https://institution.edu/idp/metadata
                           https://institution.edu/gateway/social/metadata
                           https://institution.edu/gateway/federation/metadata
                           https://idp.partner.example/saml/metadata
        customer UID keys  institution:personnel
      "
    `);
  });

  test('as JSON has both environments, and lists that are never missing', async () => {
    const { stdout } = await bed.asReader(['permissions', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      username: 'reader',
      orgDomain: 'institution.edu',
      environments: {
        test: { permissions: [], customerUidKeys: [], attributeAuthorities: [] },
        prod: { permissions: ['read'], customerUidKeys: [], attributeAuthorities: [AUTHORITIES.personnel] },
      },
      obid: [],
    });
  });
});

describe('orglog identities list', () => {
  test('shows a page on a terminal', async () => {
    const { outcome, stdout } = await known.run(['list'], terminal);
    expect(outcome).toBe(0);
    expect(steady(stdout, known)).toMatchInlineSnapshot(`
      "serviceUid                            name                  mail
      4f1c0a2e-92b7-4d5e-8c11-000000000001  Ada Lovelace          ada@institution.edu
      4f1c0a2e-92b7-4d5e-8c11-000000000002  Adolph Wolfeschlege…  wolfeschlegelsteinh…
      "
    `);
    const { stderr } = await bed.run(['list', '--page-size', '3'], terminal);
    expect(stderr).toBe('page 1 of 40, 120 identities in prod; --page 2 shows more, --all everything\n');
  });

  test('cuts nothing in a pipe, and colours nothing', async () => {
    const { stdout } = await known.run(['list', '--page', '2', '--page-size', '1']);
    expect(steady(stdout, known)).toMatchInlineSnapshot(`
      "serviceUid                            name                                        mail                                                 created     updated
      4f1c0a2e-92b7-4d5e-8c11-000000000001  Adolph Wolfeschlegelsteinhausenbergerdorff  wolfeschlegelsteinhausenbergerdorff@institution.edu  2026-01-02  2026-01-02
      "
    `);
  });

  test('dims the heads on a terminal that may have colours', async () => {
    const { stdout } = await bed.run(['list', '--page-size', '1'], { columns: 80 });
    expect(stdout.startsWith('\x1b[2mserviceUid')).toBe(true);
    const plain = await bed.run(['list', '--page-size', '1'], terminal);
    expect(plain.stdout + plain.stderr).not.toContain('\x1b');
  });

  test('sends every option of the plain list', async () => {
    const args = ['list', '--environment', 'test', '--page', '2', '--page-size', '1'];
    const more = ['--sort', 'mail', '--order', 'desc', '--search', 'a', '--json'];
    const { outcome, stdout } = await bed.run([...args, ...more]);
    expect(outcome).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ totalItems: 3, pageCount: 3, pageSize: 1, pageIndex: 2 });
    expect(query()).toEqual({
      ...{ page_idx: '2', page_size: '1', sort_key: 'mail', sort_order: 'desc', search_term: 'a' },
    });
  });

  test('with an authority lists those that hold a collection of it, and their uids', async () => {
    const args = ['list', '--authority', AUTHORITIES.personnel, '--page-size', '2', '--sort', 'id'];
    const { stdout } = await known.run(args, terminal);
    expect(steady(stdout, known)).toMatchInlineSnapshot(`
      "serviceUid                            name               mail               uid
      4f1c0a2e-92b7-4d5e-8c11-000000000001  Adolph Wolfeschl…  wolfeschlegelste…  4711
      "
    `);
    const [identity] = (JSON.parse((await bed.run([...args, '--json'])).stdout) as IdentityPage).items;
    const collection = identity?.attributeCollections?.find(
      (each) => each.attributeCollectionAuthority === AUTHORITIES.personnel,
    );
    const one = ['list', '--authority', AUTHORITIES.personnel, '--uid', collection?.uid ?? '', '--json'];
    expect(ids((await bed.run(one)).stdout)).toEqual([identity?.serviceUid]);
  });

  test('--all shows every identity once, in the columns of the first page', async () => {
    const { outcome, stdout, stderr } = await bed.run(['list', '--all'], terminal);
    expect(outcome).toBe(0);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(' ', 1)[0])).toEqual(bed.all().map(({ serviceUid }) => serviceUid));
    expect(stderr).toBe('120 identities in prod\n');
  });

  test('--all --json is one identity a line, with progress on a terminal', async () => {
    const { stdout, stderr } = await bed.run(['list', '--all', '--json', '--page-size', '25'], {
      ...terminal,
      pipedOut: true,
    });
    const found = stdout.trimEnd().split('\n');
    expect(found.map((line) => JSON.parse(line).serviceUid)).toEqual(
      bed.all().map(({ serviceUid }) => serviceUid),
    );
    expect(stderr.startsWith('\r\x1b[K25 of 120 identities')).toBe(true);
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
    // Not between the lines that are seen themselves, and not into a pipe.
    const args = ['list', '--all', '--json', '--environment', 'test'];
    expect((await bed.run(args, terminal)).stderr).toBe('');
    expect((await bed.run(args)).stderr).toBe('');
  });

  test('an empty list has its heads and says so', async () => {
    const { outcome, stdout, stderr } = await bed.run(['list', '--search', 'nobody at all'], terminal);
    expect({ outcome, stdout, stderr }).toEqual({
      outcome: 0,
      stdout: 'serviceUid  name  mail  created  updated\n',
      stderr: 'no identities in prod\n',
    });
  });
});

describe('orglog identities search', () => {
  test('prints identifiers, one a line, and how many on stderr', async () => {
    const { outcome, stdout, stderr } = await bed.run(['search', 'farida']);
    const expected = bed.all().filter(({ givenName }) => givenName === 'Farida');
    expect(outcome).toBe(0);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(expected.map(({ serviceUid }) => serviceUid).sort());
    expect(stderr).toBe(`${expected.length} identities of prod with "farida"\n`);
  });

  test('as JSON is an array, an empty one, too', async () => {
    const found = JSON.parse((await bed.run(['search', 'farida', '--environment', 'test', '--json'])).stdout);
    expect(found).toEqual([]);
  });

  test('takes a term that looks like an option after --', async () => {
    const { outcome, stderr } = await bed.run(['search', '--', '-x/ü?']);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '0 identities of prod with "-x/ü?"\n' });
  });
});

describe('orglog identities fetch', () => {
  test('shows one with all that is linked to it', async () => {
    const [, long] = known.all();
    const { outcome, stdout, stderr } = await known.run(['fetch', long?.serviceUid ?? ''], terminal);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(steady(stdout, known)).toMatchInlineSnapshot(`
      "serviceUid  4f1c0a2e-92b7-4d5e-8c11-000000000001
      givenName   Adolph
      sn          Wolfeschlegelsteinhausenbergerdorff
      mail        wolfeschlegelsteinhausenbergerdorff@institution.edu
      created     2026-01-02T03:04:05.000+00:00
      updated     2026-01-02T03:04:05.000+00:00

      authority     personnel (sor)
      uid           4711
      created       2026-01-02T03:04:05.000+00:00
      updated       2026-01-02T03:04:05.000+00:00
        department  History
                    Art

      authority  students (sor)
      uid        8309d1b58309d1b58309d1b58309d1b58309d1b58309d1b58309d1b58309d1b58309d
                 1b5
      created    2026-01-02T03:04:05.000+00:00
      updated    2026-01-02T03:04:05.000+00:00

      authority  https://idp.partner.example/saml/metadata (sor)
      uid        adolph
      created    2026-01-02T03:04:05.000+00:00
      updated    2026-01-02T03:04:05.000+00:00
      "
    `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    const rich = await bed.run(['fetch', richest().serviceUid], terminal);
    expect(widest(rich.stdout)).toBeLessThanOrEqual(80);
  });

  test('as JSON is the identity as the provider has it', async () => {
    const { serviceUid } = richest();
    expect(JSON.parse((await bed.run(['fetch', serviceUid, '--json'])).stdout)).toEqual(bed.get(serviceUid));
  });

  test('what is not there ends with 3', async () => {
    expect(await bed.run(['fetch', 'nobody'])).toEqual({
      outcome: 3,
      stdout: '',
      stderr: expect.stringMatching(/^orglog: \S+ has no identity “nobody” \(404: Record not found\)\..*\n$/),
    });
  });

  test('a name cannot steer the terminal', async () => {
    const mail = 'escape@institution.edu';
    const identity = await bed.create(mail);
    await bed.run(['modify', identity.serviceUid, '--sn', '\x1b[2J\x9bK', '--yes']);
    const { stdout } = await bed.run(['fetch', identity.serviceUid], terminal);
    expect(stdout).toContain('sn          �[2J�K\n');
    const json = (await bed.run(['fetch', identity.serviceUid, '--json'])).stdout;
    expect(json).toMatch(/^[\x20-\x7e\n]*$/);
    expect(JSON.parse(json).sn).toBe('\x1b[2J\x9bK');
  });
});

test('an identifier cannot steer the terminal, and is one line', async () => {
  await using odd = await scripted([{ status: 200, body: ['\x1b[2Ju1', 'u2\nu3'] }]);
  const { stdout } = await bed.run(['search', 'u', '--base-url', odd.origin]);
  expect(stdout).toBe('�[2Ju1\nu2�u3\n');
});

test('a deployment may call the identifier otherwise', async () => {
  await using other = await identityBed({ count: 5, uidField: 'campusUid' });
  const field = ['--uid-field', 'campusUid'];
  const { stdout } = await other.run(['list', '--sort', 'serviceUid', '--json', ...field]);
  const [first = ''] = ids(stdout);
  expect(other.provider.requests.at(-1)?.query).toEqual({ sort_key: 'campusUid' });
  expect((await other.run(['fetch', first, ...field])).stdout).toMatch(`serviceUid  ${first}`);
  const wrong = await other.run(['fetch', first]);
  expect(wrong).toMatchObject({ outcome: 1, stderr: expect.stringMatching(/serviceUid .*uidField right/) });
});
