/**
 * JSON values as YAML in block style. Strings stay quoted as in JSON, which YAML 1.2 reads alike; those of several
 * lines are literal blocks, so that scripts can be read.
 */
export function toYaml(value: unknown): string {
  return `---\n${block(value, 0).replace(/^\n/, '')}\n`;
}

function block(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return ` [${value.map(scalar).join(', ')}]`;
    return `\n${value.map((item) => `${indent}- ${block(item, depth + 1).trimStart()}`).join('\n')}`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    if (entries.length === 0) return ' {}';
    return `\n${entries.map(([key, item]) => `${indent}${plainKey(key)}:${block(item, depth + 1)}`).join('\n')}`;
  }
  if (typeof value === 'string' && value.includes('\n'))
    return ` |-\n${value
      .split('\n')
      .map((line) => (line === '' ? '' : indent + line))
      .join('\n')}`;
  return ` ${scalar(value)}`;
}

function plainKey(key: string): string {
  return /^[A-Za-z_][\w.]*$/.test(key) ? key : JSON.stringify(key);
}

function scalar(value: unknown): string {
  return JSON.stringify(value);
}
