import { isUtf8 } from 'node:buffer';

/** A page cut into lines. Views share the body's memory. */
export interface ScannedPage {
  /** The events, one a line, LF-terminated, bytes as sent but for white space outside strings. Empty when none. */
  readonly lines: Buffer;
  readonly count: number;
  /** Elements of `logEvents` that are not objects: passed on all the same. */
  readonly nonObjects: number;
  /** False when the provider sent bytes that are not UTF-8: passed on all the same. */
  readonly utf8: boolean;
  /** First and last line without their LF; absent when there is no event. */
  readonly first?: Buffer;
  readonly last?: Buffer;
  /** `nextToken` and `count` as JSON values, unchecked; `undefined` when absent. */
  readonly nextToken: unknown;
  readonly statedCount: unknown;
}

/** The body is not a JSON page: cut short, HTML, damaged. The message names the offset and never quotes an event. */
export class MalformedPage extends Error {
  override readonly name = 'MalformedPage';
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Cut a log page (LogApiResponse, logs-v1.md) at its events' boundaries, **in place**: the body becomes lines.
 *
 * One pass over the bytes that knows strings, brackets and nothing else: parsing and re-serializing would cost more
 * than compressing does, and would not give back what was sent (numbers that no double holds, repeated keys). In
 * compact JSON the comma between two events becomes their newline without a copy; only white space outside strings
 * makes the rest of an event move forward. Members may come in any order. Inside events the grammar between brackets
 * and strings is not judged (`NaN` passes): an event is the consumer's to read.
 *
 * @throws MalformedPage when the body is not one JSON object with one `logEvents` array, or ends early.
 */
export function scanPage(body: Buffer): ScannedPage {
  return new PageScanner(body).scan();
}

class PageScanner {
  private readonly bytes: Buffer;
  private readonly end: number;
  private at = 0;
  private events: Omit<ScannedPage, 'nextToken' | 'statedCount'> | undefined;
  private nextToken: unknown;
  private statedCount: unknown;

  constructor(body: Buffer) {
    this.bytes = body;
    this.end = body.length;
  }

  scan(): ScannedPage {
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.at = 3;
    this.skipSpace();
    this.expect(OPEN_BRACE, 'an object');
    this.skipSpace();
    if (this.bytes[this.at] === CLOSE_BRACE) this.at++;
    else {
      do {
        this.member();
        this.skipSpace();
      } while (this.accept(COMMA));
      this.expect(CLOSE_BRACE, 'the end of the page');
    }
    this.skipSpace();
    if (this.at < this.end) throw this.malformed('has something after its end');
    if (this.events === undefined) throw new MalformedPage('the page has no logEvents');
    return { ...this.events, nextToken: this.nextToken, statedCount: this.statedCount };
  }

  private member(): void {
    this.skipSpace();
    if (this.bytes[this.at] !== QUOTE) throw this.malformed('has no member name');
    const nameStart = this.at;
    this.at = this.stringEnd(nameStart) + 1;
    const name = this.parsed(nameStart);
    this.skipSpace();
    this.expect(COLON, 'a colon');
    this.skipSpace();
    if (name === 'logEvents') this.logEvents();
    else if (name === 'nextToken') this.nextToken = this.value();
    else if (name === 'count') this.statedCount = this.value();
    else this.skipValue();
  }

  /** A small value of the envelope, parsed. */
  private value(): unknown {
    const start = this.at;
    this.skipValue();
    return this.parsed(start);
  }

  private parsed(start: number): unknown {
    try {
      return JSON.parse(this.bytes.toString('utf8', start, this.at));
    } catch {
      throw this.malformed('has a member that is no JSON value');
    }
  }

