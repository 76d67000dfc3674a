import { compatibleHeaders } from './header-names.ts';

const charactersMax = 1_024;

/**
 * Only the first path of each kind: a history repeats it in every message. At most 1,024
 * characters, then `…` as `%E2%80%A6`.
 */
export function droppedHeaders(paths: readonly string[]): Readonly<Record<string, string>> {
  if (paths.length === 0) return {};
  const firsts = new Map<string, string>();
  for (const path of paths) {
    const kind = path.replaceAll(/\[\d+\]/g, '[]');
    if (!firsts.has(kind)) firsts.set(kind, path);
  }
  let names = '';
  for (const path of firsts.values()) {
    const next = names === '' ? written(path) : `${names}, ${written(path)}`;
    if (next.length > charactersMax)
      return headerOf(`${names}${names === '' ? '' : ', '}%E2%80%A6`);
    names = next;
  }
  return headerOf(names);
}

function headerOf(names: string) {
  return { [compatibleHeaders.droppedFields]: names };
}

/** Callers choose names. Escapes separators, and characters that headers cannot contain. */
function written(path: string): string {
  return path
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]|[,%]/gu, (character) => encodeURIComponent(character));
}
