import { utcDayOf } from '../lib/clock.ts';
import type { CarryName } from './carry.ts';
import type { PathFamilies } from './path-family.ts';
import type { DatedRates } from './rates.ts';
import type { SendFields } from './row-fields.ts';
import type { StructuredOutput } from './structured-output.ts';

/** For one image, if a model's row has no value. */
export const defaultImageTokensMax = 20_000;

/**
 * An alias tries its next model after a throttled call, a failing platform, or a platform that
 * rejects the gateway's own key.
 */
export const fallbackReasons = ['throttled', 'server', 'account'] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/** For an alias that names none, even after new reasons are added. */
export const defaultFallbackOn: readonly FallbackReason[] = ['throttled', 'server'];

/** Models are tried in this order. */
export interface AliasConfig {
  readonly id: string;
  readonly route: readonly [string, ...string[]];
  readonly fallbackOn: readonly FallbackReason[];
}

export const modelKinds = ['chat', 'embeddings'] as const;

export interface ModelConfig {
  readonly id: string;
  readonly platform: string;
  readonly upstreamModel: string;
  /** Undefined if the platform's kind or the id shows it. */
  readonly maker?: string;
  /** Absent: chat. */
  readonly kind?: 'embeddings';
  /** Oldest first; the oldest also covers the time before. Undefined for an unpriced model. */
  readonly prices?: readonly DatedRates[];
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  /** For other vendors' clients that state no output limit. */
  readonly defaultMaxTokens?: number;
  readonly structuredOutput: StructuredOutput;
  readonly images: boolean;
  readonly imageTokensMax: number;
  /** Undefined: determined by the kind of its platform. */
  readonly speaks?: PathFamilies;
  /** False if the server rejects streams with usage counts. */
  readonly streamUsage?: boolean;
  readonly carryFields?: readonly CarryName[];
  readonly send?: SendFields;
  readonly passFields?: ReadonlySet<string>;
  /** UTC day, `YYYY-MM-DD`. From its start, the vendor no longer serves the model. */
  readonly retires?: string;
  /** Simulates a failure or a special case, so lists for people omit it. */
  readonly isForTests?: true;
}

export function isRetiredAt({ retires }: Pick<ModelConfig, 'retires'>, epochMs: number): boolean {
  return retires !== undefined && retires <= utcDayOf(epochMs);
}
