/**
 * The document with a table between the comments `<!-- NAME -->` and `<!-- end -->`. Throws for a
 * document without them.
 */
export function withTable(
  document: string,
  name: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const begin = `<!-- ${name} -->\n`;
  const from = document.indexOf(begin);
  const to = document.indexOf('<!-- end -->', from);
  if (from === -1 || to === -1) throw new Error(`no "<!-- ${name} -->" with a "<!-- end -->"`);
  const lines = [heads, heads.map(() => '---'), ...rows].map(line);
  const head = document.slice(0, from + begin.length);
  return `${head}\n${lines.join('\n')}\n\n${document.slice(to)}`;
}

function line(cells: readonly string[], index: number): string {
  if (index === 1) return `|${cells.join('|')}|`;
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
    '|  |',
    '| |',
  );
}
