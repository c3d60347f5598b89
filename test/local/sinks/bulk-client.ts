import { gzipSync } from 'node:zlib';
import type { Elasticsearch } from '../../../local/sinks/elasticsearch.ts';

export const STREAM = 'logs-orglog.events-default';
export const API_KEY = Buffer.from('id:key').toString('base64');

export interface BulkReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface BulkPost {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly gzip?: boolean;
}

/** Send a `_bulk` body as a well-behaved client does, unless told otherwise. */
export async function bulk(elastic: Elasticsearch, body: string, options: BulkPost = {}): Promise<BulkReply> {
  const { path = '/_bulk', gzip = false } = options;
  const response = await fetch(elastic.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...options.headers,
    },
    body: gzip ? gzipSync(body) : body,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** One operation: an action line and, where there is one, its document. */
export function operation(action: string, given: object, document?: object | string): string {
  const source = typeof document === 'string' ? document : JSON.stringify(document);
  return `${JSON.stringify({ [action]: given })}\n${document === undefined ? '' : `${source}\n`}`;
}

/** A `create` in the events' data stream. */
export function create(id: string, more: object = {}): string {
  return operation(
    'create',
    { _index: STREAM, _id: id },
    { '@timestamp': '2026-01-02T03:04:05.678Z', ...more },
  );
}
