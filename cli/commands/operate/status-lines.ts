import type { Health } from '../../../functions/core/operate/health.ts';
import type {
  Count,
  DestinationStatus,
  StreamStatus,
  SystemStatus,
} from '../../../functions/core/operate/status.ts';
import { count, duration } from '../../format.ts';
import type { Output } from '../../output.ts';
import { type Column, Table, type TableSpace } from '../../table.ts';
import { coloured, MARKS, marked } from './marks.ts';
import { utc } from './time.ts';

/** Gaps of each cursor that are listed; all of them where one organization is asked about. */
const GAPS_SHOWN = 3;

export interface StatusView {
  readonly title: string;
  /** What is to be known of the whole. */
  readonly remark: string | undefined;
  readonly status: SystemStatus;
  /** Whether one organization was asked about. */
  readonly one: boolean;
  /** Behind commands: the options that name the same system. */
  readonly same: string;
}

/** The whole system on a screen. */
export function statusLines({ title, remark, status, one, same }: StatusView, output: Output): string[] {
  const { space } = output;
  const { at, streams, destinations } = status;
  return coloured(
    [
      output.paint('bold', `${title} at ${utc(at)}`),
      ...(remark === undefined ? [] : marked(MARKS.note, remark, space)),
      ...section(tableOf(streamColumns(at), streams, space)),
      ...streams.flatMap((stream) => remarks(stream, at, space)),
      ...section(tableOf(GAP_COLUMNS, gapsOf(streams, one), space)),
      ...section(tableOf(DESTINATION_COLUMNS, destinations, space)),
      ...section(adviceLines(status, same, space)),
    ],
    output,
  );
}

function streamColumns(at: number): readonly Column<StreamStatus>[] {
  const ago = (time: number | undefined) => (time === undefined ? '-' : duration(at - time));
  return [
    { head: ' ', of: ({ health }) => MARKS[health.verdict], narrow: 'keep' },
    { head: 'ORGANIZATION', of: ({ org }) => org },
    { head: 'STREAM', of: ({ stream }) => stream, narrow: 'keep' },
    { head: 'READ', of: ({ row }) => ago(row?.lastReadAt), align: 'right', narrow: 'keep' },
    { head: 'LAG', of: ({ row }) => ago(row?.newestEventAt), align: 'right', narrow: 'keep' },
    { head: 'HOUR', of: ({ row }) => counted(row?.lastHour), align: 'right', narrow: 'keep' },
    { head: 'DAY', of: ({ row }) => counted(row?.lastDay), align: 'right', narrow: 'keep' },
    { head: 'OWED', of: ({ row }) => count(sum(row?.owed ?? {})), align: 'right', narrow: 'keep' },
    {
      head: 'BATCHES',
      of: ({ row }) => count(row?.sequence ?? 0),
      ...{ align: 'right', narrow: 'keep', optional: true },
    },
    { head: 'TOKEN', of: ({ row }) => ago(row?.tokenAt), align: 'right', narrow: 'keep', optional: true },
    {
      head: 'NEWEST EVENT',
      of: ({ row }) => (row?.newestEventAt === undefined ? '-' : utc(row.newestEventAt)),
      ...{ narrow: 'keep', optional: true },
    },
  ];
}

/** What the table has no column for. */
function remarks({ org, stream, row }: StreamStatus, at: number, space: TableSpace): string[] {
  if (row === undefined) return [];
  const name = stream === 'logs' ? org : `${org} ${stream}`;
  const owing = Object.entries(row.owed).filter(([, batches]) => batches > 0);
  const texts = [
    ...(row.lease === undefined
      ? []
      : [
          row.lease.expired
            ? `a run died without giving back its lease (${row.lease.owner})`
            : `a run is at work (${row.lease.owner}, for ${duration(row.lease.expiresAt - at)} at most)`,
        ]),
    ...(owing.length === 0
      ? []
      : [`owed: ${owing.map(([id, batches]) => `${count(batches)} to ${id}`).join(', ')}`]),
  ];
  return texts.flatMap((text) => marked(MARKS.note, `${name}: ${text}`, space));
}

