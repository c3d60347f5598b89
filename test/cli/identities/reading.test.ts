import { afterAll, describe, expect, test } from 'vitest';
import type { Identity, IdentityPage } from '../../../functions/core/identities/identity.ts';
import { AUTHORITIES, identityBed, widest } from './bed.ts';

const bed = await identityBed();
afterAll(() => bed[Symbol.asyncDispose]());

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
    const { outcome, stdout, stderr } = await bed.run(['list', '--page-size', '3'], terminal);
    expect(outcome).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "serviceUid                            name           mail
      1c138c15-d9e1-4102-8637-65ab31fb4707  Amara Abara    amara.abara@institution.edu
      71a22ed7-5fba-4270-821b-cd1d708e8f75  Anneke Abara   anneke.abara@institution.e…
      a824bcae-2de9-423b-aa14-064b59d4d5fa  Beatriz Abara  beatriz.abara@institution.…
      "
    `);
    expect(stderr).toBe('page 1 of 40, 120 identities in prod; --page 2 shows more, --all everything\n');
  });

  test('cuts nothing in a pipe, and colours nothing', async () => {
    const { stdout } = await bed.run(['list', '--page', '2', '--page-size', '2']);
    expect(stdout).toMatchInlineSnapshot(`
      "serviceUid                            name           mail                           created     updated
      a824bcae-2de9-423b-aa14-064b59d4d5fa  Beatriz Abara  beatriz.abara@institution.edu  2023-04-27  2024-09-20
      7627b4f8-127d-49f6-9c7c-87b03088250a  Carlos Abara   carlos.abara@institution.edu   2023-05-07  2023-05-11
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
    const { stdout } = await bed.run(args, terminal);
    expect(stdout).toMatchInlineSnapshot(`
      "serviceUid                            name          mail             uid
      1c138c15-d9e1-4102-8637-65ab31fb4707  Amara Abara   amara.abara@in…  e05c3318284
      71a22ed7-5fba-4270-821b-cd1d708e8f75  Anneke Abara  anneke.abara@i…  e517fa298a1
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
    const { stdout, stderr } = await bed.run(['list', '--all', '--json', '--page-size', '25'], terminal);
    const found = stdout.trimEnd().split('\n');
    expect(found.map((line) => JSON.parse(line).serviceUid)).toEqual(
      bed.all().map(({ serviceUid }) => serviceUid),
    );
    expect(stderr.startsWith('\r\x1b[K25 of 120 identities')).toBe(true);
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
    const piped = await bed.run(['list', '--all', '--json', '--environment', 'test']);
    expect(piped.stderr).toBe('');
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
    expect(stderr).toBe('3 identities of prod with "farida"\n');
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
    const { outcome, stdout, stderr } = await bed.run(['fetch', richest().serviceUid], terminal);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "serviceUid  7ba6907e-f6a9-475a-bed4-e94914f4a240
      givenName   Jonas
      sn          Andersen
      mail        jonas.andersen@institution.edu
      created     2025-06-05T00:38:46.384+00:00
      updated     2025-06-05T00:38:46.384+00:00

      authority                 personnel (sor)
      uid                       efe364cb321
      created                   2025-06-05T00:38:46.384+00:00
      updated                   2025-06-05T00:38:46.384+00:00
        uid                     jandersen
        eduPersonPrincipalName  jandersen@institution.edu
        mail                    jonas.andersen@institution.edu
        displayName             Jonas Andersen
        department              library
        eduPersonAffiliation    member
                                faculty
        entitlement             vpn
                                print

      authority    students (sor)
      uid          sc18a47b6ca
      created      2025-06-05T00:38:46.384+00:00
      updated      2025-06-05T00:38:46.384+00:00
        mail       jonas.andersen@institution.edu
        programme  exchange
        startYear  2023

      authority      https://institution.edu/gateway/social/metadata (gateway)
      uid            6127eea22c565a619b84
      created        2025-06-05T00:38:46.384+00:00
      updated        2025-06-05T00:38:46.384+00:00
        displayName  Jonas Andersen
        email        jonas.andersen@institution.edu

      authority                                 https://institution.edu/idp/metadata
                                                (obid)
      uid                                       cuid-4b1cc6f1-d230-4bcc-bbf6-952f0bf2d
                                                91b
      created                                   2025-06-05T00:38:46.384+00:00
      updated                                   2025-06-05T00:38:46.384+00:00
      last used                                 2025-10-06T21:05:28.328+00:00
        urn:oid:0.9.2342.19200300.100.1.1       jonas.andersen@institution.edu
        urn:oid:0.9.2342.19200300.100.1.3       jonas.andersen@institution.edu
        urn:oid:2.5.4.3                         Jonas Andersen
        urn:oid:2.5.4.4                         Andersen
        urn:oid:2.5.4.42                        Jonas
        urn:oid:2.16.840.1.113730.3.1.241       Jonas Andersen
        urn:oid:1.3.6.1.4.1.5923.1.1.1.6        4b1cc6f1-d230-4bcc-bbf6-952f0bf2d91b@i
                                                nstitution.edu
        urn:oid:1.3.6.1.4.1.5923.1.1.1.6:scope  institution.edu
      "
    `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
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
