/**
 * A pattern as JSON Schema means it: with the rules of Unicode, and without them where it breaks
 * them, as many that are written by hand do. Throws a SyntaxError for what is no pattern at all.
 */
export function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // Such as `\-` outside of a class, which only the rules of Unicode forbid.
    return new RegExp(pattern);
  }
}

/** Longer ones are not looked at: telling that they are cheap would cost more than it saves. */
const charactersMax = 256;
/** Repetitions that are written out, in sum. */
const repeatedMax = 256;

/**
 * Whether a pattern is cheap to read and takes time in proportion to the text, whatever the text
 * is: single characters and classes in a row, without groups, of which at most one may vary in its
 * number, and only where the row must begin at the start of the text.
 */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > charactersMax) return false;
  const isAnchored = pattern.startsWith('^');
  let rest = pattern.slice(isAnchored ? 1 : 0);
  let varying = 0;
  let repeated = 0;
  while (rest !== '' && rest !== '$') {
    const match = characterAndCount.exec(rest);
    if (match === null) return false;
    const count = match.groups?.count ?? '';
    const fixed = /^\{(\d{1,3})\}$/.exec(count)?.[1];
    if (fixed !== undefined) repeated += Number(fixed);
    else if (count !== '') varying += 1;
    rest = rest.slice(match[0].length);
  }
  return varying <= (isAnchored ? 1 : 0) && repeated <= repeatedMax;
}

/** One character, escape or class without classes of its own, and how often it is repeated. */
const characterAndCount =
  /^(?:[^\\^$.*+?()[\]{}|]|\.|\\[dwsDWS]|\\[^\w\s]|\[(?:[^\\[\]]|\\[dws]|\\[^\w\s])+\])(?<count>[*+?]|\{\d{1,3}\}|\{\d{1,3},\d{0,3}\})?/;
