/** Ignores the label, blanks and a byte order mark. Undefined when there is nothing else yet. */
export function kindOfBody(bytes: Buffer): 'json' | 'events' | 'other' | undefined {
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at] ?? 0)) at += 1;
  if (at === bytes.length) return undefined;
  if (bytes[at] === 0x7b || bytes[at] === 0x5b) return 'json';
  const begun = bytes.toString('latin1', at, at + longestField);
  return fields.some((field) => begun.startsWith(field) || field.startsWith(begun))
    ? 'events'
    : 'other';
}

export function jsonTextOf(bytes: Buffer): string {
  let at = 0;
  while (at < bytes.length && (isBlank(bytes[at] ?? 0) || bytes[at] === 0x3a)) {
    const end = bytes[at] === 0x3a ? bytes.indexOf(0x0a, at) : at;
    at = end === -1 ? bytes.length : end + 1;
  }
  return withoutNaN(bytes.toString('utf8', at));
}

export function withoutNaN(text: string): string {
  return text.replace(textOrNaN, (match) => (match.startsWith('"') ? match : 'null'));
}

/** Matches strings first: within them such words are text. */
const textOrNaN = /"(?:[^"\\]|\\.)*"?|-?(?:NaN|Infinity)/g;

const fields = ['data:', 'event:', 'retry:', 'id:', ':'];
const longestField = 6;

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || mark.has(byte);
}

const mark = new Set([0xef, 0xbb, 0xbf]);
