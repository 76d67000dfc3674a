import type { RetryPolicy } from '../lib/retry.ts';

/** The configuration after reading, checking and merging with its defaults. */
export interface Config {
  /** The file that it was read from, absolute. */
  readonly file: string;
  readonly company: string;
  /** A key issued to this address has the role admin; undefined when nobody's has. */
  readonly adminEmail: string | undefined;
  readonly listen: Listen;
  /** The second listener: metrics, readiness, the API's description. Never public. */
  readonly admin: AdminListen;
  /** Addresses and networks of proxies in front: whom they ask for, they say themselves. */
  readonly trustedProxies?: readonly string[];
  readonly store: StoreTarget;
  readonly limits: Limits;
  readonly retry: RetryPolicy;
  readonly platforms: readonly PlatformConfig[];
  /** Where a model that is not in the catalog goes: the name of a platform. */
  readonly defaultPlatform: string;
  readonly plans: Plans;
  /** What happens to calls of models without a price, unless their app says otherwise. */
  readonly unpriced: UnpricedPolicy;
  /** Whether the log may have what platforms say in errors, which may quote prompts. */
  readonly logPlatformErrors: boolean;
  readonly models: readonly ModelConfig[];
  readonly apps: readonly AppConfig[];
  /**
   * Equal on two replicas exactly when their configurations mean the same, apart from secrets and
   * from what each process may have of its own: `listen`, `admin`, `store` and the file's place.
   */
  readonly hash: string;
}

/** An address to listen on; port 0 takes any free one. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** The second listener's address. */
export interface AdminListen extends Listen {
  /** Further names that it is asked by, in lower case; absent where the file names none. */
  readonly hosts?: readonly string[];
}

/** Which database, and where. A SQLite path is absolute. */
export type StoreTarget =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Bounds of time and size; defaults are the specification's. */
export interface Limits {
  readonly modelCallMs: number;
  readonly gatewayMs: number;
  readonly drainMs: number;
  readonly stopDelayMs: number;
  readonly stopMs: number;
  readonly bodyBytes: number;
  readonly bodyBytesInFlight: number;
  readonly inFlight: number;
  readonly idempotencyMs: number;
}

/** How many requests an API key may make. */
export interface Plan {
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly requestsPerDay: number;
}

/** A plan for each role. */
export interface Plans {
  readonly user: Plan;
  readonly admin: Plan;
}

/** Everything that can happen to a call of a model without a price. ADR 0010. */
export const unpricedPolicies = ['dearest', 'refuse', 'free'] as const;

/**
 * `dearest`: it is held and booked at the dearest rates that are known, as an estimate;
 * `refuse`: it is MODEL_NOT_PRICED; `free`: it counts as nothing.
 */
export type UnpricedPolicy = (typeof unpricedPolicies)[number];

/** Every kind of platform that can be configured. */
export const platformKinds = [
  'simulator',
  'openai-compatible',
  'openai',
  'anthropic',
  'bedrock-mantle',
  'ai-sdk',
] as const;

/** How a platform is spoken to. */
export type PlatformKind = (typeof platformKinds)[number];

/** One entry of `platforms`: only the keys of its kind are set. */
export interface PlatformConfig {
  readonly name: string;
  readonly kind: PlatformKind;
  /** No slash at its end. */
  readonly baseUrl?: string;
  /** Undefined where the kind needs none, and for `none`. */
  readonly apiKey?: string;
  readonly adminApiKey?: string;
  readonly region?: string;
  readonly package?: string;
  /** Set where plain HTTP to another machine is meant. */
  readonly allowInsecure?: boolean;
  /** Passed to the package as they are. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Every way in which a model can be made to answer with an object. */
export const structuredOutputs = ['json-schema', 'json-object', 'tool'] as const;

/** How a model is made to answer with an object. */
export type StructuredOutput = (typeof structuredOutputs)[number];

/** Every path family of mantle: the path below its host, in words. */
export const pathFamilies = [
  'v1-chat',
  'v1-responses',
  'openai-v1-chat',
  'openai-v1-responses',
  'anthropic-v1-messages',
] as const;

/** Which of mantle's paths serves a model; no API of mantle tells it. */
export type PathFamily = (typeof pathFamilies)[number];

/** Tokens that one image may count as at most, when a model's row does not say. */
export const defaultImageTokensMax = 20_000;

/** USD per million tokens as integers: pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly cacheWriteInputPicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** One entry of `models`, its defaults applied. */
export interface ModelConfig {
  readonly id: string;
  /** The name of a configured platform. */
  readonly platform: string;
  readonly upstreamModel: string;
  /** Undefined for an unpriced model. */
  readonly rates?: Rates;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly structuredOutput: StructuredOutput;
  readonly images: boolean;
  readonly imageTokensMax: number;
  /** Of a model on mantle, which must have one, or on the simulator. */
  readonly pathFamily?: PathFamily;
}

/** What an app's users get, in credits. */
export interface CreditsConfig {
  /** Pico-USD a month: `monthlyGrant × usdPerCredit`, exact. */
  readonly monthlyGrantPicoUsd: bigint;
  /** Pico-USD of one credit; has no prime factor but 2 and 5. */
  readonly picoUsdPerCredit: bigint;
}

/**
 * One entry of `apps`. A key that the file does not name is absent here, since the file sets only
 * what it names.
 */
export interface AppConfig {
  readonly name: string;
  readonly enabled?: boolean;
  readonly dailyBudgetPicoUsd?: bigint;
  readonly models?: readonly string[];
  readonly credits?: CreditsConfig;
  /** True is the older word for `unpriced: refuse`. */
  readonly requirePriced?: boolean;
  readonly unpriced?: UnpricedPolicy;
  readonly storeAnswers?: boolean;
  readonly project?: string;
  readonly plans?: Partial<Plans>;
}
