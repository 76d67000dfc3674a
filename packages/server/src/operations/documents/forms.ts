import { bodyLimits } from '@model-gateway/contract';
import { appNamePattern, nameRule } from '../../domain/key-name.ts';
import { usdRule } from '../../lib/money.ts';
import { visibleLine } from '../../lib/plain-text.ts';

export const forms = {
  model: {
    ...{ type: 'string', minLength: 1, maxLength: bodyLimits.modelCharactersMax },
    ...visibleLine,
  },
  appName: {
    type: 'string',
    pattern: appNamePattern.source,
    rule: nameRule('an app'),
  },
  /** Decimal USD, from 0. */
  amount: {
    type: 'string',
    pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
    rule: usdRule,
  },
} as const;

export function lineForm(maxLength: number) {
  return { type: 'string', minLength: 1, maxLength, ...visibleLine } as const;
}
