import type { Expression, Value } from './expression.ts';
import { strptime } from './strptime.ts';

type Fields = Readonly<Record<string, Value>>;

/** Evaluate as Splunk does: nothing known gives nothing, and nothing is not true. */
export function evaluate(expression: Expression, fields: Fields): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'field':
      return Object.hasOwn(fields, expression.name) ? (fields[expression.name] ?? null) : null;
    case 'not': {
      const value = evaluate(expression.operand, fields);
      return value === null ? null : value !== true;
    }
    case 'binary':
      return operate(expression.operator, expression.left, expression.right, fields);
    case 'call':
      return call(expression.name, expression.args, fields);
  }
}

function operate(operator: string, left: Expression, right: Expression, fields: Fields): Value {
  const a = evaluate(left, fields);
  if (operator === 'AND') return a === true && evaluate(right, fields) === true;
  const b = evaluate(right, fields);
  if (a === null || b === null) return null;
  if (operator === '=' || operator === '==') return String(a) === String(b);
  if (operator === '!=') return String(a) !== String(b);
  if (operator === '.') return String(a) + String(b);
  if (typeof a !== 'number' || typeof b !== 'number') return null;
  if (operator === '+') return a + b;
  return operator === '-' ? a - b : a * b;
}

/** Functions that look at their arguments one after another. */
function call(name: string, args: readonly Expression[], fields: Fields): Value {
  const value = (index: number) => {
    const arg = args[index];
    if (arg === undefined) throw new Error(`${name} lacks argument ${index + 1}`);
    return evaluate(arg, fields);
  };
  if (name === 'coalesce') {
    for (const arg of args) {
      const found = evaluate(arg, fields);
      if (found !== null) return found;
    }
    return null;
  }
  if (name === 'case') {
    if (args.length % 2 !== 0) throw new Error('case takes pairs');
    for (let index = 0; index < args.length; index += 2) if (value(index) === true) return value(index + 1);
    return null;
  }
  if (name === 'if') {
    if (args.length !== 3) throw new Error('if takes three arguments');
    return value(0) === true ? value(1) : value(2);
  }
  const plain = FUNCTIONS[name];
  if (plain === undefined) throw new Error(`no such function: ${name}`);
  if (args.length !== plain.length) throw new Error(`${name} takes ${plain.length} arguments`);
  return plain(...args.map((arg) => evaluate(arg, fields)));
}

const FUNCTIONS: Readonly<Record<string, (...args: Value[]) => Value>> = {
  null: () => null,
  true: () => true,
  match: (text: Value, regex: Value) => (text === null ? null : new RegExp(String(regex)).test(String(text))),
  replace: (text: Value, regex: Value, replacement: Value) =>
    text === null
      ? null
      : String(text).replace(
          new RegExp(String(regex), 'g'),
          String(replacement)
            .replaceAll('$', '$$$$')
            .replace(/\\(\d)/g, '$$$1'),
        ),
  mvindex: (values: Value, index: Value) => {
    if (values === null) return null;
    const all = typeof values === 'object' ? values : [String(values)];
    return all[Number(index)] ?? null;
  },
  mvcount: (values: Value) => {
    if (values === null) return null;
    return typeof values === 'object' ? values.length : 1;
  },
  tonumber: (text: Value) => {
    const number = text === null || text === '' ? Number.NaN : Number(text);
    return Number.isNaN(number) ? null : number;
  },
  strptime: (text: Value, format: Value) => (text === null ? null : strptime(String(text), String(format))),
  json_extract: (json: Value, path: Value) => {
    const object: unknown = parse(String(json));
    if (typeof object !== 'object' || object === null) return null;
    const member: unknown = Reflect.get(object, String(path));
    if (member === undefined || member === null) return null;
    return typeof member === 'object' ? JSON.stringify(member) : String(member);
  },
};

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
