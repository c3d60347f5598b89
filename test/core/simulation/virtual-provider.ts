import type { LogSource, PageAnswer, PageRequest } from '../../../functions/core/ports.ts';

export interface VirtualProviderOptions {
  readonly now: () => number;
  /** Events in the log before the first call. */
  readonly backlog: number;
  /** Events that appear before each of the first calls: a provider that keeps producing. */
  readonly produced?: { readonly perCall: number; readonly calls: number };
}

interface LoggedEvent {
  readonly line: string;
  readonly at: number;
}

/** How a scripted answer differs: whatever is given replaces what the log would have said. */
export type Script = (request: PageRequest, answer: () => PageAnswer) => PageAnswer | undefined;

/** The provider's log in memory and virtual time: tokens `t<n>` stand for the record that was returned last. */
export class VirtualProvider implements LogSource {
  readonly requests: PageRequest[] = [];
  /** What `/orgUrls` answers. */
  permitted: readonly string[] | undefined = ['https://institution.edu/'];
  /** Consulted at each call. */
  script: Script = () => undefined;
  /** The log gives no tokens at all. */
  withoutTokens = false;
  private readonly log: LoggedEvent[] = [];
  private readonly options: VirtualProviderOptions;
  private readonly refused = new Map<string, PageAnswer>();

  constructor(options: VirtualProviderOptions) {
    this.options = options;
    this.append(options.backlog);
  }

  get lines(): readonly string[] {
    return this.log.map((event) => event.line);
  }

  /** Add events, a second apart, the last one `ageMs` ago. */
  append(count: number, ageMs = 0): void {
    for (let i = count - 1; i >= 0; i--) {
      const at = this.options.now() - ageMs - i * 1000;
      const number = this.log.length;
      const timeStampISO = new Date(at).toISOString();
      this.log.push({
        at,
        line: JSON.stringify({ logType: 'authentication', logSubtype: 'success', timeStampISO, number }),
      });
    }
  }

  /** Add one event of the test's own making. */
  appendLine(line: string, ageMs = 0): void {
    this.log.push({ at: this.options.now() - ageMs, line });
  }

  /** From now on refused, and no longer issued: its record is named by another token. */
  forget(token: string, answer: PageAnswer = UNKNOWN_TOKEN): void {
    this.refused.set(token, answer);
  }

  async readPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
    if (signal.aborted) throw signal.reason;
    const { produced } = this.options;
    if (produced && this.requests.length < produced.calls) this.append(produced.perCall);
    this.requests.push(request);
    return this.script(request, () => this.answer(request)) ?? this.answer(request);
  }

  async permittedOrgUrls(): Promise<readonly string[] | undefined> {
    return this.permitted;
  }

  private answer({ token, limit }: PageRequest): PageAnswer {
    const refusal = token === undefined ? undefined : this.refused.get(token);
    if (refusal) return refusal;
    if (token !== undefined && !/^[tu]\d+$/.test(token)) return UNKNOWN_TOKEN;
    const windowStart = this.options.now() - 3_600_000;
    const oldest = this.log.findIndex((event) => event.at >= windowStart);
    const start = token === undefined ? (oldest < 0 ? this.log.length : oldest) : Number(token.slice(1));
    const events = this.log.slice(start, start + limit);
    const reached = start + events.length;
    const name = this.refused.has(`t${reached}`) ? `u${reached}` : `t${reached}`;
    const nextToken = this.withoutTokens || reached === 0 ? null : name;
    return page(
      events.map((event) => event.line),
      nextToken,
    );
  }
}

/** A 200 with these events. */
export function page(lines: readonly string[], nextToken: string | null): PageAnswer {
  const head = { ref: 'https://provider.example/', next: 'https://provider.example/', nextToken };
  const body = `${JSON.stringify(head).slice(0, -1)},"count":${lines.length},"logEvents":[${lines.join(',')}]}`;
  return { kind: 'body', body: Buffer.from(body), contentType: 'application/json' };
}

/** An error status. */
export function status(
  code: number,
  extra: { detail?: string; retryAfterMs?: number; namesToken?: boolean } = {},
): PageAnswer {
  return { kind: 'status', status: code, detail: `answer ${code}`, namesToken: false, ...extra };
}

const UNKNOWN_TOKEN = status(422, { detail: 'query.nextToken: unknown', namesToken: true });
