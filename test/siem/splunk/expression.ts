/** What an eval expression works with: text, number, several values, a truth, or nothing. */
export type Value = string | number | boolean | readonly string[] | null;

/** An eval expression, read. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    };

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|('[^']+')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(==|!=|[=.+*(),-]))/y;

/**
 * Operators by how tightly they bind, loosest first (Splunk, Search Reference, eval). `NOT` stands above `AND`. Not `OR`:
 * what it gives beside a missing field is not documented, so nothing here may use it.
 */
const LEVELS: readonly (readonly string[])[] = [['AND'], ['=', '==', '!='], ['+', '-', '.'], ['*']];

/** Read one eval expression. Throws at what Splunk would refuse: an open parenthesis or string, a rest. */
export function parseExpression(source: string): Expression {
  const tokens = tokenize(source);
  let at = 0;

  const take = () => {
    const token = tokens[at];
    if (token === undefined) throw new Error(`ends too early: ${source}`);
    at += 1;
    return token;
  };
  const expect = (wanted: string) => {
    const token = take();
    if (token !== wanted) throw new Error(`${wanted} was expected, not ${token}: ${source}`);
  };

  function operation(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return primary();
    if (level === 1 && tokens[at] === 'NOT') {
      at += 1;
      return { kind: 'not', operand: operation(level) };
    }
    let left = operation(level + 1);
    for (;;) {
      const operator = tokens[at];
      if (operator === undefined || !operators.includes(operator)) return left;
      at += 1;
      left = { kind: 'binary', operator, left, right: operation(level + 1) };
    }
  }

  function primary(): Expression {
    const token = take();
    if (token.startsWith('"')) return { kind: 'literal', value: unescaped(token.slice(1, -1)) };
    if (token.startsWith("'")) return { kind: 'field', name: token.slice(1, -1) };
    if (/^\d/.test(token)) return { kind: 'literal', value: Number(token) };
    if (token === '(') {
      const inner = operation(0);
      expect(')');
      return inner;
    }
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`${token} is no value: ${source}`);
    if (tokens[at] !== '(') return { kind: 'field', name: token };
    at += 1;
    const args: Expression[] = [];
    while (tokens[at] !== ')') {
      if (args.length > 0) expect(',');
      args.push(operation(0));
    }
    expect(')');
    return { kind: 'call', name: token, args };
  }

  const expression = operation(0);
  if (at < tokens.length) throw new Error(`${tokens[at]} is left over: ${source}`);
  return expression;
}

function tokenize(source: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const text = source.trimEnd();
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`cannot be read: ${text.slice(from)}`);
    tokens.push(match[0].trimStart());
  }
  return tokens;
}

/** A backslash before anything but a quote or a backslash stays: regular expressions and "\1" need none doubled. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

/** Every expression inside one, itself first. */
export function* parts(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.kind === 'call') for (const arg of expression.args) yield* parts(arg);
  if (expression.kind === 'not') yield* parts(expression.operand);
  if (expression.kind === 'binary') {
    yield* parts(expression.left);
    yield* parts(expression.right);
  }
}
