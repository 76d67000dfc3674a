import { type AppSettings, appSettings, settingKeys } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import { readersOf } from './apps.ts';
import type { Field } from './field.ts';
import type { Tree } from './tree.ts';

export type NamedSettings = Readonly<Record<string, unknown>>;

export type ReadSettings =
  | { readonly settings: Partial<AppSettings> }
  | { readonly problems: readonly string[] };

/**
 * Reads only named settings, by the file's rules. Null resets one to its default. A rate limit uses
 * `plans` for missing keys.
 */
export function readAppSettings(path: string, named: NamedSettings, plans: Plans): ReadSettings {
  const problems: string[] = [];
  const readers = readersOf(plans);
  const read = settingKeys.flatMap((each): readonly (readonly [string, unknown])[] => {
    const { kind, name } = appSettings[each];
    if (!Object.hasOwn(named, name)) return [];
    const value = named[name];
    if (value === null) return [[each, undefined]];
    const field: Field = { path: `${path}.${name}`, tree: treeOf(value), problems };
    return [[each, readers[kind](field)]];
  });
  return problems.length > 0 ? { problems } : { settings: Object.fromEntries(read) };
}

function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => [key, treeOf(each)] as const);
    return { kind: 'table', entries: new Map(entries) };
  }
  const text = String(value);
  return { kind: 'scalar', text, written: text, isPlain: false };
}
