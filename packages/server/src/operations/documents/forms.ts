import { bodyLimits } from '@model-gateway/contract';
import { appNamePattern } from '../../domain/key-name.ts';
import { visibleLine } from '../../lib/plain-text.ts';

export const forms = {
  model: {
    ...{ type: 'string', minLength: 1, maxLength: bodyLimits.modelCharactersMax },
    ...visibleLine,
  },
  appName: {
    type: 'string',
    pattern: appNamePattern.source,
    rule: 'the name of an app: small letters, digits and "-", a letter first, at most 63',
  },
  /** Decimal USD, from 0. */
  amount: {
    type: 'string',
    pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
    rule: 'a decimal amount in USD, such as "20" or "0.50"',
  },
} as const;

export function lineForm(maxLength: number) {
  return { type: 'string', minLength: 1, maxLength, ...visibleLine } as const;
}
