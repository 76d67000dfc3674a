export const dimensions = [
  ...(['app', 'project', 'group', 'model', 'user', 'key', 'platform', 'day', 'tag'] as const),
] as const;

type DimensionName = (typeof dimensions)[number];

/** `tag` is all tags of an app together, `tag:NAME` the value of one tag. */
export type Dimension = DimensionName | `tag:${string}`;

export function dimensionOf(text: string): Dimension | undefined {
  return isTag(text) ? text : dimensions.find((one) => one === text);
}

function isTag(text: string): text is `tag:${string}` {
  return text.startsWith('tag:') && text.length > 'tag:'.length;
}

export type Column = 'day' | 'app' | 'model' | 'platform' | 'keyId' | 'userId';

const columns: Readonly<Record<DimensionName, readonly Column[]>> = {
  app: ['app'],
  // Calls of versions that stored no platform went to their model's platform.
  project: ['app', 'platform', 'model', 'day'],
  group: ['app'],
  model: ['model'],
  // User ids are unique only within an app.
  user: ['app', 'userId'],
  key: ['keyId'],
  platform: ['platform', 'model'],
  day: ['day'],
  tag: ['app'],
};

export function columnsOf(by: readonly Dimension[]): readonly Column[] {
  return [...new Set(by.flatMap((one) => columns[isTag(one) ? 'tag' : one]))];
}
