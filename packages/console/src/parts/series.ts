const colors = ['s1', 's2', 's3', 's4', 's5', 's6'] as const;
export const others = 'others';

/**
 * The CSS class of each series. A name keeps its color on all pages. If two names of one chart
 * share it, the later one takes the next free color.
 */
export function colorsOf(names: readonly string[]): ReadonlyMap<string, string> {
  if (names.length === 1) return new Map(names.map((name) => [name, 's1']));
  const classes = new Map<string, string>();
  const taken = new Set<number>();
  for (const name of names) {
    let at = hashOf(name) % colors.length;
    for (let tries = 0; taken.has(at) && tries < colors.length; tries++)
      at = (at + 1) % colors.length;
    taken.add(at);
    classes.set(name, name === others ? 's7' : (colors[at] ?? 's7'));
  }
  return classes;
}

function hashOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash;
}

/** At most six names, highest first, then the others. */
export const seriesMax = 6;
