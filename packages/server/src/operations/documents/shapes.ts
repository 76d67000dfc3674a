import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { lineForm } from './forms.ts';

export type Document<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** Exact decimal USD. */
export const usd = Type.String({
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Exact decimal USD, such as "0.000183"',
});

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
  description: 'Cursor of the next page; null on the last page',
});

export function pageOf<Schema extends TSchema>(item: Schema) {
  return Type.Object({ items: Type.Array(item), after });
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly after: string | null;
}

function line(maxLength: number, description: string) {
  return Type.String({ ...lineForm(maxLength), description });
}

export const dryRun = Type.Optional(
  Type.Boolean({
    description: 'True: a preview. Nothing is changed, and `changes` lists the effects',
  }),
);

export const confirm = Type.Optional(
  Type.String({ description: 'Confirmation: the name of the changed object, repeated' }),
);

/**
 * `changes`: audit lines, planned lines in a dry run; empty where nothing changed. `result`: null
 * if only execution can determine it.
 */
export function changed<Result extends TSchema>(result: Result) {
  return Type.Object({
    dryRun: Type.Boolean(),
    changes: Type.Array(
      Type.Object({
        action: Type.String(),
        subject: Type.String(),
        before: nullable(Type.String()),
        after: nullable(Type.String()),
      }),
    ),
    result: nullable(result),
  });
}

export type Changed<Result extends TSchema> = Document<ReturnType<typeof changed<Result>>>;

const fileName = line(255, 'File name');

/** Kept in order; at most 20 MB in total. */
export const uploadedFiles = Type.Array(
  Type.Union([
    Type.Object({ name: fileName, text: Type.String() }, { additionalProperties: false }),
    Type.Object(
      {
        name: fileName,
        base64: Type.String({ description: 'Content in bytes, for compressed files' }),
      },
      { additionalProperties: false },
    ),
  ]),
  { minItems: 1, maxItems: 100 },
);
export type UploadedFile = Document<typeof uploadedFiles>[number];
