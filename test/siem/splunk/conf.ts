/** A settings file as Splunk reads it (the specification of *.conf): stanza → setting → value. */
export type Conf = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Strict where Splunk is forgiving: what it would skip in silence (a setting outside a stanza, a line that is none, a
 * second stanza or setting of one name, white space after a continuing backslash) is an error here.
 */
export function parseConf(text: string): Conf {
  const conf = new Map<string, Map<string, string>>();
  let stanza: Map<string, string> | undefined;
  for (const line of logicalLines(text)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const header = /^\[(.*)\]$/.exec(line);
    if (header) {
      const [, name = ''] = header;
      if (conf.has(name)) throw new Error(`two stanzas [${name}]`);
      stanza = new Map();
      conf.set(name, stanza);
      continue;
    }
    const [, key, value] = /^([A-Za-z_][\w.-]*) = (\S[\s\S]*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new Error(`not a setting: ${line}`);
    if (stanza === undefined) throw new Error(`outside any stanza: ${line}`);
    if (stanza.has(key)) throw new Error(`set twice: ${key}`);
    if (/\s$/.test(value)) throw new Error(`white space at the end of ${key}`);
    stanza.set(key, value);
  }
  return conf;
}

function logicalLines(text: string): string[] {
  if (!text.endsWith('\n') || text.includes('\r') || text.includes('\t'))
    throw new Error('lines end in LF, the last one too, and hold no tab');
  const lines: string[] = [];
  let continued: string | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    if (/\\\s+$/.test(line)) throw new Error(`white space after the backslash: ${line}`);
    const whole = continued === undefined ? line : `${continued}\n${line}`;
    const continues = line.endsWith('\\') && !line.startsWith('#');
    continued = continues ? whole.slice(0, -1) : undefined;
    if (!continues) lines.push(whole);
  }
  if (continued !== undefined) throw new Error('the file ends in a continued line');
  return lines;
}

export function stanzaOf(conf: Conf, name: string): ReadonlyMap<string, string> {
  const stanza = conf.get(name);
  if (stanza === undefined) throw new Error(`no stanza [${name}]`);
  return stanza;
}

export function settingOf(conf: Conf, stanza: string, key: string): string {
  const value = stanzaOf(conf, stanza).get(key);
  if (value === undefined) throw new Error(`[${stanza}] has no ${key}`);
  return value;
}

/** The settings `<prefix><name>` of a stanza, by name, in the file's order. */
export function settingsNamed(conf: Conf, stanza: string, prefix: string): [name: string, value: string][] {
  return [...stanzaOf(conf, stanza)]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value]);
}
