import { compatibleHeaders } from './header-names.ts';

const charactersMax = 1_024;

/**
 * The header that names what of a request was not sent: of each kind the first, since a history has
 * the same in every message. It has at most 1,024 characters, and `…` as `%E2%80%A6` behind them.
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

/** Callers choose the names: what a header cannot hold, and what parts its names, is escaped. */
function written(path: string): string {
  return path
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]|[,%]/gu, (character) => encodeURIComponent(character));
}
