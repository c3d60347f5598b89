import { resolve } from 'node:path';
import { OrglogError } from '../../../functions/core/errors.ts';
import { type History, historyOf } from '../../../functions/core/operate/history.ts';
import type { SystemStatus } from '../../../functions/core/operate/status.ts';
import { replaceFile } from '../../../local/durable-files.ts';
import { count, size, some } from '../../format.ts';
import { progressLine } from '../../progress.ts';
import type { Work } from './command.ts';
import { statusPage } from './page/page.ts';

const DAY_MS = 86_400_000;

interface PageOrder {
  readonly file: string;
  readonly status: SystemStatus;
  readonly days: number;
}

/** Looks into the past of what the status is of, and writes the page: the file is the old one or the new one, whole. */
export async function writePage(work: Work, { file, status, days }: PageOrder): Promise<void> {
  const { deployment, output, same } = work;
  const histories = await historiesOf(work, status, days);
  const page = statusPage({ title: deployment.title, status, histories, days, same });
  try {
    await replaceFile(file, page);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new OrglogError(
      'storage',
      `the page cannot be written to ${resolve(file)} (${code}): name another file`,
      {
        cause: error,
      },
    );
  }
  output.note(`${file}: ${size(Buffer.byteLength(page))}`);
}

async function historiesOf(
  { deployment, world, signal }: Work,
  { at, streams }: SystemStatus,
  days: number,
): Promise<readonly History[]> {
  const histories: History[] = [];
  using progress = progressLine(world.err);
  for (const { org, stream } of streams) {
    const row = await deployment.cursors.read({ org, stream }, signal);
    if (row === undefined) continue;
    for await (const step of historyOf(deployment, row, { from: at - days * DAY_MS, to: at }, signal)) {
      if (step.kind === 'history') histories.push(step.history);
      else progress.show(`${org}: looked at ${count(step.looked)} of ${some(step.of, 'batch', 'batches')}`);
    }
  }
  return histories;
}
