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

/** Swapped letters of so short a word are more often another word. */
const shortMax = 4;

/**
 * How many characters must be added, dropped or changed, or swapped with the next one. Source:
 * Wagner and Fischer, 1974; swaps as in Damerau, 1964.
 */
function distance(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const dropped = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      const isSwap =
        from.length > shortMax &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      const swapped = isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : changed;
      current.push(Math.min(changed, dropped, added, swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
