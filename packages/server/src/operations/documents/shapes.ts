import Type, { type Static, type TSchema } from 'typebox';

export type Document<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** Exact decimal USD. */
export const usd = Type.String({
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Exact decimal USD, such as "0.000183"',
});

/** Exact decimal credits. */
export const credits = Type.String({
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Exact decimal credits',
});

export const count = Type.Integer({ minimum: 0 });

export const day = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  rule: 'a UTC day such as 2026-11-21',
  description: 'A UTC day',
});

export const month = Type.String({
  pattern: '^\\d{4}-\\d\\d$',
  rule: 'a UTC month such as 2026-11',
  description: 'A UTC month',
});

export const instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export const after = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null where this is the last',
});

export function pageOf<Schema extends TSchema>(item: Schema) {
  return Type.Object({ items: Type.Array(item), after });
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly after: string | null;
}
