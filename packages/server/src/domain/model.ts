import { utcDayOf } from '../lib/clock.ts';
import type { CarryName } from './carry.ts';
import type { PathFamilies } from './path-family.ts';
import type { DatedRates } from './rates.ts';
import type { SendFields } from './row-fields.ts';
import type { StructuredOutput } from './structured-output.ts';

/** For one image, when a model's row has no figure. */
export const defaultImageTokensMax = 20_000;

/**
 * An alias asks its next model after a throttle, a failing platform, or one that rejects the
 * gateway's own key.
 */
export const fallbackReasons = ['throttled', 'server', 'account'] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/** For an alias that names none, whatever reasons are added. */
export const defaultFallbackOn: readonly FallbackReason[] = ['throttled', 'server'];

/** Models are asked in this order. */
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
  /** Undefined where the platform's kind or the id shows it. */
  readonly maker?: string;
  /** Absent: chat. */
  readonly kind?: 'embeddings';
  /** Oldest first, which also covers the time before. Undefined for an unpriced model. */
  readonly prices?: readonly DatedRates[];
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  /** For other makers' clients that state no output limit. */
  readonly defaultMaxTokens?: number;
  readonly structuredOutput: StructuredOutput;
  readonly images: boolean;
  readonly imageTokensMax: number;
  /** Undefined: by the kind of its platform. */
  readonly speaks?: PathFamilies;
  /** False for a server that refuses to count a streamed answer. */
  readonly streamUsage?: boolean;
  readonly carryFields?: readonly CarryName[];
  readonly send?: SendFields;
  readonly passFields?: ReadonlySet<string>;
  /** UTC day, `YYYY-MM-DD`, from whose start its vendor does not serve it. */
  readonly retires?: string;
  /** Plays a failure or special case: lists for people omit it. */
  readonly isForTests?: true;
}

export function isRetiredAt({ retires }: Pick<ModelConfig, 'retires'>, epochMs: number): boolean {
  return retires !== undefined && retires <= utcDayOf(epochMs);
}
