import type { Operation } from './routes.ts';

/** The answer of `GET /`. */
export interface RootAnswer {
  readonly name: 'model-gateway';
  readonly version: string;
}

/** The answer of `GET /health`: 200 `ok`, or 503 `draining` while the process stops. */
export interface HealthAnswer {
  readonly status: 'ok' | 'draining';
}

/** An app's budget of a UTC day. `spentUsd + heldUsd + remainingUsd = capUsd`. */
export interface Budget {
  readonly capUsd: string;
  readonly spentUsd: string;
  /** Held for calls that are still running. */
  readonly heldUsd: string;
  /** Never below zero. */
  readonly remainingUsd: string;
  /** The next 00:00 UTC, ISO 8601. */
  readonly resetsAt: string;
}

/**
 * A budget beside the app's own day, in the period that runs. The amounts are missing where the
 * caller may not be told them.
 */
export interface ScopeBudget {
  /** As the header `x-budget-scope` writes it. */
  readonly scope: string;
  /** `shadow` refuses nothing. */
  readonly mode: 'enforce' | 'shadow';
  readonly capUsd?: string;
  readonly spentUsd?: string;
  readonly heldUsd?: string;
  /** Never below zero; zero while it is closed. */
  readonly remainingUsd?: string;
  /** When the store was restored that has closed it, ISO 8601: calls are refused. */
  readonly closedAt?: string;
  /** Of `shadow`: calls that it would have refused, and what they could have cost at most. */
  readonly wouldRefuse?: { readonly calls: number; readonly maxCostUsd: string };
  /** The start of the next UTC day or month, ISO 8601. */
  readonly resetsAt: string;
}

/** Sums over admitted calls; refused and replayed requests are not among them. */
export interface UsageTotals {
  readonly calls: number;
  /** Calls that were not answered with 200. */
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

/** The answer of `GET /v1/usage`. */
export interface UsageAnswer {
  readonly app: string;
  /** The name of the app's billing project. */
  readonly project: string;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** `null` for an app without a budget. */
  readonly budget: Budget | null;
  /** The app's month and the groups that it is in; missing where it has none. */
  readonly scopes?: readonly ScopeBudget[];
  readonly totals: UsageTotals;
  readonly models: readonly (UsageTotals & { readonly model: string })[];
  /** The last 30 days with a call, the newest first. */
  readonly history: readonly {
    readonly day: string;
    readonly calls: number;
    readonly costUsd: string;
  }[];
}

/** USD per million tokens, exact decimals. */
export interface PriceUsd extends RatesUsd {
  /** The first of `steps`: the rates of the whole call from so many tokens of input on. */
  readonly longContext?: RatesUsd & { readonly fromInputTokens: number };
  /** The rates of the whole call where its input has more tokens; the shortest step first. */
  readonly steps?: readonly (RatesUsd & { readonly aboveInputTokens: number })[];
  /** Of each billed request, in USD. */
  readonly perRequestUsd?: string;
  /** Of uses of tools that the platform runs, by tool. */
  readonly toolUses?: Readonly<Record<string, { readonly usdPerThousand: string }>>;
}

/** USD per million tokens within input and output that have prices of their own. */
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
  /** Whether it tells answers as they come; missing for an app that has them whole alone. */
  readonly streaming?: boolean;
}

/** The answer of `GET /v1/models`. */
export interface ModelsAnswer {
  readonly models: readonly ModelEntry[];
}

/**
 * The answer of `GET /v1/credits/{userId}`: exact decimal credits.
 * `available = granted + toppedUp − spent − held`, or 0 while `closedAt` is there.
 */
export interface CreditsAnswer {
  readonly userId: string;
  /** The UTC month, `YYYY-MM`. */
  readonly period: string;
  readonly granted: string;
  /** Top-up money at the period's start plus what was added since. */
  readonly toppedUp: string;
  readonly spent: string;
  /** Held for calls that are still running: the most that they can cost. */
  readonly held: string;
  /** What a call may cost at most. */
  readonly available: string;
  /** The start of the next UTC month, ISO 8601. */
  readonly resetsAt: string;
  /** When the store was restored that has closed the wallets, ISO 8601: calls are refused. */
  readonly closedAt?: string;
}