interface NumberedGap {
  readonly name: string;
  readonly number: number;
  readonly gap: NonNullable<StreamStatus['row']>['gaps'][number];
}

const GAP_COLUMNS: readonly Column<NumberedGap>[] = [
  { head: 'GAP', of: ({ name }) => name },
  { head: 'FROM', of: ({ gap }) => utc(gap.from), narrow: 'keep' },
  { head: 'TO', of: ({ gap }) => (isClosed(gap) ? 'nothing missing' : utc(gap.to)), narrow: 'keep' },
  { head: 'WHY', of: ({ gap }) => gap.reason },
  { head: 'REWIND', of: ({ gap, number }) => (gap.canRewind ? `gap:${number}` : '-'), narrow: 'keep' },
];

/** Proven to miss nothing, read again, or brought back. */
function isClosed({ from, to, reason, restored }: NumberedGap['gap']): boolean {
  return reason === 'object-missing' ? restored === true : from === to;
}

/** Newest first. */
function gapsOf(streams: readonly StreamStatus[], one: boolean): NumberedGap[] {
  return streams.flatMap(({ org, stream, row }) => {
    const name = stream === 'logs' ? org : `${org} ${stream}`;
    const all = (row?.gaps ?? []).map((gap, index) => ({ name, number: index + 1, gap })).reverse();
    return one ? all : all.slice(0, GAPS_SHOWN);
  });
}

const DESTINATION_COLUMNS: readonly Column<DestinationStatus>[] = [
  { head: ' ', of: ({ health }) => MARKS[health.verdict], narrow: 'keep' },
  { head: 'DESTINATION', of: ({ destination }) => destination.id },
  { head: 'KIND', of: ({ destination }) => `${destination.kind}, ${destination.delivery}` },
  { head: 'WAITING', of: ({ queue }) => number(queue?.visible), align: 'right', narrow: 'keep' },
  { head: 'IN FLIGHT', of: ({ queue }) => number(queue?.inFlight), align: 'right', narrow: 'keep' },
  {
    head: 'OLDEST',
    of: ({ queue: { oldestAgeSeconds: age } = {} }) => (age === undefined ? '-' : duration(age * 1_000)),
    ...{ align: 'right', narrow: 'keep' },
  },
  { head: 'DEAD', of: ({ queue }) => number(queue?.dead), align: 'right', narrow: 'keep' },
  {
    head: 'REFUSED',
    of: ({ destination, rejected }) => (destination.delivery === 'pull' ? '-' : counted(rejected)),
    ...{ align: 'right', narrow: 'keep' },
  },
];

/** What a person should know or do: the worst first. */
function adviceLines({ streams, destinations }: SystemStatus, same: string, space: TableSpace): string[] {
  const all: { readonly name: string; readonly health: Health }[] = [
    ...streams.map(({ org, stream, health }) => ({
      name: stream === 'logs' ? org : `${org} ${stream}`,
      health,
    })),
    ...destinations.map(({ destination, health }) => ({ name: destination.id, health })),
  ];
  return (['broken', 'attention'] as const).flatMap((verdict) =>
    all
      .filter(({ health }) => health.verdict === verdict)
      .flatMap(({ name, health: { reason, command } }) => [
        ...marked(MARKS[verdict], `${name}: ${reason}`, space),
        // Whole, so that it can be copied.
        ...(command === undefined ? [] : [`  ${command}${same}`]),
      ]),
  );
}

function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], space: TableSpace): string[] {
  return rows.length === 0 ? [] : new Table(columns, space).lines(rows);
}

function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function counted(value: Count | undefined): string {
  return value === undefined ? '-' : `${value.atLeast ? '≥' : ''}${count(value.count)}`;
}

function number(value: number | undefined): string {
  return value === undefined ? '-' : count(value);
}

function sum(owed: Readonly<Record<string, number>>): number {
  return Object.values(owed).reduce((total, batches) => total + batches, 0);
}
