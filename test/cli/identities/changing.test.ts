import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { LinkedCollection } from '../../../functions/core/identities/identities-api.ts';
import type { Identity } from '../../../functions/core/identities/identity.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { AUTHORITIES, identityBed } from './bed.ts';

const bed = await identityBed({ count: 20 });
afterAll(() => bed[Symbol.asyncDispose]());

const { personnel, students, remote, hosted } = AUTHORITIES;
const yes = ['--yes', '--json'];

function collectionOf(serviceUid: string, authority: string) {
  return bed
    .get(serviceUid)
    .attributeCollections?.find((each) => each.attributeCollectionAuthority === authority);
}

describe('orglog identities create', () => {
  test('creates one with everything that may come with it', async () => {
    const { outcome, stdout, stderr } = await bed.run([
      ...['create', '--mail', 'grace@institution.edu', '--given-name', 'Grace', '--sn', 'Hopper', '--hosted'],
      ...['--quiet', '--customer-uid-gen', `institution:${personnel}`, '--environment', 'test'],
      ...['--collection', `authority=${students},uid=4711,department=History,department=Art,note=a=b`],
      ...['--credential', `authority=${remote},uid=grace`, ...yes],
    ]);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    const identity = JSON.parse(stdout) as Identity;
    expect(identity).toEqual(bed.get(identity.serviceUid));
    expect(bed.all('test').map(({ serviceUid }) => serviceUid)).toContain(identity.serviceUid);
    const own = identity.attributeCollections?.map((each) => [
      each.attributeCollectionAuthority,
      each.attributes,
    ]);
    expect(own).toHaveLength(4);
    expect(own).toContainEqual([students, { department: ['History', 'Art'], note: ['a=b'] }]);
    expect(own).toContainEqual([remote, {}]);
    expect(own?.map(([authority]) => authority)).toEqual(expect.arrayContaining([hosted, personnel]));
  });

  test('reads a document from a file, or from a pipe', async () => {
    await using folder = await temporaryFolder();
    const document = {
      ...{ mail: 'mary@institution.edu', givenName: 'Mary', sn: 'Shelley', customerUidGen: null },
      ...{ obid: true, quiet: true, allowDuplicateEmail: true },
      attributeCollections: [
        { attributeCollectionAuthority: personnel, uid: 'a,b', attributes: { 'k=1': ['x,y', ''], none: [] } },
      ],
      remoteCredentials: [{ remoteCredentialAuthority: remote, uid: 'mary' }],
    };
    const path = join(folder.path, 'mary.json');
    await writeFile(path, JSON.stringify(document));
    const { outcome, stdout } = await bed.run(['create', '--input', path, ...yes]);
    expect(outcome).toBe(0);
    const { serviceUid } = JSON.parse(stdout) as Identity;
    expect(collectionOf(serviceUid, personnel)).toMatchObject({
      uid: 'a,b',
      attributes: { 'k=1': ['x,y', ''], none: [] },
    });
    expect(collectionOf(serviceUid, hosted)).toBeDefined();

    const { mail, givenName, sn } = { ...document, mail: 'percy@institution.edu' };
    const piped = await bed.run(['create', '--input', '-', ...yes], {
      input: JSON.stringify({ mail, givenName, sn }),
    });
    expect(bed.get((JSON.parse(piped.stdout) as Identity).serviceUid)).toMatchObject({ mail });
  });

  test('an address that another one has ends with 4, unless that is allowed', async () => {
    const { serviceUid } = await bed.create('twice@institution.edu');
    const args = ['create', '--mail', 'twice@institution.edu', '--given-name', 'A', '--sn', 'B', ...yes];
    const { outcome, stdout, stderr } = await bed.run(args);
    expect({ outcome, stdout }).toEqual({ outcome: 4, stdout: '' });
    expect(stderr).toContain(serviceUid);
    expect(await bed.run([...args, '--allow-duplicate-email'])).toMatchObject({ outcome: 0 });
  });

  test('what the credential may not do ends with 1, and says what it may lack', async () => {
    const args = ['create', '--mail', 'a@institution.edu', '--given-name', 'A', '--sn', 'B', '--yes'];
    expect(await bed.asReader(args)).toEqual({
      outcome: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^orglog: .*401.*lacks the permission `write`.*identities permissions.*\n$/,
      ),
    });
  });
});

describe('orglog identities modify', () => {
  test('changes what is given, and nothing else', async () => {
    const { serviceUid } = await bed.create('modify@institution.edu');
    const { outcome, stdout } = await bed.run(['modify', serviceUid, '--sn', 'King', ...yes]);
    expect(outcome).toBe(0);
    expect(JSON.parse(stdout)).toEqual(bed.get(serviceUid));
    expect(bed.get(serviceUid)).toMatchObject({
      ...{ givenName: 'Ada', sn: 'King', mail: 'modify@institution.edu' },
    });
    const all = ['--mail', 'king@institution.edu', '--given-name', 'Augusta', '--sn', 'Byron'];
    expect(await bed.run(['modify', serviceUid, ...all, '--yes'])).toMatchObject({
      stdout: expect.stringMatching(/^givenName +Augusta\nsn +Byron\nmail +king@institution\.edu$/m),
      stderr: 'modified\n',
    });
  });

  test('an address that another one has ends with 4, unless that is allowed', async () => {
    const { serviceUid } = await bed.create('modify2@institution.edu');
    const { mail } = await bed.create('taken@institution.edu');
    const args = ['modify', serviceUid, '--mail', mail ?? '', ...yes];
    expect(await bed.run(args)).toMatchObject({ outcome: 4, stdout: '' });
    expect(await bed.run([...args, '--allow-duplicate-email'])).toMatchObject({ outcome: 0 });
  });

  test('an identity that is not there ends with 3, a value that is refused with 1', async () => {
    expect(await bed.run(['modify', 'nobody', '--sn', 'X', ...yes])).toMatchObject({ outcome: 3 });
    const { serviceUid } = await bed.create('modify3@institution.edu');
    expect(await bed.run(['modify', serviceUid, '--mail', 'a@b', ...yes])).toEqual({
      outcome: 1,
      stdout: '',
      stderr: expect.stringContaining('body.mail'),
    });
  });
});

