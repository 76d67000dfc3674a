import { utcDayOf } from '../lib/clock.ts';
import type { CarryName } from './carry.ts';
import type { Speaks } from './path-family.ts';
import type { DatedRates } from './rates.ts';
import type { SendFields } from './row-fields.ts';
import type { StructuredOutput } from './structured-output.ts';

/** Tokens that one image may count as at most, when a model's row does not say. */
export const defaultImageTokensMax = 20_000;

/**
 * Failures after which an alias asks its next model: a throttle; a platform that fails; a platform
 * that rejects the gateway's own key.
 */
export const fallbackReasons = ['throttled', 'server', 'account'] as const;

/** One of {@link fallbackReasons}. */
export type FallbackReason = (typeof fallbackReasons)[number];

/** Of an alias that names none, whatever reasons are added. */
export const defaultFallbackOn: readonly FallbackReason[] = ['throttled', 'server'];

/** An entry of `models` that is a name for others, which are asked in this order. */
export interface AliasConfig {
  readonly id: string;
  /** Ids of models, none twice. */
  readonly route: readonly [string, ...string[]];
  readonly fallbackOn: readonly FallbackReason[];
}

/** What a model can be asked for: an answer in a conversation, or embeddings of texts. */
export const modelKinds = ['chat', 'embeddings'] as const;

/** One entry of `models`, its defaults applied. */
export interface ModelConfig {
  readonly id: string;
  /** The name of a configured platform. */
  readonly platform: string;
  readonly upstreamModel: string;
  /** The vendor that makes it; undefined where the platform's kind or the id tells. */
  readonly maker?: string;
  /** Set of a model that gives embeddings, and nothing else. */
  readonly kind?: 'embeddings';
  /** The oldest first; it holds for the time before it as well. Undefined for an unpriced model. */
  readonly prices?: readonly DatedRates[];
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  /** For requests of other makers' clients that state no limit of output. */
  readonly defaultMaxTokens?: number;
  readonly structuredOutput: StructuredOutput;
  readonly images: boolean;
  readonly imageTokensMax: number;
  /** Undefined where the row leaves it to the kind of its platform. */
  readonly speaks?: Speaks;
  /** False for a server that refuses to be asked for the counts of a streamed answer. */
  readonly streamUsage?: boolean;
  /** Fields of its earlier messages that it accepts; undefined for the default of its platform. */
  readonly carryFields?: readonly CarryName[];
  readonly send?: SendFields;
  /** Fields that callers of compatible routes may send, and that are passed on as they are. */
  readonly passFields?: ReadonlySet<string>;
  /** The UTC day, `YYYY-MM-DD`, from whose start its vendor does not serve it. */
  readonly retires?: string;
  /** It plays a failure or a special case: lists for people leave it out. */
  readonly isForTests?: true;
}

/** Whether the vendor of a model does not serve it at a time. */
export function isRetiredAt({ retires }: Pick<ModelConfig, 'retires'>, epochMs: number): boolean {
  return retires !== undefined && retires <= utcDayOf(epochMs);
}
