import { carryNames } from '../../domain/carry.ts';
import { compact, compactText, cover } from './cover.ts';

/**
 * This many shared characters, blanks excluded, are not a coincidence: any 24 of a sentence contain
 * them.
 */
const quoteLengthMin = 16;

const base = 31;
const highest = Array.from({ length: quoteLengthMin - 1 }).reduce<number>(
  (power) => Math.imul(power, base),
  1,
);

export interface QuoteCounts {
  covered: number;
}

/**
 * Removes quotes of 24 characters and more, because platforms quote prompts in errors. About 10 ns
 * per character of the value; covers each offset once despite repeats.
 */
export function withoutQuotes(text: string, value: unknown, counts?: QuoteCounts): string {
  const short = compact(text);
  const pieces = piecesOf(short.text);
  if (pieces.size === 0) return text;
  const isCovered = new Uint8Array(short.text.length);
  eachString(value, (string) => {
    const long = compactText(string);
    eachWindow(long, (hash, start) => {
      const sameHash = pieces.get(hash);
      if (sameHash === undefined) return;
      const piece = long.slice(start, start + quoteLengthMin);
      const offsets = sameHash.get(piece);
      if (offsets === undefined) return;
      sameHash.delete(piece);
      if (sameHash.size === 0) pieces.delete(hash);
      for (const offset of offsets) isCovered.fill(1, offset, offset + quoteLengthMin);
      if (counts !== undefined) counts.covered += offsets.length;
    });
  });
  return cover(text, short, { isCovered, by: '[…]' });
}

function piecesOf(text: string): Map<number, Map<string, number[]>> {
  const pieces = new Map<number, Map<string, number[]>>();
  eachWindow(text, (hash, start) => {
    const sameHash = pieces.get(hash) ?? new Map<string, number[]>();
    pieces.set(hash, sameHash);
    const piece = text.slice(start, start + quoteLengthMin);
    const offsets = sameHash.get(piece);
    if (offsets === undefined) sameHash.set(piece, [start]);
    else offsets.push(start);
  });
  return pieces;
}

function eachWindow(text: string, use: (hash: number, start: number) => void) {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    const start = index - quoteLengthMin + 1;
    if (start > 0) hash = (hash - Math.imul(text.charCodeAt(start - 1), highest)) | 0;
    hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
    if (start >= 0) use(hash, start);
  }
}

const known: ReadonlySet<string> = new Set(carryNames);

function eachString(value: unknown, use: (text: string) => void) {
  if (typeof value === 'string') {
    if (value.length >= quoteLengthMin) use(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name.length >= quoteLengthMin && !known.has(name)) use(name);
    eachString(item, use);
  }
}
