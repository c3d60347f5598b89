import { backoffMs } from './backoff.ts';
import { OrglogError } from './errors.ts';
import { type Page, readPage } from './page.ts';
import { MalformedPage } from './page-scan.ts';
import type { PageAnswer } from './ports.ts';
import type { RunContext, RunEvent, RunPorts, RunSettings } from './run.ts';
import type { Tally } from './tally.ts';

/** The provider does not take this token; `certain` when it said so by name (422 whose `loc` names `nextToken`). */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly token: string;
  readonly certain: boolean;

  constructor(token: string, certain: boolean, answer: string) {
    super(`the provider refuses the stored token (${answer})`);
    this.token = token;
    this.certain = certain;
  }
}

/** Statuses that may mean a forgotten token, or just a gateway's bad minute. */
const MAY_MEAN_STALE: ReadonlySet<number> = new Set([400, 404, 410]);

type StatusAnswer = Extract<PageAnswer, { kind: 'status' }>;

/** What fetching takes of a run's ports. */
export interface FetcherPorts extends Pick<RunPorts, 'source' | 'clock' | 'random'> {
  readonly observe: (event: Extract<RunEvent, { kind: 'retry' | 'smaller-page' }>) => void;
}

/** What fetching takes of a run's settings. */
export type FetcherSettings = Pick<
  RunSettings,
  'org' | 'baseUrl' | 'orgUrl' | 'filters' | 'limit' | 'maxAttempts'
>;

/** Fetches one page at a time, as often as it takes within the run's time: the one place where reads are retried. */
export class PageFetcher {
  private readonly ports: FetcherPorts;
  private readonly settings: FetcherSettings;
  private readonly context: Pick<RunContext, 'readUntil'>;
  private readonly tally: Pick<Tally, 'throttles' | 'countProviderError'>;
  private limit: number;
  private credentialReread = false;

  constructor(
    ports: FetcherPorts,
    settings: FetcherSettings,
    context: Pick<RunContext, 'readUntil'>,
    tally: Pick<Tally, 'throttles' | 'countProviderError'>,
  ) {
    this.ports = ports;
    this.settings = settings;
    this.context = context;
    this.tally = tally;
    this.limit = settings.limit;
  }

  /**
   * The page after `token`, and the limit that it was asked for with.
   *
   * Passing trouble (429, 5xx, a broken connection, a body that is no JSON) is retried with backoff; a page that is too
   * large or too slow is asked for again with half the limit, which grows back page by page (halving ends at 1, so it
   * needs no count of attempts).
   *
   * @throws TokenRefused, or OrglogError when trouble does not pass or will not (401, 403, 422, other statuses).
   */
  async fetch(token: string | undefined, signal: AbortSignal): Promise<{ page: Page; limit: number }> {
    let freshCredential = false;
    for (let attempt = 1; ; attempt++) {
      const limit = this.limit;
      const answer = await this.ports.source.readPage(
        { ...(token !== undefined && { token }), limit, freshCredential },
        signal,
      );
      freshCredential = false;
      if (answer.kind === 'body') {
        try {
          const page = readPage(answer.body);
          this.limit = Math.min(this.settings.limit, limit * 2);
          return { page, limit };
        } catch (error) {
          if (!(error instanceof MalformedPage)) throw error;
          this.tally.countProviderError('malformed');
          await this.waitToRetry(attempt, `${error.message}; content type ${answer.contentType}`, signal);
        }
      } else if (answer.kind === 'too-large' || answer.kind === 'too-slow') {
        this.tally.countProviderError(answer.kind);
        this.halveLimit(answer.detail);
        attempt--;
      } else if (answer.kind === 'broken') {
        this.tally.countProviderError('network');
        await this.waitToRetry(attempt, answer.detail, signal);
      } else if (answer.status === 401 && !this.credentialReread) {
        this.tally.countProviderError('401');
        this.credentialReread = true;
        freshCredential = true;
      } else {
        this.tally.countProviderError(String(answer.status));
        if (answer.status === 429) this.tally.throttles++;
        if (!passes(answer.status)) throw await this.refusal(answer, token, signal);
        await this.waitToRetry(attempt, `${answer.status} ${answer.detail}`, signal, answer.retryAfterMs);
      }
    }
  }

  private halveLimit(reason: string): void {
    if (this.limit === 1) {
      throw new OrglogError(
        'unavailable',
        `the provider's log cannot be read past one event: ${reason}, even with limit=1; ask the provider about it, nothing is lost until its retention ends`,
      );
    }
    this.limit = Math.floor(this.limit / 2);
    this.ports.observe({ kind: 'smaller-page', limit: this.limit, reason });
  }

  private async waitToRetry(
    attempt: number,
    reason: string,
    signal: AbortSignal,
    retryAfterMs?: number,
  ): Promise<void> {
    const delayMs = backoffMs(attempt, this.ports.random(), retryAfterMs);
    const tooLate = this.ports.clock.now() + delayMs >= this.context.readUntil;
    if (attempt >= this.settings.maxAttempts || tooLate) {
      const why = tooLate
        ? `no time is left to wait ${Math.ceil(delayMs / 1000)} s more`
        : `${attempt} tries`;
      throw new OrglogError(
        'unavailable',
        `the provider at ${this.settings.baseUrl} could not be read (${why}): ${reason}. Check the base URL and the provider's status; the cursor stays where it is`,
      );
    }
    this.ports.observe({ kind: 'retry', reason, attempt, delayMs });
    await this.ports.clock.sleep(delayMs, signal);
  }

  private async refusal(
    answer: StatusAnswer,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<Error> {
    const { status, detail } = answer;
    const { orgUrl, org } = this.settings;
    const said = `${status} ${detail}`;
    if (token !== undefined && ((status === 422 && answer.namesToken) || MAY_MEAN_STALE.has(status)))
      return new TokenRefused(token, status === 422, said);
    switch (status) {
      case 401:
        return new OrglogError(
          'credentials-refused',
          `the provider refuses the credential of ${org} (401 ${detail}): store a valid one; a new one takes up to 15 minutes to work`,
        );
      case 403: {
        const permitted = await this.ports.source.permittedOrgUrls(signal);
        const list = permitted?.map((url) => JSON.stringify(url)).join(', ');
        return new OrglogError(
          'forbidden',
          `the credential of ${org} may not read orgUrl ${JSON.stringify(orgUrl)} (403 ${detail}); it may read: ${list || 'nothing that could be listed'}. The orgUrl must match exactly, trailing slash included`,
        );
      }
      case 422:
        return new OrglogError(
          'invalid-request',
          `the provider finds the request invalid: ${detail}. Correct the setting it names (orgUrl ${JSON.stringify(orgUrl)}, limit ${this.limit}, filters ${JSON.stringify(this.settings.filters)})`,
        );
      default:
        return new OrglogError(
          'unavailable',
          `the provider at ${this.settings.baseUrl} answered ${said}, which is no answer of its log interface: check the base URL`,
        );
    }
  }
}

function passes(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
