/** A complete answer, before a fault has its way with it. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; Content-Type is JSON unless it is named here, Content-Length follows the body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** One entry of a 422's `detail`; the last two members are the identity half's (logs-v1.md, identities-v1.md). */
export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Thrown wherever a request is refused: carries the documented body. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(
    status: number,
    detail: string | readonly ValidationError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`refused with status ${status}`);
    this.name = 'Refusal';
    this.answer = { ...jsonAnswer(status, { detail }), headers };
  }
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}
