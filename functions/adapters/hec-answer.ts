import * as z from 'zod/mini';
import type { SendOutcome } from '../core/ports-delivery.ts';
import { again, jsonOf, statusInWords, tooLarge } from './answer-parts.ts';
import { oneLine } from './error-detail.ts';
import type { SinkAnswer } from './sink-connection.ts';

/** Splunk, "Troubleshoot HTTP Event Collector", possible error codes. */
const SUCCESS = 0;
/** Invalid data format, event field required, event field blank, error in handling indexed fields. */
const EVENT_AT_FAULT = new Set([6, 12, 13, 15]);
/** Incorrect index, data channel missing, invalid data channel; ACK is disabled. */
const SETTINGS_AT_FAULT = new Set([7, 10, 11, 14]);

const MAX_DETAIL = 500;

const hecBody = z.lazy(() =>
  z.object({
    text: z.catch(z.string(), ''),
    code: z.int(),
    'invalid-event-number': z.catch(z.optional(z.int().check(z.nonnegative())), undefined),
    ackId: z.catch(z.optional(z.int()), undefined),
  }),
);

/** What HEC's answer means (design §5), and the number to ask an acknowledgement for, where there is one. */
export function hecOutcome(
  answer: SinkAnswer,
  count: number,
  now: number,
): { readonly outcome: SendOutcome; readonly ackId?: number } {
  if (answer.kind === 'broken') return { outcome: { kind: 'retry', reason: answer.reason } };
  const { status } = answer;
  const body = hecBody.safeParse(jsonOf(answer)).data;
  const said = `HEC answered ${statusInWords(status)}${body === undefined ? '' : `, code ${body.code}`}`;
  // A 200 that is not HEC's own says nothing: a proxy's page has that status too.
  if (status === 200 && body?.code === SUCCESS) {
    return { outcome: { kind: 'accepted' }, ...(body.ackId !== undefined && { ackId: body.ackId }) };
  }
  if (status === 401 || status === 403) {
    const reason = `${said}: see that the token in the secret is right, and enabled`;
    return { outcome: { kind: 'configuration', reason } };
  }
  if (status === 413) return { outcome: tooLarge(said, count) };
  if (status === 400 && body !== undefined) {
    if (SETTINGS_AT_FAULT.has(body.code)) {
      const reason = `${said}: see that the token may write to the index, and whether it uses acknowledgement`;
      return { outcome: { kind: 'configuration', reason } };
    }
    if (EVENT_AT_FAULT.has(body.code)) {
      const culprit = body['invalid-event-number'];
      if (count > 1) {
        return { outcome: { kind: 'split', reason: said, ...(culprit !== undefined && { culprit }) } };
      }
      return { outcome: { kind: 'rejected', reason: said, detail: oneLine(body.text, MAX_DETAIL) } };
    }
  }
  return { outcome: again(said, answer, now) };
}
