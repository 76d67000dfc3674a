import { type AppSettings, appSettings, settingKeys } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import { readersOf } from './apps.ts';
import type { Field } from './field.ts';
import type { Tree } from './tree.ts';

/** Settings of an app by their names in the file, as JSON has them. */
export type NamedSettings = Readonly<Record<string, unknown>>;

/** What was read, or what is wrong: a sentence each, which begins with where it is. */
export type ReadSettings =
  | { readonly settings: Partial<AppSettings> }
  | { readonly problems: readonly string[] };

/**
 * Reads settings by the rules of the file, and those alone that are named; null is what a setting
 * is where the file does not name it. A plan takes what it does not name from `plans`.
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
