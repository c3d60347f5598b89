import { objectKey } from '../keys.ts';
import type { CursorRow, Day } from '../ports.ts';
import { oldestKept, type SequenceRange, sequencesOfDays } from './batches.ts';
import type { Finding } from './findings.ts';
import type { Deployment, ListedObject, OperatorArchive } from './ports.ts';

/** What lies under a row's folder in a window of days. */
export interface Inventory {
  /** The batches that must be there. */
  readonly range: SequenceRange;
  readonly objects: ReadonlyMap<number, ListedObject>;
  /** About what else lies there. */
  readonly findings: readonly Finding[];
}

const NAME = /^dt=(\d{4}-\d{2}-\d{2})\/([a-z0-9]+)-(\d{12})\.ndjson\.gz$/;

/**
 * List the window, and sort what is there: by the keys that the row computes; of days older than it keeps, by the
 * numbers in their names.
 *
 * @param row read before: what is committed later is not looked for
 */
export async function takeInventory(
  { archive, cursors }: Pick<Deployment, 'archive' | 'cursors'>,
  row: CursorRow,
  { from, to }: { readonly from: Day; readonly to: Day },
  signal: AbortSignal,
): Promise<Inventory> {
  const folder = folderOf(row, from);
  const objects = new Map<number, ListedObject>();
  const findings: Finding[] = [];
  for await (const object of objectsOf(archive, folder, from, to, signal)) {
    const [, , epoch, digits] = NAME.exec(object.key.slice(folder.length)) ?? [];
    const sequence = Number(digits);
    const found = findingOf(object, row, epoch, sequence) ?? twice(object, objects.get(sequence), sequence);
    if (found !== undefined) findings.push(found);
    else objects.set(sequence, object);
  }
  // Runs may have gone on meanwhile: what they put was listed before this is read, and is theirs to commit.
  const now = (await cursors.read(row, signal)) ?? row;
  for (const [sequence, object] of objects) {
    if (sequence <= row.sequence) continue;
    const found = pastTheRow(object, sequence, now.sequence);
    if (found !== undefined) findings.push(found);
    objects.delete(sequence);
  }
  const range = sequencesOfDays(row, from, to);
  const oldest = oldestKept(row);
  if (oldest === undefined || from >= oldest.day || oldest.sequence === 1)
    return { range, objects, findings };
  // Days that the row no longer keeps: only the archive itself tells where they began, and where they ended.
  const numbers = [...objects.keys()];
  const [before, behind] = await neighbours(archive, folder, row.epoch, { from, to }, oldest, signal);
  const first = (before ?? numbers.reduce((least, at) => Math.min(least, at), behind) - 1) + 1;
  const last = to >= oldest.day ? range.last : behind - 1;
  if (before === undefined && first > 1) findings.push(beginningUnknown(first, oldest.day));
  return { range: { first, last }, objects, findings };
}

/** The last number that lies before a window, where one does, and the first behind it. */
async function neighbours(
  archive: Pick<OperatorArchive, 'list'>,
  folder: string,
  epoch: string,
  { from, to }: { readonly from: Day; readonly to: Day },
  oldest: { readonly day: Day; readonly sequence: number },
  signal: AbortSignal,
): Promise<readonly [before: number | undefined, behind: number]> {
  let before: number | undefined;
  let behind = oldest.sequence;
  for await (const page of archive.list(`${folder}dt=`, {}, signal)) {
    for (const { key } of page) {
      const [, day = '', own, digits] = NAME.exec(key.slice(folder.length)) ?? [];
      if (own !== epoch) continue;
      if (day < from) before = Math.max(before ?? 0, Number(digits));
      else if (day > to) behind = Math.min(behind, Number(digits));
      if (day >= oldest.day) return [before, behind];
    }
  }
  return [before, behind];
}

function beginningUnknown(first: number, day: Day): Finding {
  const message = `of the batches before ${first} the archive has none, and the cursor keeps no days before ${day}: whether any of this window is missing cannot be told. They are beyond what the archive keeps, or were removed`;
  return { kind: 'missing', severity: 'doubt', message };
}

/** Everything up to the days' folders, with its slash. */
function folderOf(row: CursorRow, day: Day): string {
  const key = objectKey({ ...row, days: { [day]: 1 } }, 1) ?? '';
  return key.slice(0, key.indexOf('dt='));
}

/** The window's days, and whatever lies beside the days' folders. */
async function* objectsOf(
  archive: Pick<OperatorArchive, 'list'>,
  folder: string,
  from: Day,
  to: Day,
  signal: AbortSignal,
): AsyncGenerator<ListedObject> {
  // In code units `/` precedes `0`, and `:` follows `9`: each stretch ends before the key that is named.
  const stretches = [
    { end: `${folder}dt=0` },
    { after: `${folder}dt=${from}`, end: `${folder}dt=${to}0` },
    { after: `${folder}dt=:`, end: undefined },
  ];
  for (const { after, end } of stretches) {
    pages: for await (const page of archive.list(folder, after === undefined ? {} : { after }, signal)) {
      for (const object of page) {
        if (end !== undefined && object.key >= end) break pages;
        yield object;
      }
    }
  }
}

function findingOf(
  { key }: ListedObject,
  row: CursorRow,
  epoch: string | undefined,
  sequence: number,
): Finding | undefined {
  if (epoch === undefined) {
    const message = `${key} is none of orglog's objects: find out who writes there, and move it away; a consumer may read it`;
    return { kind: 'foreign', severity: 'doubt', key, message };
  }
  if (epoch !== row.epoch) {
    const message = `${key} belongs to an earlier cursor (${epoch}; this one is ${row.epoch}): it is not audited here`;
    return { kind: 'foreign', severity: 'note', key, message };
  }
  const expected = objectKey(row, sequence);
  if (expected !== undefined && expected !== key) {
    const message = `${key} should lie at ${expected}: it was copied or moved by hand`;
    return { kind: 'misplaced', severity: 'doubt', key, sequence, message };
  }
  return undefined;
}

/** About an object past the row's number, `sequence` being what the row says once everything is listed. */
function pastTheRow({ key }: ListedObject, at: number, sequence: number): Finding | undefined {
  if (at <= sequence) return undefined;
  if (at === sequence + 1) {
    const message = `${key} was put and is not committed: a run is at work, or died; the next one commits it`;
    return { kind: 'uncommitted', severity: 'note', key, sequence: at, message };
  }
  const message = `${key} is ahead of the cursor, which has committed ${sequence}: the table was put back to an older state. Do not let it run on: it would meet its own objects`;
  return { kind: 'beyond', severity: 'hole', key, sequence: at, message };
}

function twice(
  { key }: ListedObject,
  other: ListedObject | undefined,
  sequence: number,
): Finding | undefined {
  if (other === undefined) return undefined;
  const message = `${key} has the number of ${other.key}: one of them was copied by hand`;
  return { kind: 'misplaced', severity: 'doubt', key, sequence, message };
}
