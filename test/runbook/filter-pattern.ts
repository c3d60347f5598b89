/**
 * Whether a log line matches a filter pattern of CloudWatch Logs, as much of them as the alarms' commands use:
 * `{ $.a = "x" && $.b.c = "*" && $.n > 0 }`, or words of which any is enough, `?"one" ?"two"`.
 */
export function matches(pattern: string, line: string): boolean {
  const inBraces = /^\{ (.*) \}$/.exec(pattern)?.[1];
  if (inBraces === undefined) {
    const words = [...pattern.matchAll(/\?"([^"]*)"/g)].map(([, word = '']) => word);
    if (words.length === 0) throw new Error(`not a pattern that is known here: ${pattern}`);
    return words.some((word) => line.includes(word));
  }
  const record = jsonOf(line);
  return inBraces.split(' && ').every((term) => {
    const [, path, operator, text, number] = /^\$((?:\.\w+)+) (=|>) (?:"([^"]*)"|(\d+))$/.exec(term) ?? [];
    if (path === undefined) throw new Error(`not a term that is known here: ${term}`);
    const value = path
      .slice(1)
      .split('.')
      .reduce<unknown>(
        (member, name) => (Object(member) === member ? Reflect.get(Object(member), name) : undefined),
        record,
      );
    if (operator === '>') return typeof value === 'number' && value > Number(number);
    return text === '*' ? value !== undefined && value !== null : value === text;
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
