import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatenatedJson } from '../../../local/sinks/concatenated-json.ts';

const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4, noNullPrototype: true });
const space = fc.constantFrom('', ' ', '\n', '\r\n\t');

it('takes any objects apart again, with each member’s own text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(object, space), { maxLength: 5 }),
      fc.constantFrom(0, 2),
      (parts, indent) => {
        const text = parts.map(([value, gap]) => JSON.stringify(value, null, indent) + gap).join('');
        const found = [...concatenatedJson(text)].map((each) =>
          Object.fromEntries([...(each?.members ?? [])].map(([name, value]) => [name, JSON.parse(value)])),
        );
        expect(found).toStrictEqual(JSON.parse(JSON.stringify(parts.map(([value]) => value))));
      },
    ),
  );
});

it('never takes for an object what the JSON parser does not', () => {
  fc.assert(
    fc.property(
      object,
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '{', '\\', ':', '0'),
      (value, at, wrong) => {
        const sound = JSON.stringify(value);
        const place = at % sound.length;
        const text = sound.slice(0, place) + wrong + sound.slice(place + 1);
        const [first] = concatenatedJson(text);
        const isObject = parses(text) && text.startsWith('{');
        // A change may leave a shorter object at the start, which is sound by itself.
        if (isObject) expect(first).toBeDefined();
        else if (first !== undefined) expect([...concatenatedJson(text)].at(-1)).toBeUndefined();
      },
    ),
  );
});

it('reads a string of many megabytes', () => {
  const text = JSON.stringify({ event: 'a\\"'.repeat(2_000_000) });
  const [found] = concatenatedJson(text);
  expect(found?.members.get('event')?.length).toBe(text.length - '{"event":}'.length);
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
