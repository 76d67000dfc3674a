import { bodyLimits } from '@model-gateway/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { appNamePattern } from '../domain/key-name.ts';
import { visibleLine } from '../lib/plain-text.ts';
import { nullable } from './shapes.ts';

/** A line of text of at most so many characters. */
export function line(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, ...visibleLine, description });
}

/** A model's id. */
export const modelId = line(bodyLimits.modelCharactersMax, 'A model, by its id');

/** Ids of models, none twice. */
export const modelIds = Type.Array(modelId, { minItems: 1, maxItems: 1_000, uniqueItems: true });

/** Names of apps, none twice. */
export const appNames = Type.Array(
  Type.String({
    pattern: appNamePattern.source,
    rule: 'the name of an app: small letters, digits and "-", a letter first, at most 63',
  }),
  { minItems: 1, maxItems: 1_000, uniqueItems: true },
);

/** Why something is changed; the audit log keeps it. */
export const reason = line(200, 'Why, for the audit log');

/** True: nothing is changed, and `changes` says what would be. */
export const dryRun = Type.Optional(
  Type.Boolean({ description: 'True: nothing is changed, and `changes` says what would be' }),
);

/** For what is dangerous: `confirm` repeats the name of what it is about. */
export const confirm = Type.Optional(
  Type.String({ description: 'The name of what is changed, typed once more' }),
);

/** Decimal USD as it is asked for: never below 0. */
export const amountForm = {
  pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
  rule: 'a decimal amount in USD, such as "20" or "0.50"',
} as const;

/** Decimal USD as it is asked for: never below 0. */
export const asked = Type.String({
  ...amountForm,
  description: 'Exact decimal USD, such as "20" or "0.50"',
});

/** Under the same one a change acts once. */
export const reference = Type.Optional(line(255, 'The same reference acts once'));

/** The body of a change: `reason`, `dryRun` and no field that is not named. */
export function changing<Fields extends TProperties>(fields: Fields) {
  return Type.Object({ reason, dryRun, ...fields }, { additionalProperties: false });
}

/** The body of a change that has to be confirmed. */
export function confirming<Fields extends TProperties>(fields: Fields) {
  return changing({ confirm, ...fields });
}

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
