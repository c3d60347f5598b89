import * as z from 'zod/mini';
import type { EventStream } from '../ports-delivery.ts';

/** An object as its announcement names it, with what its events' identifiers are made of. */
export interface AnnouncedEvents {
  readonly key: string;
  readonly org: string;
  readonly stream: EventStream;
  /** `<org>:<stream>:<epoch>:<sequence>:`; the line's number makes it an event's identifier. */
  readonly idPrefix: string;
  /** Epoch ms: the same at every sending. */
  readonly announcedAt: number;
  /** Where `key` names an event laid aside as refused: its line in its object. It alone is sent, as the event it is. */
  readonly refusedLine?: number;
}

export type Announcement =
  | { readonly kind: 'object'; readonly object: AnnouncedEvents }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** As much of an S3 event notification as is needed here: notification.ts writes it, one record a message. */
const message = z.lazy(() =>
  z.object({
    Records: z.tuple([
      z.object({
        eventTime: z.string(),
        s3: z.object({
          bucket: z.object({ name: z.string() }),
          object: z.object({ key: z.string() }),
        }),
      }),
    ]),
  }),
);

/** keys.ts; a stream may have further partitions between organization and day. */
const KEY =
  /^(logs|identities)\/org=([A-Za-z0-9._-]+)\/(?:[a-z]+=[A-Za-z0-9._-]+\/)*([a-z0-9]+)-(\d{12})\.ndjson\.gz$/;

/** refusals.ts: an event laid aside, which an operator asks to be sent again. */
const REFUSED = /^rejected\/[A-Za-z0-9._-]+\/(.+)-(\d+)\.ndjson$/;

/**
 * What a message announces. A message that is not ours will not become ours by waiting: the reason says what to look
 * for, and never quotes the message.
 */
export function announced(body: string, bucket: string): Announcement {
  const [record] = recordsOf(body) ?? [];
  if (record === undefined) {
    return unreadable(
      'it is no S3 event notification with one record: find out who else sends to this queue',
    );
  }
  const { bucket: named, object } = record.s3;
  if (named.name !== bucket) {
    return unreadable(`it names another bucket than ${bucket}: find out who else sends to this queue`);
  }
  const key = decoded(object.key);
  const refused = REFUSED.exec(key ?? '');
  const [, stream, org, epoch, sequence] = KEY.exec(refused ? `${refused[1]}.ndjson.gz` : (key ?? '')) ?? [];
  const announcedAt = Date.parse(record.eventTime);
  if (key === undefined || org === undefined || Number.isNaN(announcedAt)) {
    return unreadable(
      'its key or its time is not of the form that orglog writes: are the notifications of the bucket itself switched on? Switch them off',
    );
  }
  const idPrefix = `${org}:${stream}:${epoch}:${Number(sequence)}:`;
  return {
    kind: 'object',
    object: {
      ...{ key, org, stream: stream === 'identities' ? stream : 'logs', idPrefix, announcedAt },
      ...(refused && { refusedLine: Number(refused[2]) }),
    },
  };
}

function unreadable(reason: string): Announcement {
  return { kind: 'unreadable', reason: `a message cannot be read: ${reason}` };
}

function recordsOf(body: string) {
  try {
    return message.safeParse(JSON.parse(body)).data?.Records;
  } catch {
    return undefined;
  }
}

function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    return undefined;
  }
}
