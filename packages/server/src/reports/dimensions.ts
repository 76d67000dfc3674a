/** By what a report may be split. */
export const dimensions = [
  ...(['app', 'project', 'group', 'model', 'user', 'key', 'platform', 'day', 'tag'] as const),
] as const;

/** One of them; `tag:NAME` is the value of one tag. */
export type Dimension = (typeof dimensions)[number] | `tag:${string}`;

/** Reads a dimension; undefined for what is none. */
export function dimensionOf(text: string): Dimension | undefined {
  const known = dimensions.find((one) => one === text);
  if (known !== undefined) return known;
  return isTag(text) ? text : undefined;
}

function isTag(text: string): text is `tag:${string}` {
  return /^tag:./.test(text);
}

/** What of the store a report tells apart. */
export type Column = 'day' | 'app' | 'model' | 'platform' | 'keyId' | 'userId';

const columns = {
  app: ['app'],
  // A call of a version that noted no platform went to that of its model.
  project: ['app', 'platform', 'model', 'day'],
  group: ['app'],
  model: ['model'],
  // A user is one of an app.
  user: ['app', 'userId'],
  key: ['keyId'],
  platform: ['platform', 'model'],
  day: ['day'],
  tag: ['app'],
} as const satisfies Record<(typeof dimensions)[number], readonly Column[]>;

/** What of the store these need, each once. */
export function columnsOf(by: readonly Dimension[]): readonly Column[] {
  const needed = by.flatMap((one): readonly Column[] => columns[baseOf(one)]);
  return [...new Set(needed)];
}

function baseOf(one: Dimension): (typeof dimensions)[number] {
  return dimensions.find((known) => known === one) ?? 'tag';
}
