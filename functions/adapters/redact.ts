export const REDACTED = '«redacted»';

/**
 * Takes secrets out of a text that somebody else wrote and that will be logged: a server may echo what it was sent.
 * Each secret is looked for as it is and as URLs, JSON and HTML would spell it, in any case.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf));
  if (spellings.size === 0) return (text) => text;
  // The longest first, so that a secret within another's spelling leaves no rest of it.
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length).map(escapeForRegExp);
  const pattern = new RegExp(longestFirst.join('|'), 'gi');
  return (text) => text.replace(pattern, REDACTED);
}

function spellingsOf(secret: string): string[] {
  const formEncoded = new URLSearchParams([['', secret]]).toString().slice(1);
  return [
    secret,
    formEncoded,
    formEncoded.replaceAll('+', '%20'),
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    htmlEscaped(secret).replaceAll("'", '&#39;'),
    htmlEscaped(secret).replaceAll("'", '&#x27;'),
    htmlEscaped(secret),
  ];
}

function htmlEscaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
