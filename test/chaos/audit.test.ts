import { expect, test } from 'vitest';
import { openLocalDeployment } from '../../local/deployment.ts';
import { runStandIn } from '../local/one-session.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { auditSink, comparedLines } from './audit.ts';
import { linesOf } from './lines-of.ts';
import type { Arrival } from './sinks.ts';

const at = (atMs: number, isDoubtful = false) => ({ atMs, isDoubtful });
const LINES = ['a', 'b'].map((line, index) => ({ eventId: `institution:logs:k:1:${index + 1}`, line }));
const arrived = (index: number, request = at(0)): Arrival => ({
  ...{ eventId: '', line: '', ...LINES[index] },
  request,
});

test('a line that did not arrive is a loss, be it one of two equal ones', () => {
  expect(comparedLines('', ['a', 'b'], ['b', 'a'])).toMatchObject({ isSound: true, found: 2 });
  expect(comparedLines('', ['a', 'a'], ['a'])).toMatchObject({ isSound: false, found: 1 });
  expect(comparedLines('', ['a'], ['a', 'a'])).toMatchObject({ isSound: false, repeats: 1 });
  expect(auditSink('', LINES, [arrived(0)], [])).toMatchObject({ isSound: false, found: 1, expected: 2 });
});

test('an event under the identifier of another, or changed on its way, is none of ours', () => {
  const changed = { ...arrived(1), line: 'B' };
  expect(auditSink('', LINES, [arrived(0), changed], [])).toMatchObject({ isSound: false });
});

test('a repeat is sound where its answer was lost, or its sender could not note it', () => {
  const repeated = (first: ReturnType<typeof at>) => [arrived(0, first), arrived(1), arrived(0, at(9000))];
  expect(auditSink('', LINES, repeated(at(1000)), [])).toMatchObject({ isSound: false, unexplained: 1 });
  expect(auditSink('', LINES, repeated(at(1000, true)), [])).toMatchObject({ isSound: true, repeats: 1 });
  const excuse = { why: 'its sender was killed', fromMs: 500, toMs: 1500 };
  expect(auditSink('', LINES, repeated(at(1000)), [excuse])).toMatchObject({ isSound: true, unexplained: 0 });
  expect(auditSink('', LINES, repeated(at(2000)), [excuse])).toMatchObject({ isSound: false });
});

test('archived lines are told under the identifiers that sinks get', async () => {
  await using folder = await temporaryFolder();
  await runStandIn(folder.path, 30, { limit: 20, batchBytes: 1 });
  await using deployment = await openLocalDeployment(folder.path, {});
  const never = new AbortController().signal;
  const row = await deployment.cursors.read({ org: 'institution', stream: 'logs' }, never);
  if (row === undefined) return expect.fail('there is no row');
  const lines = await linesOf(deployment.archive, row);
  expect(lines.length).toBeGreaterThanOrEqual(30);
  expect(lines[20]?.eventId).toBe(`institution:logs:${row.epoch}:2:1`);
});
