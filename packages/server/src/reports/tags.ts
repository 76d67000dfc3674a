export type Tags = Readonly<Record<string, string>>;

/** Ordered by name; values never contain a comma. */
export function tagsText(tags: Tags): string {
  return sorted(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

export function tagsJson(tags: Tags): string {
  return JSON.stringify(Object.fromEntries(sorted(tags)));
}

/** `''` without such a tag. */
export function tagOf(tags: Tags, name: string): string {
  return Object.hasOwn(tags, name) ? (tags[name] ?? '') : '';
}

function sorted(tags: Tags): readonly (readonly [string, string])[] {
  return Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
}
