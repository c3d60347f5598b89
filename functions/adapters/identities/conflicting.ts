/**
 * The identities that a 409's detail names (identities-v1.md, "Errors": "naming the email and the existing identity
 * identifiers"). Neither the wording nor the form of an identifier is documented, so this is a guess that nothing but a
 * message and a convenience may rest on: words of at least six characters with a digit in them, other than what the
 * request itself held.
 *
 * @param sent what the request held: its address, authorities, uids
 */
export function identitiesIn(detail: string, sent: readonly string[]): readonly string[] {
  const known = new Set(sent.map((value) => value.toLowerCase()));
  // As a whole first: an authority may hold spaces and commas.
  const text = sent.reduce((rest, value) => (value === '' ? rest : rest.replaceAll(value, ' ')), detail);
  const words = text.split(/[\s,;'"“”‘’()[\]{}<>]+/u).map((word) => word.replace(/^[.:=]+|[.:=!?]+$/g, ''));
  return [
    ...new Set(words.filter((word) => word.length >= 6 && /\d/.test(word) && !known.has(word.toLowerCase()))),
  ];
}
