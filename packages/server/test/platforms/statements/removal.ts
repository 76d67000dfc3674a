import { expect, test } from 'vitest';

/** A case of each row, by the row's name: the input, and its result. */
export type Cases<Given> = Readonly<Record<string, readonly [given: Given, read: unknown]>>;

/** Each row makes its case pass; without it the case fails. Every row has a case. */
export function testRemoval<Line, Given>(parts: {
  readonly lines: readonly Line[];
  readonly nameOf: (line: Line) => string;
  readonly cases: Cases<Given>;
  /** The result of a reader of these rows. */
  readonly read: (lines: readonly Line[], given: Given) => unknown;
}) {
  const { lines, nameOf, cases, read } = parts;

  test('each row has a case, and each case a row', () => {
    expect(Object.keys(cases).toSorted()).toEqual(lines.map(nameOf).toSorted());
  });

  test.each(Object.entries(cases))('%s', (name, [given, expected]) => {
    expect(read(lines, given)).toEqual(expected);
    const others = lines.filter((line) => nameOf(line) !== name);
    expect(others).toHaveLength(lines.length - 1);
    expect(read(others, given)).not.toEqual(expected);
  });
}

/** A `usage` with a value at a path. */
export function nested(path: string, value: unknown): Readonly<Record<string, unknown>> {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

/** The names of doubts, each with its reason. */
export function doubtsIn({
  doubts,
}: {
  readonly doubts: readonly { readonly reason: string; readonly name: string }[];
}): readonly string[] {
  return doubts.map(({ reason, name }) => `${reason} ${name}`);
}
