/** One of several JSON objects written one after another. */
export interface JsonObjectText {
  /** Member name → its value's JSON text as it was sent: a number no double can hold stays what it is. */
  readonly members: ReadonlyMap<string, string>;
}

const SPACE = /[\t\n\r ]*/y;
const SCALAR = /[^\t\n\r ,:{}[\]"]+/y;

/**
 * Take JSON objects off a text, one after another, with nothing or white space between them. Yields `undefined` and
 * ends at the first thing that is no JSON object: what came before it is sound.
 */
export function* concatenatedJson(text: string): Generator<JsonObjectText | undefined> {
  for (let at = skip(SPACE, text, 0); at < text.length; at = skip(SPACE, text, at)) {
    const found = objectAt(text, at);
    yield found;
    if (found === undefined) return;
    at = found.end;
  }
}

function objectAt(text: string, start: number): (JsonObjectText & { readonly end: number }) | undefined {
  if (text[start] !== '{') return undefined;
  const members = new Map<string, string>();
  let at = skip(SPACE, text, start + 1);
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at);
    const colon = skip(SPACE, text, nameEnd);
    if (nameEnd === at || text[colon] !== ':') return undefined;
    const valueStart = skip(SPACE, text, colon + 1);
    const valueEnd = valueAfter(text, valueStart);
    if (valueEnd === undefined) return undefined;
    const name = parsed(text.slice(at, nameEnd));
    if (typeof name !== 'string') return undefined;
    members.set(name, text.slice(valueStart, valueEnd));
    at = skip(SPACE, text, valueEnd);
    if (text[at] === ',') at = skip(SPACE, text, at + 1);
  }
  // Where the object ends is found by its shape; whether it is JSON only the real parser says.
  if (text[at] !== '}' || parsed(text.slice(start, at + 1)) === undefined) return undefined;
  return { members, end: at + 1 };
}

/** The end of the value at `start`, found by brackets and strings alone. */
function valueAfter(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  do {
    at = skip(SPACE, text, at);
    const char = text[at];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (char === undefined || depth < 0) return undefined;
    const end = char === '"' ? stringEnd(text, at) : /[{}[\],:]/.test(char) ? at + 1 : skip(SCALAR, text, at);
    if (end === at) return undefined;
    at = end;
  } while (depth > 0);
  return at;
}

/** The value of a JSON text, or `undefined` where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Just past the closing quote of the string at `start`, or `start` where it has none. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return start;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
