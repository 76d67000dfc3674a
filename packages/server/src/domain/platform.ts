import type { Proxies, ProxyAddress } from '../lib/proxy-address.ts';
import type { requestTiers } from './platform-kinds/kind-facts.ts';
import { factsOf, type PlatformKind } from './platform-kinds/platform-kinds.ts';

/**
 * After the caller of a streamed call disconnects. `drain`: the call continues and settles exactly.
 * `cut`: canceled and estimated, if neither a key nor a wallet depends on it.
 */
export const disconnectPolicies = ['drain', 'cut'] as const;

export type DisconnectPolicy = (typeof disconnectPolicies)[number];

export type RequestTier = (typeof requestTiers)[number];

export interface PlatformConfig {
  readonly name: string;
  readonly kind: PlatformKind;
  /** No trailing slash. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly adminApiKey?: string;
  readonly region?: string;
  /** Absent: `standard`. */
  readonly tier?: RequestTier;
  /** A contract's factor on every rate of its rows, in millionths; absent: 1. */
  readonly priceFactor?: bigint;
  readonly package?: string;
  /** Allows plain HTTP to another machine. */
  readonly allowInsecure?: boolean;
  /** Absent: `drain`. */
  readonly onLeft?: DisconnectPolicy;
  readonly propagateTrace?: boolean;
  /** Replaces the environment's proxy; `none`: direct calls. */
  readonly proxy?: ProxyAddress | 'none';
  readonly proxies?: Proxies;
  /** Absolute path of additional trusted certificate authorities. */
  readonly caFile?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export type PlatformFacts = Pick<
  PlatformConfig,
  'name' | 'kind' | 'region' | 'tier' | 'priceFactor'
>;

export function baseUrlOf({ kind, baseUrl, region = '' }: PlatformConfig): string | undefined {
  return baseUrl ?? factsOf(kind).defaultUrl?.(region);
}
