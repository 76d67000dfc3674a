/** Values by names, such as the cost centre that an app belongs to. */
export type Tags = Readonly<Record<string, string>>;

/** All of them in one text, in the order of their names; no value has a comma. */
export function tagsText(tags: Tags): string {
  return sorted(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** The same as JSON. */
export function tagsJson(tags: Tags): string {
  return JSON.stringify(Object.fromEntries(sorted(tags)));
}

/** The value of one; `''` where there is none. */
export function tagOf(tags: Tags, name: string): string {
  return Object.hasOwn(tags, name) ? (tags[name] ?? '') : '';
}

function sorted(tags: Tags): readonly (readonly [string, string])[] {
  return Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
}
