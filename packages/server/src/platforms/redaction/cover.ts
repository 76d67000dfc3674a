/** Without blanks and backslashes, lower case, with each character's original offset. */
export interface CompactText {
  readonly text: string;
  readonly at: readonly number[];
}

/** Matches quotes of a text despite line breaks, spacing or escapes. */
export function compact(text: string): CompactText {
  const at: number[] = [];
  let compacted = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\') {
      // An escaped line break or tab is also a blank.
      if (/[nrt]/.test(text[index + 1] ?? '')) index += 1;
      continue;
    }
    if (/\s/.test(character)) continue;
    compacted += character;
    at.push(index);
  }
  return { text: lower(compacted), at };
}

export function compactText(text: string): string {
  return lower(text.replace(/\\[nrt]|[\\\s]/g, ''));
}

export function cover(
  text: string,
  { at }: CompactText,
  parts: { readonly isCovered: Uint8Array; readonly by: string },
): string {
  const { isCovered, by } = parts;
  let covered = '';
  let from = 0;
  for (let index = 0; index < at.length; index++) {
    if (isCovered[index] !== 1) continue;
    let last = index;
    while (isCovered[last + 1] === 1) last += 1;
    covered += text.slice(from, at[index]) + by;
    from = (at[last] ?? text.length) + 1;
    index = last;
  }
  return covered + text.slice(from);
}

/** ASCII only: letters that become two would shift all offsets. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
