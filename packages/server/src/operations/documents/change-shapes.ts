import Type, { type TSchema } from 'typebox';
import { lineForm } from './forms.ts';
import { type Document, nullable } from './shapes.ts';

export function line(maxLength: number, description: string) {
  return Type.String({ ...lineForm(maxLength), description });
}

export const dryRun = Type.Optional(
  Type.Boolean({ description: 'True: nothing is changed, and `changes` says what would be' }),
);

/** For dangerous changes. */
export const confirm = Type.Optional(
  Type.String({ description: 'The name of what is changed, typed once more' }),
);

/**
 * `changes`: audit lines, planned ones in a dry run; empty where nothing changed. `result`: null
 * where only execution can determine it.
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

const fileName = line(255, 'Its file name');

/** In order; at most 20 MB in total. */
export const uploadedFiles = Type.Array(
  Type.Union([
    Type.Object({ name: fileName, text: Type.String() }, { additionalProperties: false }),
    Type.Object(
      {
        name: fileName,
        base64: Type.String({ description: 'The bytes, for what is compressed' }),
      },
      { additionalProperties: false },
    ),
  ]),
  { minItems: 1, maxItems: 100 },
);
export type UploadedFile = Document<typeof uploadedFiles>[number];
