import { OID } from './hosted.ts';
import type { NewIdentity, StoredCollection } from './record.ts';

/** The attributes of a collection that are a name or an address: what a search looks at. */
const SEARCHED: ReadonlySet<string> = new Set([
  'mail',
  'email',
  'givenName',
  'sn',
  'surname',
  'cn',
  'name',
  'displayName',
  OID.mail,
  OID.commonName,
  OID.surname,
  OID.givenName,
  OID.displayName,
]);

// Between two values, so that no term is found across them.
const SEPARATOR = '\u001f';

/** A text as it is compared: letter case does not count. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/** What a search term is looked for in, of an identity and its collections; hosted credentials by themselves. */
export function wordsOf(identity: NewIdentity): { readonly open: string; readonly hosted: string } {
  const { mail, givenName, sn, collections } = identity;
  const own = [mail ?? '', givenName ?? '', sn ?? ''];
  const open = collections.filter(({ type }) => type !== 'obid').flatMap(wordsIn);
  const hosted = collections.filter(({ type }) => type === 'obid').flatMap(wordsIn);
  return { open: folded([...own, ...open].join(SEPARATOR)), hosted: folded(hosted.join(SEPARATOR)) };
}

function wordsIn({ attributes }: StoredCollection): string[] {
  const words: string[] = [];
  for (const key of Object.keys(attributes)) {
    if (SEARCHED.has(key)) words.push(...(attributes[key] ?? []));
  }
  return words;
}
