import type { AppPage } from '@model-gateway/server/operations/documents';
import { picoOf } from '../../text/money.ts';

export type State = 'disabled' | 'none' | 'used' | 'tight' | 'holds';

/** The effect of the daily budget on the next call. */
export function stateOf({ settings, usage, forecast }: AppPage): State {
  if (!settings.enabled) return 'disabled';
  const { budget } = usage;
  if (budget === null) return 'none';
  if (picoOf(budget.remainingUsd) <= 0n) return 'used';
  return forecast.exhaustedAt === null ? 'holds' : 'tight';
}
