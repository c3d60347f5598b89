import * as z from 'zod/mini';
import type { EventOutcome, SendOutcome } from '../core/ports-delivery.ts';
import { again, jsonOf, statusInWords, tooLarge } from './answer-parts.ts';
import { oneLine } from './error-detail.ts';
import type { SinkAnswer } from './sink-connection.ts';

const MAX_DETAIL = 500;
/** What types are made of; anything else could quote an event. */
const TYPE = /^[a-z0-9_]{1,80}$/;

const bulkBody = z.lazy(() =>
  z.object({
    items: z.array(
      z.object({
        create: z.object({
          status: z.int(),
          error: z.catch(
            z.optional(
              z.object({
                type: z.catch(z.string(), ''),
                reason: z.catch(z.nullable(z.string()), ''),
              }),
            ),
            undefined,
          ),
        }),
      }),
    ),
  }),
);

type Item = z.infer<typeof bulkBody>['items'][number]['create'];

const CONFIGURATION: Readonly<Record<number, string>> = {
  401: 'see that the API key or the password in the secret is right',
  403: 'the credential needs the privileges auto_configure and create_doc on the data stream',
  404: 'there is no such data stream, and none may be created: install the index template',
};

/** What the answer of `_bulk` means (design §5): an HTTP 200 carries a status for each event. */
export function bulkOutcome(answer: SinkAnswer, count: number, now: number): SendOutcome {
  if (answer.kind === 'broken') return { kind: 'retry', reason: answer.reason };
  const { status } = answer;
  const said = `Elasticsearch answered ${statusInWords(status)}`;
  if (status === 200) {
    const body = jsonOf(answer);
    if (saysAllCreated(body, count)) return { kind: 'accepted' };
    const items = bulkBody.safeParse(body).data?.items;
    if (items?.length !== count) {
      return again(`${said} without a result for each of ${count} events`, answer, now);
    }
    return { kind: 'per-event', events: items.map(({ create }) => itemOutcome(create)) };
  }
  if (status === 413) return tooLarge(said, count);
  const remedy = CONFIGURATION[status];
  if (remedy !== undefined) return { kind: 'configuration', reason: `${said}: ${remedy}` };
  return again(said, answer, now);
}

/** The usual answer: looked through without a schema, whose price would be paid for every event. */
function saysAllCreated(body: unknown, count: number): boolean {
  const { items } = Object(body) as { readonly items?: unknown };
  if (!Array.isArray(items) || items.length !== count) return false;
  return items.every((item) => {
    const status: unknown = item?.create?.status;
    return typeof status === 'number' && status >= 200 && status < 300;
  });
}

function itemOutcome({ status, error }: Item): EventOutcome {
  // 409: an earlier request brought it there.
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'accepted' };
  const type = error !== undefined && TYPE.test(error.type) ? ` (${error.type})` : '';
  const reason = `Elasticsearch answered ${statusInWords(status)} to an event${type}`;
  if (status === 400 || status === 413) {
    return { kind: 'rejected', reason, detail: oneLine(error?.reason ?? '', MAX_DETAIL) };
  }
  const remedy = CONFIGURATION[status];
  return remedy === undefined
    ? { kind: 'retry', reason }
    : { kind: 'configuration', reason: `${reason}: ${remedy}` };
}
