import { bodyLimits } from '@model-gateway/contract';
import Type from 'typebox';
import { callFields, printable, strict } from './schemas.ts';

const costRule = 'USD as a decimal string above 0 and below 1000000, with at most 12 decimals';

export const runBody = Type.Object(
  {
    maxCostUsd: Type.String({
      pattern: '^(?=.*[1-9])\\d{1,6}(\\.\\d{1,12})?$',
      rule: costRule,
      description: costRule,
    }),
    expiresInMs: Type.Integer({ minimum: bodyLimits.runMsMin, maximum: bodyLimits.runMsMax }),
    models: Type.Optional(
      Type.Array(callFields.model, {
        ...{ minItems: 1, maxItems: bodyLimits.runModelsMax },
        description: 'Models that the app is allowed to use (see `GET /v1/models`)',
      }),
    ),
    userId: callFields.userId,
    label: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: bodyLimits.runLabelCharactersMax, ...printable },
      }),
    ),
  },
  strict,
);
