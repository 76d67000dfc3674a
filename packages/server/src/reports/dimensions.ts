export const dimensions = [
  ...(['app', 'project', 'group', 'model', 'user', 'key', 'platform', 'day', 'tag'] as const),
] as const;

type DimensionName = (typeof dimensions)[number];

/** `tag` is all tags of an app together, `tag:NAME` the value of one. */
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
};

export function columnsOf(by: readonly Dimension[]): readonly Column[] {
  return [...new Set(by.flatMap((one) => columns[isTag(one) ? 'tag' : one]))];
}
