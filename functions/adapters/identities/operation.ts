import { InvalidError } from '../../core/identities/errors.ts';
import { oneLine } from '../error-detail.ts';

/** One operation of identities-v1.md with its arguments: what to send, and how to tell of what comes back. */
export interface Operation<Result> {
  /** What it does, as in "could not …": part of every message. */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, encoded, with the query. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether doing it twice comes to the same as doing it once, so that it may be repeated after it may have happened. */
  readonly idempotent: boolean;
  /** What the credential may lack where the answer is 401. The document does not say what each operation requires. */
  readonly needs: string;
  /** What is not there where the answer is 404; absent where the document knows no 404. */
  readonly addresses?: string;
  /** What to do about a 409. */
  readonly remedy?: string;
  /** What was sent and may be named in a 409's detail without being the identity in the way. */
  readonly mentions?: readonly string[];
  /** Reads a success's body. @throws NotJson, Misfit (answers.ts) */
  readonly read: (body: Buffer) => Result;
}

/** Longest value of the caller's that a message repeats. */
const MAX_SHOWN = 120;

/** A value of the caller's as messages show it. */
export function shown(value: string): string {
  return `“${oneLine(value, MAX_SHOWN)}”`;
}

/**
 * A value as one segment of a path.
 *
 * @param name the parameter's, for the error
 * @throws InvalidError for what no segment can hold: nothing at all, half a surrogate pair, and `.` and `..`, which URLs
 *   resolve even when they are percent-encoded, so that another resource would be meant
 */
export function segment(value: string, name: string): string {
  const wrong =
    value === ''
      ? 'is empty'
      : value === '.' || value === '..'
        ? 'cannot be sent in a path, which would lead elsewhere'
        : value.isWellFormed()
          ? undefined
          : 'is no valid Unicode text';
  if (wrong === undefined) return encodeURIComponent(value);
  throw new InvalidError(`The ${name} ${shown(value)} ${wrong}: nothing was sent. Give another one.`, [
    { path: `path.${name}`, message: wrong },
  ]);
}

/** The path with those parameters that have a value. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
