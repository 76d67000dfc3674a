import { membersAt, valueStart, valueText } from './json-text.ts';
import { parseJson } from './json-value.ts';

/**
 * Returns every possible value of a field if its name, or a name within its value, is given twice,
 * because `JSON.parse` keeps only the last. `holder`: the top field that contains it, if any.
 */
export function findDuplicateValues(
  text: string,
  name: string,
  holder?: string,
): readonly unknown[] | undefined {
  const quotedName = `"${name}"`;
  const at = text.indexOf(quotedName);
  // A name needs no escapes, but its letters might be escaped.
  const mayBeEscaped = text.includes('\\u006') || text.includes('\\u007');
  if (at === text.lastIndexOf(quotedName) && !mayBeEscaped) {
    const start = at === -1 ? -1 : valueStart(text, at + quotedName.length);
    if (start === -1 || isEachOnce(text, start, 0)) return undefined;
    return possibleValues(text, start, 0);
  }
  const holders = holder === undefined ? [0] : startsOf(text, 0, holder);
  const starts = holders.flatMap((start) => startsOf(text, start, name));
  const duplicates = starts.flatMap((start) => possibleValues(text, start, 0));
  return duplicates.length > 1 ? duplicates : undefined;
}

const depthMax = 8;

const valuesMax = 8;

function startsOf(text: string, start: number, name: string): readonly number[] {
  const starts: number[] = [];
  for (const member of membersAt(text, start)) if (member.name === name) starts.push(member.start);
  return starts;
}

function isEachOnce(text: string, start: number, depth: number): boolean {
  const names = new Set<string>();
  for (const { name, start: at } of membersAt(text, start)) {
    if (names.has(name)) return false;
    names.add(name);
    if (text[at] === '{' && depth < depthMax && !isEachOnce(text, at, depth + 1)) return false;
  }
  return true;
}

/** Every value of a repeated name is in at least one result. */
function possibleValues(text: string, start: number, depth: number): readonly unknown[] {
  if (text[start] !== '{' || depth > depthMax) return [parseJson(valueText(text, start))?.value];
  const valuesByName = new Map<string, unknown[]>();
  for (const { name, start: at } of membersAt(text, start)) {
    const values = valuesByName.get(name) ?? [];
    valuesByName.set(name, values);
    values.push(...possibleValues(text, at, depth + 1));
    if (values.length > 2 * valuesMax) values.splice(0, values.length, ...extremes(values));
  }
  let count = 1;
  for (const values of valuesByName.values()) count = Math.max(count, values.length);
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      Array.from(valuesByName, ([name, values]) => [
        name,
        values[Math.min(index, values.length - 1)],
      ]),
    ),
  );
}

function extremes(values: readonly unknown[]): readonly unknown[] {
  const numbers = values.filter((value) => typeof value === 'number');
  const others = values.filter((value) => typeof value !== 'number').slice(-valuesMax);
  return numbers.length === 0
    ? others
    : [Math.min(...numbers), Math.max(...numbers), ...others.slice(-1)];
}
