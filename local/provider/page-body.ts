/** The envelope of a page, and how it is to be written. */
export interface PageBody {
  readonly ref: string;
  readonly next: string;
  /** `undefined` leaves the member out. */
  readonly nextToken: string | null | undefined;
  readonly count: number;
  /** The events' JSON texts joined by commas, UTF-8: copied, never parsed. */
  readonly events: Uint8Array;
  readonly shape: 'plain' | 'pretty' | 'shifted';
}

/** Write a page (LogApiResponse): `ref`, `next`, `nextToken`, `count`, `logEvents`, in this order unless shifted. */
export function renderPage({ ref, next, nextToken, count, events, shape }: PageBody): Buffer {
  const envelope: Record<string, unknown> = { ref, next, nextToken, count };
  if (shape === 'shifted') {
    const rest = JSON.stringify({ count, nextToken, next, ref });
    return Buffer.concat([Buffer.from('{"logEvents":['), events, Buffer.from(`],${rest.slice(1)}`)]);
  }
  const head = `${JSON.stringify(envelope).slice(0, -1)},"logEvents":[`;
  const plain = Buffer.concat([Buffer.from(head), events, Buffer.from(']}')]);
  return shape === 'plain' ? plain : Buffer.from(indent(plain.toString('utf8')));
}

/** Indent a JSON text by two blanks a level without touching a value: numbers and repeated keys stay as they are. */
function indent(json: string): string {
  let depth = 0;
  // One string, or one structural character, or white space between them, or a run of anything else.
  return json.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s"{}[\],:]+/gs, (part) => {
    if (part === '{' || part === '[') {
      depth += 1;
      return `${part}\n${'  '.repeat(depth)}`;
    }
    if (part === '}' || part === ']') {
      depth -= 1;
      return `\n${'  '.repeat(depth)}${part}`;
    }
    if (part === ',') return `,\n${'  '.repeat(depth)}`;
    if (part === ':') return ': ';
    return part.trim() === '' ? '' : part;
  });
}

/** The URL of a call with its `nextToken` added or replaced; all other parameters stay as they were written. */
export function withToken(url: string, token: string | null | undefined): string {
  if (token === null || token === undefined) return url;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const parameter = `nextToken=${encodeURIComponent(token)}`;
  let replaced = false;
  const parts = query.split('&').filter((part) => part !== '');
  const kept = parts.map((part) => {
    if (!new URLSearchParams(part).has('nextToken')) return part;
    replaced = true;
    return parameter;
  });
  return `${path}?${(replaced ? kept : [...kept, parameter]).join('&')}`;
}