describe('orglog identities collection', () => {
  const at = (uid: string) => ['--authority', personnel, '--uid', uid];

  test('creates, merges, overwrites and deletes', async () => {
    const { serviceUid } = await bed.create('collection@institution.edu');
    const call = (name: string, ...args: string[]) =>
      bed.run(['collection', name, serviceUid, ...at('c1'), ...args, ...yes]);

    const created = await call('create', '--attribute', 'a=1', '--attribute', 'a=2', '--attribute', 'b=x=y');
    expect(created).toMatchObject({ outcome: 0, stderr: '' });
    expect(JSON.parse(created.stdout) as LinkedCollection).toEqual({
      serviceUid,
      attributeCollection: collectionOf(serviceUid, personnel),
    });
    expect(collectionOf(serviceUid, personnel)?.attributes).toEqual({ a: ['1', '2'], b: ['x=y'] });

    await call('modify', '--attribute', 'c=3');
    expect(collectionOf(serviceUid, personnel)?.attributes).toMatchObject({ a: ['1', '2'], c: ['3'] });
    await call('modify', '--attribute', 'd=4', '--overwrite');
    expect(collectionOf(serviceUid, personnel)?.attributes).toEqual({ d: ['4'] });
    await call('modify', '--overwrite');
    expect(collectionOf(serviceUid, personnel)?.attributes).toEqual({});

    const deleted = await call('delete');
    expect(JSON.parse(deleted.stdout)).toEqual({ serviceUid, deleted: { authority: personnel, uid: 'c1' } });
    expect(bed.get(serviceUid).attributeCollections).toEqual([]);
    expect(await call('delete')).toMatchObject({ outcome: 3, stdout: '' });
    expect(await call('modify', '--attribute', 'a=1')).toMatchObject({ outcome: 3 });
  });

  test('reads attributes from a document', async () => {
    const { serviceUid } = await bed.create('document@institution.edu');
    const args = ['collection', 'create', serviceUid, ...at('c2'), '--attributes', '-', '--yes'];
    const { outcome, stderr } = await bed.run(args, { input: '{"a=b": ["", "x"], "empty": []}' });
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: 'created\n' });
    expect(collectionOf(serviceUid, personnel)?.attributes).toEqual({ 'a=b': ['', 'x'], empty: [] });
  });

  test('one that is there already ends with 4', async () => {
    const { serviceUid } = await bed.create('again@institution.edu');
    const args = ['collection', 'create', serviceUid, ...at('c3'), ...yes];
    expect(await bed.run(args)).toMatchObject({ outcome: 0 });
    expect(await bed.run(args)).toMatchObject({ outcome: 4, stdout: '' });
  });
});

describe('orglog identities credential', () => {
  test('creates and deletes', async () => {
    const { serviceUid } = await bed.create('credential@institution.edu');
    const call = (name: string, ...args: string[]) =>
      bed.run(['credential', name, serviceUid, '--authority', remote, '--uid', 'r1', ...args]);
    const { outcome, stdout, stderr } = await call('create', '--yes');
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: 'created\n' });
    expect(stdout).toContain(`authority  ${remote} (sor)\nuid        r1\n`);
    expect(collectionOf(serviceUid, remote)).toMatchObject({ uid: 'r1', attributes: {} });
    expect(await call('create', '--yes')).toMatchObject({ outcome: 4 });
    expect(await call('delete', '--yes')).toEqual({ outcome: 0, stdout: '', stderr: 'deleted\n' });
    expect(await call('delete', '--yes')).toMatchObject({ outcome: 3 });
  });

  test('a hosted authority is refused', async () => {
    const { serviceUid } = await bed.create('forbidden@institution.edu');
    const args = ['credential', 'create', serviceUid, '--authority', hosted, '--uid', 'r2', '--yes'];
    expect(await bed.run(args)).toMatchObject({
      outcome: 1,
      stdout: '',
      stderr: expect.stringMatching('422'),
    });
  });
});

describe('orglog identities hosted', () => {
  test('creates one, and sends mail unless --quiet', async () => {
    const { serviceUid } = await bed.create('hosted@institution.edu');
    const args = [
      'hosted',
      'create',
      serviceUid,
      '--email',
      'hosted@institution.edu',
      '--surname',
      'Lovelace',
    ];
    const { outcome, stdout } = await bed.run([...args, '--given-name', 'Ada', '--quiet', ...yes]);
    expect(outcome).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      serviceUid,
      attributeCollection: collectionOf(serviceUid, hosted),
    });
    expect(collectionOf(serviceUid, hosted)).toMatchObject({ attributeCollectionAuthorityType: 'obid' });
    expect(await bed.run([...args, ...yes])).toMatchObject({ outcome: 4 });
  });

  test('for nobody ends with 3', async () => {
    const args = ['hosted', 'create', 'nobody', '--email', 'x@institution.edu', '--surname', 'X', ...yes];
    expect(await bed.run(args)).toMatchObject({ outcome: 3 });
  });
});
