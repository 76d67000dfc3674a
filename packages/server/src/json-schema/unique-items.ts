import type { Ajv } from 'ajv';

/** Compares items by text; the compiler's own way is quadratic. */
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

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
