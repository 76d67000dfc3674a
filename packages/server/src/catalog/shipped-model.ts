import type { ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';
import type { DatedRates } from '../domain/rates.ts';

/** A row that ships with the gateway; it lives on the first configured platform of its kind. */
export interface ShippedModel extends Omit<ModelConfig, 'platform' | 'prices'> {
  readonly platformKind: PlatformKind;
  /** The oldest first; it holds for the time before it as well. None: the model is unpriced. */
  readonly prices: readonly DatedRates[];
}
