/** By what a report may be split. */
export const dimensions = [
  ...(['app', 'project', 'group', 'model', 'user', 'key', 'platform', 'day'] as const),
] as const;

/** One of them. */
export type Dimension = (typeof dimensions)[number];

/** Reads a dimension; undefined for what is none. */
export function dimensionOf(text: string): Dimension | undefined {
  return dimensions.find((one) => one === text);
}

/** What of the store a report tells apart. */
export type Column = 'day' | 'app' | 'model' | 'platform' | 'keyId' | 'userId';

const columns: Readonly<Record<Dimension, readonly Column[]>> = {
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
};

/** What of the store these need, each once. */
export function columnsOf(by: readonly Dimension[]): readonly Column[] {
  return [...new Set(by.flatMap((one) => columns[one]))];
}
