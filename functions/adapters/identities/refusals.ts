import * as z from 'zod/mini';
import { OrglogError } from '../../core/errors.ts';
import { ConflictError, InvalidError, type InvalidField } from '../../core/identities/errors.ts';
import { describeErrorBody, oneLine } from '../error-detail.ts';
import { identitiesIn } from './conflicting.ts';
import type { Operation } from './operation.ts';

const DetailText = z.lazy(() => z.object({ detail: z.string() }));

const DetailFields = z.lazy(() =>
  z.object({
    detail: z.array(
      z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.catch(z.string(), '') }),
    ),
  }),
);

export interface Refusal {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RefusalContext {
  readonly origin: string;
  readonly uidField: string;
  /** Takes what must not be shown out of the answer's text. */
  readonly redact: (text: string) => string;
}

/** Whether the body is the `{"detail": "…"}` that the document promises: a proxy's own 404 says nothing of a record. */
export function isDocumented({ body }: Refusal): boolean {
  return DetailText.safeParse(jsonOf(body)).success;
}

/** The error of a status that will not pass by itself: what happened, with which value, and what to do. */
export function refusalOf(
  refusal: Refusal,
  operation: Operation<unknown>,
  { origin, uidField, redact }: RefusalContext,
): OrglogError {
  const { status, body, headers } = refusal;
  const { does } = operation;
  const said = `${status}: ${describeErrorBody(status, body, redact).detail}`;
  switch (status) {
    case 401:
    case 403:
      return new OrglogError(
        'not-authorized',
        `${origin} does not let the credential ${does} (${said}). Either it is wrong, or it lacks ${operation.needs}: \`orglog identities permissions\` shows what it may do.`,
      );
    case 404:
      return operation.addresses === undefined
        ? new OrglogError(
            'configuration',
            `${origin} does not know how to ${does} (${said}). Check the base URL and its path.`,
          )
        : new OrglogError(
            'not-found',
            `${origin} has ${operation.addresses} (${said}). Check the identifier.`,
          );
    case 409:
      return new ConflictError(
        `${origin} refuses to ${does}, since something is in its way (${said}). ${operation.remedy ?? 'Look at what is there, and ask for something else.'}`,
        conflicting(body, operation, redact),
      );
    case 400:
    case 413:
    case 422:
      return new InvalidError(
        `${origin} refuses to ${does}, since the request is not valid (${said}). Correct what it names and try again.`,
        fieldsOf(body, uidField, redact),
      );
    default:
      return status >= 300 && status < 400
        ? new OrglogError(
            'configuration',
            `${origin} answered the request to ${does} with a redirect (${status}, to ${redact(targetOf(headers.location, origin))}), which is not followed: the base URL must be the provider's own address.`,
          )
        : new OrglogError(
            'unavailable',
            `${origin} answered the request to ${does} with a status that is not documented (${said}). Check the base URL, and ask the provider.`,
          );
  }
}

function conflicting(
  body: Buffer,
  operation: Operation<unknown>,
  redact: (text: string) => string,
): readonly string[] {
  const detail = DetailText.safeParse(jsonOf(body)).data?.detail;
  return detail === undefined ? [] : identitiesIn(redact(detail), operation.mentions ?? []);
}

function fieldsOf(body: Buffer, uidField: string, redact: (text: string) => string): InvalidField[] {
  const detail = DetailFields.safeParse(jsonOf(body)).data?.detail ?? [];
  return detail.map(({ loc, msg }) => ({
    path: oneLine(redact(loc.map((part) => (part === uidField ? 'serviceUid' : part)).join('.')), 200),
    message: oneLine(redact(msg), 200),
  }));
}

function targetOf(location: string | string[] | undefined, base: string): string {
  const first = Array.isArray(location) ? location[0] : location;
  if (first === undefined || !URL.canParse(first, base)) return 'no readable address';
  const { origin, protocol } = new URL(first, base);
  return origin === 'null' ? protocol : origin;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
