import { ADDRESS } from './address.ts';

/** Splunk reads a JSON `null` as the text "null". */
const PRESENT = '^(?!null$).';

/** A member's values: Splunk calls those of an array `<name>{}`. */
export function valuesOf(key: string): string {
  return `coalesce('logData.${key}', 'logData.${key}{}')`;
}

/** An attribute may have several values: the first one stands for it. */
export function firstOf(key: string): string {
  return `mvindex(${valuesOf(key)}, 0)`;
}

export function says(key: string): string {
  return saysField(firstOf(key));
}

export function saysField(field: string): string {
  return `match(${field}, "${PRESENT}")`;
}

/** The first of these members that says something. */
export function firstThatSays(keys: readonly string[], ...otherwise: readonly string[]): string {
  const choices = keys.map((key) => `${says(key)}, ${firstOf(key)}`);
  return call('case', [...choices, ...otherwise.map((expression) => `true(), ${expression}`)]);
}

export function isAddress(expression: string): string {
  return `match(${expression}, "${ADDRESS}")`;
}

export function isOneOf(field: string, values: readonly string[]): string {
  return `match(${field}, "^(?:${values.join('|')})$")`;
}

/** A value where a condition holds, and no field elsewhere. */
export function when(condition: string, value: string): string {
  return call('if', [condition, value, 'null()']);
}

/** A call with one argument a line, as a settings file continues a line. */
export function call(name: string, args: readonly string[]): string {
  return `${name}( \\\n${args.map((arg) => `    ${indented(arg)}`).join(', \\\n')})`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