  private skipValue(): void {
    const brackets = new BracketStack();
    const start = this.at;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw this.cutShort();
      if (byte === QUOTE) this.at = this.stringEnd(this.at);
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) brackets.open(byte);
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === COMMA) {
        if (brackets.depth === 0) break;
        if (byte !== COMMA && !brackets.close(byte)) throw this.malformed('closes a bracket it did not open');
      }
      this.at++;
    }
    if (this.at === start) throw this.malformed('lacks a value');
  }

  private logEvents(): void {
    if (this.events !== undefined) throw this.malformed('has logEvents twice');
    this.expect(OPEN_BRACKET, 'the logEvents array');
    const { bytes, end } = this;
    const brackets = new BracketStack();
    const linesStart = this.at;
    let read = this.at;
    // Bytes from `kept` to `read` are still to be moved to `written`; in compact JSON they are there already.
    let kept = read;
    let written = read;
    let lineStart = read;
    let lastStart = read;
    let firstEnd = read;
    let count = 0;
    let nonObjects = 0;

    for (;;) {
      if (read >= end) throw this.cutShort();
      const byte = bytes[read] as number;
      if (byte === QUOTE) read = this.stringEnd(read);
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) brackets.open(byte);
      else if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (brackets.depth > 0) {
          if (byte !== COMMA && !brackets.close(byte)) {
            this.at = read;
            throw this.malformed('closes a bracket it did not open');
          }
        } else {
          const lineEnd = written + (read - kept);
          const empty = lineEnd === lineStart;
          this.at = read;
          if (byte === CLOSE_BRACE) throw this.malformed('closes a bracket it did not open');
          if (empty && (byte === COMMA || count > 0))
            throw this.malformed('lacks an event between two commas');
          if (!empty) {
            bytes[read] = LF;
            const opening = lineStart < written ? bytes[lineStart] : bytes[kept + (lineStart - written)];
            if (opening !== OPEN_BRACE) nonObjects++;
            if (count === 0) firstEnd = lineEnd;
            count++;
            lastStart = lineStart;
            lineStart = lineEnd + 1;
          }
          if (byte === CLOSE_BRACKET) {
            const stop = empty ? read : read + 1;
            if (written !== kept) bytes.copyWithin(written, kept, stop);
            written += stop - kept;
            this.at = read + 1;
            break;
          }
        }
      } else if (byte <= SPACE) {
        const next = this.spaceEnd(read);
        if (this.splitsScalar(read, next)) {
          this.at = read;
          throw this.malformed('has white space inside a value');
        }
        if (written !== kept) bytes.copyWithin(written, kept, read);
        written += read - kept;
        kept = next;
        read = next;
        continue;
      }
      read++;
    }

    const lines = bytes.subarray(linesStart, written);
    this.events = {
      ...{ lines, count, nonObjects, utf8: isUtf8(lines) },
      ...(count > 0 && {
        first: bytes.subarray(linesStart, firstEnd),
        last: bytes.subarray(lastStart, written - 1),
      }),
    };
  }

  /** Where the string that opens at `from` has its closing quote. */
  private stringEnd(from: number): number {
    const { bytes, end } = this;
    for (let at = from + 1; at < end; at++) {
      let byte = bytes[at] as number;
      // Most bytes of a page pass here: a loop that does nothing else, since one with the cases below takes twice as long.
      while (byte > QUOTE && byte !== BACKSLASH && ++at < end) byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      // What is escaped is passed over, but no newline hides behind a backslash.
      if (byte === BACKSLASH) byte = bytes[++at] ?? SPACE;
      if (byte < SPACE) {
        this.at = at;
        throw this.malformed('has a control character in a string');
      }
    }
    throw this.cutShort();
  }

  /** Taking out white space must not join what it parted: `1 2` is no JSON, and must not become `12`. */
  private splitsScalar(from: number, to: number): boolean {
    return isScalarByte(this.bytes[from - 1]) && isScalarByte(this.bytes[to]);
  }

  private spaceEnd(from: number): number {
    let at = from;
    while (at < this.end && isSpace(this.bytes[at])) at++;
    if (at === from) {
      this.at = from;
      throw this.malformed('has a control character between values');
    }
    return at;
  }

  private skipSpace(): void {
    while (this.at < this.end && isSpace(this.bytes[this.at])) this.at++;
  }

  private accept(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private expect(byte: number, what: string): void {
    if (this.at >= this.end) throw this.cutShort();
    if (!this.accept(byte)) throw this.malformed(`lacks ${what}`);
  }

  private malformed(what: string): MalformedPage {
    return new MalformedPage(`the page ${what} (at byte ${this.at} of ${this.end})`);
  }

  private cutShort(): MalformedPage {
    return new MalformedPage(`the page ends early (after ${this.end} bytes)`);
  }
}

/** Which brackets are open: grows with the input's depth, which the size of a page bounds. */
class BracketStack {
  depth = 0;
  private closers = new Uint8Array(64);

  open(byte: number): void {
    if (this.depth === this.closers.length) {
      const wider = new Uint8Array(this.closers.length * 2);
      wider.set(this.closers);
      this.closers = wider;
    }
    this.closers[this.depth++] = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
  }

  close(byte: number): boolean {
    return this.closers[--this.depth] === byte;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

function isScalarByte(byte: number | undefined): boolean {
  if (byte === undefined || isSpace(byte)) return false;
  return (
    byte !== QUOTE &&
    byte !== COMMA &&
    byte !== COLON &&
    byte !== OPEN_BRACE &&
    byte !== CLOSE_BRACE &&
    byte !== OPEN_BRACKET &&
    byte !== CLOSE_BRACKET
  );
}
