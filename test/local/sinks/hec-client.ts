import { gzipSync } from 'node:zlib';
import type { SplunkHec } from '../../../local/sinks/splunk-hec.ts';

export const TOKEN = 'd3b5a9f0-0000-4000-8000-000000000001';
export const CHANNEL = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';

export interface HecReply {
  readonly status: number;
  readonly body: unknown;
}

export interface HecPost {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly gzip?: boolean;
}

/** Send a body to the collector as a well-behaved client does, unless told otherwise. */
export async function post(
  hec: SplunkHec,
  body: string | undefined,
  options: HecPost = {},
): Promise<HecReply> {
  const { path = '/services/collector/event', method = 'POST', gzip = false } = options;
  const response = await fetch(hec.url + path, {
    method,
    headers: {
      authorization: `Splunk ${TOKEN}`,
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: gzip ? gzipSync(body) : body }),
  });
  return { status: response.status, body: await response.json() };
}
