const listedMax = 8;

export const namesMax = 20;

export function listed(words: readonly string[], max = listedMax): string {
  const more = words.length - max;
  if (more <= 0) return words.join(', ');
  return `${words.slice(0, max).join(', ')} and ${more} more`;
}

export function listedNames(names: readonly string[]): string {
  return listed(names, namesMax);
}

export function didYouMean(word: string, words: readonly string[]): string {
  const close = nearest(word, words);
  return close === undefined ? '' : `did you mean "${close}"?`;
}

export function orNearest(word: string, words: readonly string[]): string {
  const question = didYouMean(word, words);
  return `${listed(words)}${question && `; ${question}`}`;
}

export function nearest(word: string, words: readonly string[]): string | undefined {
  return closest(word, words) ?? extended(word, words);
}

/** The only word with this prefix; helps with a key without its unit. */
function extended(word: string, words: readonly string[]): string | undefined {
  const start = word.toLowerCase();
  const longer = words.filter((each) => each.toLowerCase().startsWith(start));
  return word.length >= beginningMin && longer.length === 1 ? longer[0] : undefined;
}

const beginningMin = 4;

function closest(word: string, words: readonly string[]): string | undefined {
  const mistakesMax = word.length === 1 ? 0 : Math.max(1, Math.floor(word.length / 4));
  let closest: string | undefined;
  let mistakesMin = mistakesMax + 1;
  for (const candidate of words) {
    // A caller's word may be as long as a body.
    if (Math.abs(candidate.length - word.length) > mistakesMax) continue;
    const mistakes = distance(word.toLowerCase(), candidate.toLowerCase());
    if (mistakes >= mistakesMin) continue;
    mistakesMin = mistakes;
    closest = candidate;
  }
  return closest;
}

/** In shorter words, a swap usually makes another word. */
const shortMax = 4;

/**
 * Insertions, deletions, changes and swaps. Source: Wagner and Fischer, 1974; swaps as in Damerau,
 * 1964.
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
