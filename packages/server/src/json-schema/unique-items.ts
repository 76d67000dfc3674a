import type { Ajv } from 'ajv';

/**
 * Has a compiler tell items apart by their text. Its own way compares each item with each other
 * one, which takes the square of their number.
 */
export function useUniqueItems(compiler: Pick<Ajv, 'removeKeyword' | 'addKeyword'>): void {
  compiler.removeKeyword('uniqueItems');
  compiler.addKeyword({
    ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean' },
    compile: (isWanted) => (isWanted === true ? areUnique : () => true),
  });
}

function areUnique(items: readonly unknown[]): boolean {
  const texts = new Set<string>();
  for (const item of items) {
    if (texts.size === texts.add(sortedText(item)).size) return false;
  }
  return true;
}

/** The JSON of a value with sorted names: the same text for the same value. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
