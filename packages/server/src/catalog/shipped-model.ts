import type { ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform-kinds/platform-kinds.ts';
import type { DatedRates } from '../domain/rates.ts';

export interface ShippedModel extends Omit<ModelConfig, 'platform' | 'prices'> {
  readonly platformKind: PlatformKind;
  /** Oldest first; the first also covers the time before it. Empty: unpriced. */
  readonly prices: readonly DatedRates[];
}
