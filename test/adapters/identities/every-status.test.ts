import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConflictError, InvalidError } from '../../../functions/core/identities/errors.ts';
import type { Fault, FaultTarget } from '../../../local/provider/faults.ts';
import { never, rejection } from './bed.ts';
import { type StandIn, standIn } from './stand-in.ts';
import { LINK_ROWS } from './table-links.ts';
import { RECORD_ROWS } from './table-records.ts';
import { GHOST, type TableRow } from './table-row.ts';

const TABLE = [...RECORD_ROWS, ...LINK_ROWS];

/**
 * Every operation × every status that identities-v1.md documents for it, of the client against the stand-in, with the
 * identifier called as in the document and otherwise.
 */
describe.each(['serviceUid', 'personKey'])('with the identifier called %s', (uidField) => {
  let bed: StandIn;
  beforeAll(async () => {
    bed = await standIn(uidField);
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });
  afterEach(() => bed.provider.faults.clear());

  const isOf =
    ({ method, path }: TableRow) =>
    (target: FaultTarget) =>
      target.method === method && target.path.startsWith(`/identities/v1${path}`);
  /** Statuses that the operation was answered with since `from`. */
  const statuses = (row: TableRow, from = 0) =>
    bed.provider.requests
      .slice(from)
      .filter(isOf(row))
      .map(({ status }) => status);

  test('there are 13 operations', () => {
    expect(new Set(TABLE.map(({ name }) => name)).size).toBe(13);
  });

  describe.each(TABLE)('$name', (row) => {
    test(`${row.status}`, async () => {
      const subject = await bed.subject();
      const from = bed.provider.requests.length;
      expect(await row.call(bed.api, subject)).toEqual(row.result(subject));
      expect(statuses(row, from)).toEqual([row.status]);
      const now = await bed.api.fetch(subject.identity.serviceUid, never());
      expect(now).toEqual(row.afterwards?.(subject) ?? subject.identity);
    });

    test('401 for a wrong password, after a second look at the credential', async () => {
      const subject = await bed.subject();
      const from = bed.provider.requests.length;
      const error = await rejection(row.call(bed.stranger, subject));
      expect(error).toMatchObject({ code: 'not-authorized' });
      expect(error.message).not.toContain('a guess');
      expect(statuses(row, from)).toEqual([401, 401]);
      expect(await bed.api.fetch(subject.identity.serviceUid, never())).toEqual(subject.identity);
    });

    if (row.name !== 'permissions') {
      test('401 for a credential that may not', async () => {
        const subject = await bed.subject();
        const error = await rejection(row.call(bed.powerless, subject));
        expect(error).toMatchObject({ code: 'not-authorized', message: expect.stringContaining('it lacks') });
        expect(await bed.api.fetch(subject.identity.serviceUid, never())).toEqual(subject.identity);
      });
    }

    if (row.missing.length > 0) {
      test.each(row.missing)('404 without the %s', async (what, call) => {
        const subject = await bed.subject();
        const from = bed.provider.requests.length;
        const error = await rejection(call(bed.api, subject));
        const named = what === 'identity' ? GHOST : subject.identity.serviceUid;
        expect(error).toMatchObject({ code: 'not-found', message: expect.stringContaining(named) });
        expect(statuses(row, from)).toEqual([404]);
      });
    }

    if (row.conflicts.length > 0) {
      test.each(row.conflicts)('409 where $what', async ({ after, call, names }) => {
        const subject = await bed.subject();
        await after?.(bed.api, subject);
        const from = bed.provider.requests.length;
        const error = await rejection(call(bed.api, subject));
        expect(error).toBeInstanceOf(ConflictError);
        expect(error).toMatchObject({
          code: 'conflict',
          identities: names === 'subject' ? [subject.identity.serviceUid] : [],
        });
        expect(statuses(row, from)).toEqual([409]);
      });
    }

    if (row.invalid.length > 0) {
      test.each(row.invalid)('422 names %s', async (field, call) => {
        const subject = await bed.subject();
        const error = await rejection(call(bed.api, subject));
        expect(error).toBeInstanceOf(InvalidError);
        expect(error).toMatchObject({
          code: 'invalid-request',
          fields: [{ path: field, message: expect.stringMatching(/./) }],
        });
        expect(bed.provider.requests.at(-1)).toMatchObject({ status: 422 });
      });
    }

    if (row.name !== 'permissions') {
      test('422 about the identifier names it as everything here does', async () => {
        const subject = await bed.subject();
        const detail = [{ loc: ['path', uidField], msg: 'too long', type: 'too_big', input: 'x' }];
        const fault = { kind: 'status', status: 422, body: JSON.stringify({ detail }) } as const;
        bed.provider.faults.add(fault, { on: isOf(row) });
        const from = bed.provider.requests.length;
        expect(await rejection(row.call(bed.api, subject))).toMatchObject({
          code: 'invalid-request',
          fields: [{ path: 'path.serviceUid', message: 'too long' }],
        });
        expect(statuses(row, from)).toEqual([422]);
      });
    }

    const troubles: readonly (readonly [string, Fault, boolean])[] = [
      ['429', { kind: 'status', status: 429, retryAfter: 3 }, true],
      ['500', { kind: 'status', status: 500, body: '{"detail":"Database error: lost"}' }, false],
      ['503', { kind: 'status', status: 503, body: 'Service Unavailable', contentType: 'text/plain' }, false],
      ['a reset connection', { kind: 'reset' }, false],
    ];
    test.each(troubles)(
      '%s is followed by another try only where that is safe',
      async (_what, fault, undone) => {
        const subject = await bed.subject();
        bed.provider.faults.add(fault, { on: isOf(row) });
        const from = bed.provider.requests.length;
        const safe = undone || row.method === 'GET' || row.method === 'DELETE' || row.method === 'PUT';
        if (safe) {
          // Overwriting attributes is the one PUT here.
          expect(await row.call(bed.api, subject)).toEqual(row.result(subject));
          expect(statuses(row, from)).toHaveLength(2);
          expect(statuses(row, from).at(-1)).toBe(row.status);
        } else {
          const error = await rejection(row.call(bed.api, subject));
          expect(error).toMatchObject({
            code: 'unavailable',
            message: expect.stringContaining('It may all the same have been done'),
          });
          expect(statuses(row, from)).toHaveLength(1);
        }
      },
    );
  });

  test('attributes that are merged are not merged twice', async () => {
    const { identity, collection } = await bed.subject();
    const merge = () =>
      bed.api.modifyCollection(
        identity.serviceUid,
        { ...collection, attributes: { site: ['north'] } },
        never(),
      );
    bed.provider.faults.add({ kind: 'status', status: 503 });
    expect(await rejection(merge())).toMatchObject({ code: 'unavailable' });
    expect(await merge()).toMatchObject({
      attributeCollection: { attributes: { department: ['Physics'], site: ['north'] } },
    });
  });
});
