import { describe, expect, it } from 'vitest';
import { MalformedPage, scanPage } from '../../functions/core/page-scan.ts';

const scan = (text: string | Buffer) => scanPage(Buffer.from(text));

describe('scanPage', () => {
  it('works in place: lines share the memory of the body', () => {
    const body = Buffer.from('{"nextToken":"t","count":2,"logEvents":[{"a":1},{"b":"},{"}]}');
    const { lines } = scanPage(body);
    expect(lines.toString()).toBe('{"a":1}\n{"b":"},{"}\n');
    expect(lines.buffer).toBe(body.buffer);
  });

  it('takes nested logEvents for what they are: data', () => {
    const { lines, count } = scan('{"extra":{"logEvents":[1,2]},"logEvents":[{"logEvents":[{"x":[]}]}]}');
    expect(lines.toString()).toBe('{"logEvents":[{"x":[]}]}\n');
    expect(count).toBe(1);
  });

  it('reads member names that are written with escapes', () => {
    expect(scan('{"log\\u0045vents":[{}],"nextTok\\u0065n":"t"}')).toMatchObject({
      count: 1,
      nextToken: 't',
    });
  });

  it('follows brackets as deep as they go', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(scan(`{"logEvents":[${deep}]}`).lines.toString()).toBe(`${deep}\n`);
  });

  it('passes on bytes that are not UTF-8, and says so', () => {
    const body = Buffer.from('{"logEvents":[{"a":"?"}]}');
    body[body.indexOf('?')] = 0xff;
    const { lines, utf8 } = scanPage(body);
    expect(utf8).toBe(false);
    expect([...lines]).toContain(0xff);
  });

  it('leaves to the consumer what is no JSON between brackets and strings', () => {
    expect(scan('{"logEvents":[{"ratio":NaN}]}').lines.toString()).toBe('{"ratio":NaN}\n');
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html><body>Sign in</body></html>'],
    ['an array', '[]'],
    ['a string', '"logEvents"'],
    ['no logEvents', '{"count":0}'],
    ['logEvents null', '{"logEvents":null}'],
    ['logEvents an object', '{"logEvents":{}}'],
    ['logEvents twice', '{"logEvents":[],"logEvents":[]}'],
    ['two pages', '{"logEvents":[]}{"logEvents":[]}'],
    ['a comma too many', '{"logEvents":[{},]}'],
    ['a comma too early', '{"logEvents":[,{}]}'],
    ['two commas', '{"logEvents":[{},,{}]}'],
    ['a member without a value', '{"count":,"logEvents":[]}'],
    ['a member without a name', '{:1,"logEvents":[]}'],
    ['a member that is no JSON', '{"nextToken":abc,"logEvents":[]}'],
    ['no comma between members', '{"count":0 "logEvents":[]}'],
    ['a bracket of the other kind', '{"logEvents":[{"a":[1}]}]}'],
    ['a brace too many', '{"logEvents":[{}}]}'],
    ['a newline in a string', '{"logEvents":[{"a":"b\nc"}]}'],
    ['a newline behind a backslash', '{"logEvents":[{"a":"b\\\nc"}]}'],
    ['a backslash at the very end', '{"logEvents":[{"a":"b\\'],
    ['a control character between values', '{"logEvents":[{}\u0000]}'],
    ['white space inside a number', '{"logEvents":[{"a":1 2}]}'],
    ['a newline inside a word', '{"logEvents":[{"a":tr\nue}]}'],
  ])('refuses %s', (_, text) => {
    expect(() => scan(text)).toThrow(MalformedPage);
  });

  it('names the place and never quotes what is there', () => {
    const error = (() => {
      try {
        return scan('{"logEvents":[{"password":"hunter2"}},"x"]}');
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(String(error)).toMatch(/at byte \d+ of \d+/);
    expect(String(error)).not.toContain('hunter2');
  });
});
