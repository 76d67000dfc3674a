/** The one of `known` that `word` was probably meant to be; undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const mistakesMax = Math.max(1, Math.floor(word.length / 4));
  let closest: string | undefined;
  let mistakesMin = mistakesMax + 1;
  for (const candidate of known) {
    const mistakes = distance(word.toLowerCase(), candidate.toLowerCase());
    if (mistakes >= mistakesMin) continue;
    mistakesMin = mistakes;
    closest = candidate;
  }
  return closest;
}

/** How many characters must be added, dropped or changed. Source: Wagner and Fischer, 1974. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const dropped = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(changed, dropped, added));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
