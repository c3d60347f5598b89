import type { BatchFacts } from './batch-facts.ts';
import type { Page } from './page.ts';
import type { Compressor, Gap } from './ports.ts';

/** One batch in the making: whole pages, compressed as they come. Holds compressed bytes only. */
export class Batch {
  count = 0;
  gap: Gap | undefined;
  private readonly compressor: Compressor;
  private bytes = 0;
  private first: number | undefined;
  private last: number | undefined;
  private token: string | undefined;
  private rereads: boolean;

  /** @param rereads what the row says of a read from its token */
  constructor(compressor: Compressor, rereads: boolean) {
    this.compressor = compressor;
    this.rereads = rereads;
  }

  /** Compressed bytes so far. */
  get size(): number {
    return this.compressor.size;
  }

  /** Where reading goes on after the pages taken so far; absent when none of them gave a token. */
  get end(): string | undefined {
    return this.token;
  }

  /** Whether reading from there returns events of this batch again. */
  get repeatsItself(): boolean {
    return this.rereads;
  }

  /**
   * Take a page.
   *
   * @param kept its lines less those that are archived already, `removed` of them
   * @param moved whether its token leads on; one that does not is not taken
   * @param behind whether committed events are still to come behind it
   */
  async add(
    page: Page,
    kept: readonly Buffer[],
    removed: number,
    moved: boolean,
    behind = false,
  ): Promise<void> {
    for (const lines of kept) {
      await this.compressor.write(lines);
      this.bytes += lines.length;
    }
    this.count += page.count - removed;
    if (page.count > removed) {
      this.first ??= page.firstAt;
      if (page.newestAt !== undefined) this.last = Math.max(this.last ?? page.newestAt, page.newestAt);
    }
    if (moved && page.token !== undefined) this.token = page.token;
    if (page.count > 0) this.rereads = behind || !moved;
    else if (this.token !== undefined) this.rereads = behind;
  }

  /** Ends it. `start` is the row's token, `eventTime` what every announcement will carry. */
  async finish(
    start: string | undefined,
    eventTime: number,
  ): Promise<{ body: readonly Uint8Array[]; facts: BatchFacts }> {
    const body = await this.compressor.finish();
    const end = this.token ?? start;
    const { count, bytes, rereads, first, last, gap } = this;
    return {
      body,
      facts: {
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...{ count, bytes, eventTime, rereads },
        ...(first !== undefined && { first }),
        ...(last !== undefined && { last }),
        ...(gap !== undefined && { gap }),
      },
    };
  }

  discard(): void {
    this.compressor.discard();
  }
}
