import { compact, compactText, cover } from './cover.ts';

/**
 * Characters in a row, blanks left out, that a text and a request have in common by no accident:
 * so many are in any 24 of a sentence.
 */
const quoteLengthMin = 16;

const base = 31;
const highest = Array.from({ length: quoteLengthMin - 1 }).reduce<number>(
  (power) => Math.imul(power, base),
  1,
);

/**
 * Takes out of a short text what it quotes of a value's strings, 24 characters and more: platforms
 * say in errors what they were sent. Takes time for each character of the value, some 10 ns.
 */
export function withoutQuotes(text: string, value: unknown): string {
  const short = compact(text);
  const windows = new Map<number, number[]>();
  eachWindow(short.text, (hash, start) => {
    const starts = windows.get(hash);
    if (starts === undefined) windows.set(hash, [start]);
    else starts.push(start);
  });
  if (windows.size === 0) return text;
  const isCovered = new Uint8Array(short.text.length);
  eachString(value, (string) => {
    const long = compactText(string);
    eachWindow(long, (hash, start) => {
      const found = windows.get(hash);
      if (found === undefined) return;
      const piece = long.slice(start, start + quoteLengthMin);
      for (const place of found) {
        if (isCovered[place] === 1 && isCovered[place + quoteLengthMin - 1] === 1) continue;
        if (!short.text.startsWith(piece, place)) continue;
        isCovered.fill(1, place, place + quoteLengthMin);
      }
    });
  });
  return cover(text, short, { isCovered, by: '[…]' });
}

/** Calls `use` with the hash and the start of each piece of the least length. */
function eachWindow(text: string, use: (hash: number, start: number) => void) {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    const start = index - quoteLengthMin + 1;
    if (start > 0) hash = (hash - Math.imul(text.charCodeAt(start - 1), highest)) | 0;
    hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
    if (start >= 0) use(hash, start);
  }
}

/** The strings of a value that are long enough to be quoted, and the names of its fields. */
function eachString(value: unknown, use: (text: string) => void) {
  if (typeof value === 'string') {
    if (value.length >= quoteLengthMin) use(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name.length >= quoteLengthMin) use(name);
    eachString(item, use);
  }
}
