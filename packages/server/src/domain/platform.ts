import type { Proxies, ProxyAddress } from '../lib/proxy-address.ts';

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

/**
 * What becomes of a streamed call at its platform when its caller has left. `drain`: it goes on, so
 * that it is settled exactly; `cut`: it is cut where neither a key nor a wallet depends on it, and
 * booked as estimated.
 */
export const onLeftPolicies = ['drain', 'cut'] as const;

/** One of {@link onLeftPolicies}. */
export type OnLeft = (typeof onLeftPolicies)[number];

/** The service tiers that requests can name; each kind of platform has its own words for them. */
export const requestTiers = ['standard', 'flex', 'priority'] as const;

/** One of {@link requestTiers}. */
export type RequestTier = (typeof requestTiers)[number];

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
  /** The service tier that requests name; `standard` where it is absent. */
  readonly tier?: RequestTier;
  /** What a contract multiplies every rate of its rows by, in millionths; 1 where it is absent. */
  readonly priceFactor?: bigint;
  readonly package?: string;
  /** Set where plain HTTP to another machine is meant. */
  readonly allowInsecure?: boolean;
  /** `drain` where it is absent. */
  readonly onLeft?: OnLeft;
  /** True where it is told of the traces that requests are in. */
  readonly propagateTrace?: boolean;
  /** Its own proxy in place of the environment's; `none`: it is called directly. */
  readonly proxy?: ProxyAddress | 'none';
  /** Those of the environment; absent where it names none. */
  readonly proxies?: Proxies;
  /** Absolute: certificates of authorities that are trusted too. */
  readonly caFile?: string;
  /** Passed to the package as they are. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What prices and projects depend on: nothing that is sent with a request. */
export type PlatformFacts = Pick<
  PlatformConfig,
  'name' | 'kind' | 'region' | 'tier' | 'priceFactor'
>;
