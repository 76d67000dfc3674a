import Type, { type TSchema } from 'typebox';
import { lineForm } from './forms.ts';
import { type Document, nullable } from './shapes.ts';

/** A line of text of at most so many characters. */
export function line(maxLength: number, description: string) {
  return Type.String({ ...lineForm(maxLength), description });
}

/** True: nothing is changed, and `changes` says what would be. */
export const dryRun = Type.Optional(
  Type.Boolean({ description: 'True: nothing is changed, and `changes` says what would be' }),
);

/** For what is dangerous: `confirm` repeats the name of what it is about. */
export const confirm = Type.Optional(
  Type.String({ description: 'The name of what is changed, typed once more' }),
);

/**
 * What a change came to. `changes` are its lines of the audit log, empty where nothing changed; of
 * a dry run those that it would write. `result` is null where only doing it could say.
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

/** The document of a change with this result. */
export type Changed<Result extends TSchema> = Document<ReturnType<typeof changed<Result>>>;

const fileName = line(255, 'Its file name');

/** Every part of an upload, in order; at most 20 MB in all. */
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
