import type { BatchFacts } from '../batch-facts.ts';
import type { Compressor } from '../ports.ts';
import type { Settleable } from '../settlement.ts';
import type { FeedEvent } from './feed.ts';

/** Text is gathered to about this much before it is compressed. */
const WRITE_CHARACTERS = 64 * 1024;

/** One feed object in the making: the events of whole partitions. Holds compressed bytes only. */
export class FeedBatch implements Settleable {
  count = 0;
  /** Action → how often. */
  readonly byAction: Record<string, number> = {};
  private readonly compressor: Compressor;
  private bytes = 0;
  private first: number | undefined;
  private last: number | undefined;
  private end: string | undefined;

  constructor(compressor: Compressor) {
    this.compressor = compressor;
  }

  /** Compressed bytes so far. */
  get size(): number {
    return this.compressor.size;
  }

  /** Take all events of a partition; `end` is the token after it. */
  async add(events: Iterable<FeedEvent>, end: string): Promise<void> {
    let text = '';
    for (const event of events) {
      text += `${JSON.stringify(event)}\n`;
      this.note(event);
      if (text.length < WRITE_CHARACTERS) continue;
      await this.write(text);
      text = '';
    }
    if (text !== '') await this.write(text);
    this.end = end;
  }

  async finish(
    start: string | undefined,
    eventTime: number,
  ): Promise<{ readonly body: readonly Uint8Array[]; readonly facts: BatchFacts }> {
    const body = await this.compressor.finish();
    const { count, bytes, first, last, end } = this;
    return {
      body,
      facts: {
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...{ count, bytes, eventTime, rereads: false },
        ...(first !== undefined && { first }),
        ...(last !== undefined && { last }),
      },
    };
  }

  discard(): void {
    this.compressor.discard();
  }

  private note({ action, timeStampISO }: FeedEvent): void {
    this.count++;
    this.byAction[action] = (this.byAction[action] ?? 0) + 1;
    const at = Date.parse(timeStampISO);
    this.first = Math.min(this.first ?? at, at);
    this.last = Math.max(this.last ?? at, at);
  }

  private async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.bytes += bytes.length;
    await this.compressor.write(bytes);
  }
}
