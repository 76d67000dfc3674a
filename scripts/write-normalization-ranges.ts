import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Writes the table of code points that normalization makes longer, from the Unicode data of the
// running Node. Run it when a test reports that the table is out of date.

const file = new URL(
  '../packages/server/src/calls/admission/normalization-ranges.ts',
  import.meta.url,
);
writeFileSync(fileURLToPath(file), moduleText());

interface Range {
  readonly first: number;
  last: number;
  readonly growth: number;
}

function moduleText(): string {
  const ranges = findRanges();
  const last = ranges.at(-1)?.last ?? 0;
  return `// Written by scripts/write-normalization-ranges.ts from Unicode ${process.versions.unicode}.

/** The last code point of the table. */
export const lastGrowing = 0x${last.toString(16)};

/**
 * Code points whose canonical or compatibility decomposition has more UTF-8 bytes than they have
 * themselves: \`first-last:growth\`, code points in hexadecimal, the growth in bytes.
 */
export const normalizationRanges = \`
${wrapped(ranges.map(rangeText)).join('\n')}
\`;
`;
}

function findRanges(): readonly Range[] {
  const ranges: Range[] = [];
  for (let point = 0x80; point <= 0x10ffff; point++) {
    const growth = growthOf(point);
    const before = ranges.at(-1);
    if (growth === 0) continue;
    if (before?.last === point - 1 && before.growth === growth) before.last = point;
    else ranges.push({ first: point, last: point, growth });
  }
  return ranges;
}

function growthOf(point: number): number {
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  // Every composition joins the parts of a Hangul syllable again, so it never takes more than its
  // own three bytes.
  const isHangulSyllable = point >= 0xac00 && point <= 0xd7a3;
  if (isSurrogate || isHangulSyllable) return 0;
  const text = String.fromCodePoint(point);
  const longest = Math.max(bytesOf(text.normalize('NFD')), bytesOf(text.normalize('NFKD')));
  return Math.max(0, longest - bytesOf(text));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function rangeText({ first, last, growth }: Range): string {
  const start = first.toString(16);
  return first === last ? `${start}:${growth}` : `${start}-${last.toString(16)}:${growth}`;
}

function wrapped(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= 98) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}
