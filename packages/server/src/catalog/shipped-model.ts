import type { ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';
import type { ModelRates } from './catalog.ts';

/** Rates from a day on. A platform that changes its prices gets one more of these. */
export interface DatedRates extends ModelRates {
  /** The UTC day, `YYYY-MM-DD`, from whose start they are in force. */
  readonly fromDay: string;
  /** The UTC day on which they were last read at their source; the simulator's are its own. */
  readonly readDay?: string;
  /** Where they were read. */
  readonly source: string;
}

/** A row that ships with the gateway; it lives on the first configured platform of its kind. */
export interface ShippedModel extends Omit<ModelConfig, 'platform' | 'rates'> {
  readonly platformKind: PlatformKind;
  /** The oldest first; it holds for the time before it as well. None: the model is unpriced. */
  readonly prices: readonly DatedRates[];
}
