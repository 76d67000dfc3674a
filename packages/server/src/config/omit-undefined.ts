/** `T` whose keys that may be undefined may be missing, and are never undefined. */
export type Present<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** A copy without the keys that are undefined: what the file does not name is absent. */
export function omitUndefined<T extends object>(value: T): Present<T>;
export function omitUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
