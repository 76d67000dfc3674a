import type { Operation } from './routes.ts';

/** The response of `GET /`. */
export interface RootAnswer {
  readonly name: 'model-gateway';
  readonly version: string;
}

/** The response of `GET /health`: 200 `ok`, or 503 `draining` while the process stops. */
export interface HealthAnswer {
  readonly status: 'ok' | 'draining';
}

/** An app's budget of a UTC day. `spentUsd + heldUsd + remainingUsd = capUsd`. */
export interface Budget {
  readonly capUsd: string;
  readonly spentUsd: string;
  /** Reserved for running calls. */
  readonly heldUsd: string;
  /** Never below zero. */
  readonly remainingUsd: string;
  /** The next 00:00 UTC, ISO 8601. */
  readonly resetsAt: string;
}

/**
 * A budget in addition to the app's daily budget, in its current period. The amounts are missing
 * where the caller may not see them.
 */
export interface ScopeBudget {
  /** In the format of the header `x-budget-scope`. */
  readonly scope: string;
  /** `shadow` rejects nothing. */
  readonly mode: 'enforce' | 'shadow';
  readonly capUsd?: string;
  readonly spentUsd?: string;
  readonly heldUsd?: string;
  /** Never below zero; zero while it is closed. */
  readonly remainingUsd?: string;
  /** The time of the store's restore that closed the budget, ISO 8601: calls are rejected. */
  readonly closedAt?: string;
  /** Of `shadow`: calls that it would have rejected, with their maximum cost. */
  readonly wouldRefuse?: { readonly calls: number; readonly maxCostUsd: string };
  /** The start of the next UTC day or month, ISO 8601. */
  readonly resetsAt: string;
}

/** Sums over admitted calls, without rejected and replayed requests. */
export interface UsageTotals {
  readonly calls: number;
  /** Calls whose response was not 200. */
  readonly errors: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Exact decimal USD; includes `estimatedUsd`. */
  readonly costUsd: string;
  readonly estimatedUsd: string;
  readonly unpricedCalls: number;
}

/** The response of `GET /v1/usage`. */
export interface UsageAnswer {
  readonly app: string;
  /** The name of the app's billing project. */
  readonly project: string;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** `null` for an app without a budget. */
  readonly budget: Budget | null;
  /** The app's month and its groups; missing where it has none. */
  readonly scopes?: readonly ScopeBudget[];
  readonly totals: UsageTotals;
  readonly models: readonly (UsageTotals & { readonly model: string })[];
  /** The last 30 days with a call, newest first. */
  readonly history: readonly {
    readonly day: string;
    readonly calls: number;
    readonly costUsd: string;
  }[];
}

/** USD per million tokens, exact decimals. */
export interface PriceUsd extends RatesUsd {
  /** The first of `steps`: the whole call has these rates from this number of input tokens. */
  readonly longContext?: RatesUsd & { readonly fromInputTokens: number };
  /** The whole call has these rates where its input has more tokens; lowest step first. */
  readonly steps?: readonly (RatesUsd & { readonly aboveInputTokens: number })[];
  /** For each billed request, in USD. */
  readonly perRequestUsd?: string;
  /** By tool, for uses of tools that the platform runs. */
  readonly toolUses?: Readonly<Record<string, { readonly usdPerThousand: string }>>;
}

/** USD per million tokens, for parts of input and output that have their own prices. */
export interface PartsUsd {
  readonly imageInputUsdPerMillion?: string;
  readonly audioInputUsdPerMillion?: string;
  readonly reasoningUsdPerMillion?: string;
  readonly imageOutputUsdPerMillion?: string;
  readonly audioOutputUsdPerMillion?: string;
}

/** USD per million tokens, exact decimals. */
export interface RatesUsd extends PartsUsd {
  readonly inputUsdPerMillion: string;
  readonly cachedInputUsdPerMillion: string;
  readonly cacheWriteInputUsdPerMillion: string;
  readonly outputUsdPerMillion: string;
}

/** A model that the app may use. */
export interface ModelEntry {
  readonly id: string;
  readonly priced: boolean;
  readonly price: PriceUsd | null;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly operations: readonly Operation[];
  readonly images: boolean;
  /** Whether the app can stream this model's responses; missing without streaming. */
  readonly streaming?: boolean;
}

/** The response of `GET /v1/models`. */
export interface ModelsAnswer {
  readonly models: readonly ModelEntry[];
}

/**
 * The response of `GET /v1/credits/{userId}`: exact decimal credits.
 * `available = granted + toppedUp − spent − held`, or 0 while `closedAt` is present.
 */
export interface CreditsAnswer {
  readonly userId: string;
  /** The UTC month, `YYYY-MM`. */
  readonly period: string;
  readonly granted: string;
  /** Top-up money at the period's start plus later additions. */
  readonly toppedUp: string;
  readonly spent: string;
  /** Reserved for running calls: their maximum cost. */
  readonly held: string;
  /** The most that a call can cost. */
  readonly available: string;
  /** The start of the next UTC month, ISO 8601. */
  readonly resetsAt: string;
  /** The time of the store's restore that closed the wallets, ISO 8601: calls are rejected. */
  readonly closedAt?: string;
}
