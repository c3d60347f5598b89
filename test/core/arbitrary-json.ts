import fc from 'fast-check';

/** JSON text of any event: what serializers of any language might send, white space and all. */
export interface JsonText {
  readonly text: string;
  /** The same without white space outside strings. */
  readonly compact: string;
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

/** Numbers that no double holds are numbers all the same. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
  fc.constantFrom(
    '12345678901234567890',
    '1e400',
    '-0',
    '1E+2',
    '0.10',
    '-1.5e-400',
    '3.00000000000000000001',
  ),
);

/** Strings that look like structure, and every way to write a character. */
const string = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(quoted) },
      fc.constantFrom(
        '},{',
        '],[',
        '\\"',
        '\\\\',
        '\\/',
        '\\n',
        '\\ud800',
        '\\uDFFF\\ud83d',
        '\\u2028',
        '\u2028\u2029',
        '\u00e9\u{1f600}',
        '"logEvents":['.replaceAll('"', '\\"'),
        '  ',
        '\u007f',
      ),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`);

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function listed(
  open: string,
  items: readonly JsonText[],
  close: string,
  spaces: readonly string[],
): JsonText {
  const at = (i: number) => spaces[i % Math.max(1, spaces.length)] ?? '';
  const text = items.map((item, i) => at(i) + item.text + at(i + 1)).join(',');
  return {
    text: open + (text || at(0)) + close,
    compact: open + items.map((item) => item.compact).join(',') + close,
  };
}

const spaces = fc.array(space, { maxLength: 3 });
const scalar = fc
  .oneof(number, string, fc.constantFrom('true', 'false', 'null'))
  .map((text): JsonText => ({ text, compact: text }));

const { value } = fc.letrec<{ value: JsonText; object: JsonText }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    arrayOf(tie('value')),
    tie('object'),
  ),
  object: objectOf(tie('value')),
}));

function arrayOf(items: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return fc
    .tuple(fc.array(items, { maxLength: 4 }), spaces)
    .map(([list, around]) => listed('[', list, ']', around));
}

/** Keys may be empty and may repeat. */
function objectOf(values: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  const key = fc.oneof(fc.constantFrom('""', '"a"', '"logEvents"', '"nextToken"'), string);
  const member = fc.tuple(key, space, values).map(([name, gap, item]) => ({
    text: `${name}${gap}:${gap}${item.text}`,
    compact: `${name}:${item.compact}`,
  }));
  return fc
    .tuple(fc.array(member, { maxLength: 5 }), spaces)
    .map(([list, around]) => listed('{', list, '}', around));
}

/** Mostly objects, as documented; anything else now and then. */
export const event: fc.Arbitrary<JsonText> = fc.oneof({ weight: 5, arbitrary: objectOf(value) }, value);

export interface PageText {
  readonly text: string;
  readonly events: readonly JsonText[];
  readonly token: string | null;
}

/** A page around the events, its members in any order, unknown ones among them. */
export const page: fc.Arbitrary<PageText> = fc
  .record({
    events: fc.array(event, { maxLength: 6 }),
    around: spaces,
    token: fc.option(fc.uuid()),
    order: fc.shuffledSubarray(['ref', 'next', 'nextToken', 'count', 'logEvents', 'extra'], { minLength: 6 }),
    extra: value,
    bom: fc.boolean(),
  })
  .map(({ events, around, token, order, extra, bom }) => {
    const members: Readonly<Record<string, string>> = {
      ref: '"https://provider.example/logs/v1/orgLogs?a=},{"',
      next: '"https://provider.example/next"',
      nextToken: JSON.stringify(token),
      count: String(events.length),
      logEvents: listed('[', events, ']', around).text,
      extra: extra.text,
    };
    const gap = around[0] ?? '';
    const body = order
      .map((name) => `${gap}${JSON.stringify(name)}${gap}:${gap}${members[name]}`)
      .join(`${gap},`);
    return { text: `${bom ? '\ufeff' : ''}${gap}{${body}${gap}}${gap}`, events, token };
  });
