import { lastGrowing, normalizationRanges } from './normalization-ranges.ts';

/**
 * The maximum growth by any of Unicode's four normalization forms. `bytes`: the text's UTF-8
 * length.
 */
export type NormalizationGrowth = (json: string, bytes: number) => number;

const backslash = 0x5c;
const letterU = 0x75;

/**
 * Scans a text once, without a copy: normalizing takes quadratic time on input that callers choose.
 * Each code point counts as the longest of itself and its two decompositions. Composing never
 * lengthens, so the sum bounds every form. ADR 0004.
 */
export function createNormalizationGrowth(): NormalizationGrowth {
  const growths = readRanges();
  return (json, bytes) => {
    // Most texts are ASCII, which never grows.
    if (json.length === bytes && !json.includes('\\u')) return 0;
    let growth = 0;
    for (let index = 0; index < json.length; index++) {
      const unit = json.charCodeAt(index);
      if (unit === backslash) {
        index += 1;
        if (json.charCodeAt(index) !== letterU) continue;
        const point = escapedPointAt(json, index);
        growth += growths[point] ?? 0;
        index += point > 0xffff ? 10 : 4;
      } else if (unit >= 0x80) {
        const point = json.codePointAt(index) ?? unit;
        growth += growths[point] ?? 0;
        if (point > 0xffff) index += 1;
      }
    }
    return growth;
  };
}

/** A surrogate pair of escapes is one code point. `index`: of the `u`. */
function escapedPointAt(json: string, index: number): number {
  const unit = hexAt(json, index + 1);
  const isHigh = unit >= 0xd800 && unit <= 0xdbff;
  if (!isHigh || json.charCodeAt(index + 5) !== backslash) return unit;
  if (json.charCodeAt(index + 6) !== letterU) return unit;
  const low = hexAt(json, index + 7);
  const isPair = low >= 0xdc00 && low <= 0xdfff;
  return isPair ? 0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00) : unit;
}

function hexAt(json: string, index: number): number {
  let value = 0;
  for (let at = index; at < index + 4; at++) value = value * 16 + digitAt(json, at);
  return value;
}

function digitAt(json: string, index: number): number {
  const unit = json.charCodeAt(index);
  // `0` to `9`, or a letter of either case.
  return unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57;
}

function readRanges(): Uint8Array {
  const growths = new Uint8Array(lastGrowing + 1);
  for (const range of normalizationRanges.trim().split(/\s+/)) {
    const [points = '', growth] = range.split(':');
    const [first = '', last = first] = points.split('-');
    growths.fill(Number(growth), Number.parseInt(first, 16), Number.parseInt(last, 16) + 1);
  }
  return growths;
}
