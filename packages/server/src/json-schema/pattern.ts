/**
 * In Unicode mode first. Many patterns break its rules, and are read without it. Throws a
 * SyntaxError.
 */
export function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // For example `\-` outside a class, which only Unicode mode forbids.
    return new RegExp(pattern);
  }
}

const charactersMax = 256;
const repeatedMax = 256;

/**
 * Linear for any text: only characters and classes, no groups, and at most one variable count. That
 * count requires an anchored start.
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

/** One character, escape or class without nested classes, and its count. */
const characterAndCount =
  /^(?:[^\\^$.*+?()[\]{}|]|\.|\\[dwsDWS]|\\[^\w\s]|\[(?:[^\\[\]]|\\[dws]|\\[^\w\s])+\])(?<count>[*+?]|\{\d{1,3}\}|\{\d{1,3},\d{0,3}\})?/;
