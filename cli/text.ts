/** Takes two columns on a terminal. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;
const NARROW_ONLY = /^[\x20-\x7e\xa0-\xac\xae-\u02ff]*$/;
/** They could move the cursor, or show text in another order than it is in. */
const DANGEROUS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What another system wrote, harmless on a terminal, and one line. */
export function printable(text: string): string {
  return text.replace(DANGEROUS, '�');
}

/** How many columns a printable text takes. */
export function widthOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment);
  return width;
}

function widthOfOne(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Spaces added to the end, up to `width` columns. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** At most `width` columns; where something is missing, … is the last. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const [head = ''] = chop(text, width - 1);
  return `${head}…`;
}

/** Lines of at most `width` columns, broken at spaces; a longer word is broken where it must be. */
export function wrapTo(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== undefined) lines.push(line);
    const pieces = chop(word, width);
    line = pieces.pop();
    lines.push(...pieces);
  }
  return line === undefined ? lines : [...lines, line];
}

/** Pieces of at most `width` columns, but of one grapheme at least. */
function chop(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    const more = widthOfOne(segment);
    if (piece !== '' && taken + more > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += segment;
    taken += more;
  }
  return [...pieces, piece];
}
