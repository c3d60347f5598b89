/** An element of a dashboard's XML. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The one element of an XML text without comments, CDATA and a prologue. Throws where it is not well-formed. */
export function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [token] of xml.matchAll(/<[^>]*>|[^<]+/g)) {
    const parent = open.at(-1) ?? root;
    if (!token.startsWith('<')) {
      parent.text += decode(token);
      continue;
    }
    const [, end, name = '', rest = '', closed] =
      /^<(\/?)([A-Za-z][\w.]*)((?:\s+[A-Za-z]\w*="[^"<]*")*)\s*(\/?)>$/.exec(token) ?? [];
    if (name === '') throw new Error(`not a tag: ${token}`);
    if (end) {
      if (open.pop()?.name !== name) throw new Error(`closes nothing: ${token}`);
      continue;
    }
    const attributes = Object.fromEntries(
      [...rest.matchAll(/([A-Za-z]\w*)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
    );
    const element: Element = { name, attributes, children: [], text: '' };
    parent.children.push(element);
    if (!closed) open.push(element);
  }
  const [only, ...more] = root.children;
  if (open.length !== 1 || only === undefined || more.length > 0 || root.text.trim() !== '')
    throw new Error('not one element');
  return only;
}

function decode(text: string): string {
  return text.replace(/&(\w*);?/g, (entity, name) => {
    const character = ENTITIES[name];
    if (character === undefined || !entity.endsWith(';')) throw new Error(`not an entity: ${entity}`);
    return character;
  });
}

/** Every element of this name, in the order of the text. */
export function* elements(element: Element, name: string): Generator<Element> {
  if (element.name === name) yield element;
  for (const child of element.children) yield* elements(child, name);
}
