import { STATUS_CODES } from 'node:http';
import * as z from 'zod/mini';

/** Longest detail handed on, in UTF-16 units. */
export const MAX_DETAIL = 500;
/** How much of a text that is not the documented JSON is worth showing. */
const MAX_TEXT = 200;
/** How much of such a text is looked at: beyond lies no first sentence. */
const MAX_TEXT_SCANNED = 16 * 1024;

/** Error bodies of logs-v1.md ("Errors"): `detail` is a string, or for 422 an array of ValidationError. */
const ErrorBody = z.lazy(() =>
  z.object({
    detail: z.union([
      z.string(),
      z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.catch(z.string(), '') })),
    ]),
  }),
);

export interface ErrorDetail {
  /** One line, at most 500 characters, without control characters and without the secrets. */
  readonly detail: string;
  /** Whether a `loc` names `nextToken`. */
  readonly namesToken: boolean;
}

/**
 * What an answer other than 200 says, for people: the documented `detail`, or the start of its text with the markup
 * taken out.
 *
 * @param body as much of the body as was read
 * @param redact takes out what must not be logged; applied before anything is cut, so that no part of it survives
 */
export function describeErrorBody(
  status: number,
  body: Buffer,
  redact: (text: string) => string,
): ErrorDetail {
  const text = body.toString('utf8');
  const detail = documentedDetail(text);
  if (detail === undefined || detail.length === 0) {
    const shown = oneLine(redact(visibleText(redact(text.slice(0, MAX_TEXT_SCANNED)))), MAX_TEXT);
    return {
      detail: shown === '' ? `no detail (${STATUS_CODES[status] ?? 'status'} ${status})` : shown,
      namesToken: false,
    };
  }
  if (typeof detail === 'string') return { detail: oneLine(redact(detail), MAX_DETAIL), namesToken: false };
  return {
    detail: oneLine(redact(detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')), MAX_DETAIL),
    namesToken: detail.some(({ loc }) => loc.includes('nextToken')),
  };
}

function documentedDetail(text: string): z.infer<typeof ErrorBody>['detail'] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return ErrorBody.safeParse(json).data?.detail;
}

function visibleText(html: string): string {
  return html.replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ').replace(/<[^<>]*>/g, ' ');
}

/** White space collapsed, control and format characters (line breaks, bidi overrides) taken out, cut to `max`. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return (line.length > max ? `${line.slice(0, max - 1)}…` : line).toWellFormed();
}
