import type { Proxies } from '../lib/proxy-address.ts';
import type { Role } from './role.ts';

/** For a provider that sends no `email_verified`. */
export const emailPolicies = ['required', 'assumed'] as const;

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly nameClaim: string;
  readonly roleClaim: string;
  /** Undefined: `required`. */
  readonly emailVerified?: (typeof emailPolicies)[number];
  /** Limit per request; undefined: 5 s. */
  readonly timeoutMs?: number;
  /** In the file's order; the first match counts. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Apps by claim value, for the role `team`. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
  readonly proxies?: Proxies;
}

export interface ConsoleConfig {
  readonly enabled: boolean;
  /** No trailing slash; undefined: this machine only. */
  readonly url?: string | undefined;
  /** Allows a `url` without TLS on another machine. */
  readonly insecureHttp: boolean;
  readonly sessionHours: number;
  readonly teamWallets: boolean;
  /** Undefined: one-time links are the only login. */
  readonly oidc?: OidcConfig | undefined;
}

export const consoleDefaults = {
  insecureHttp: false,
  sessionHours: 12,
  teamWallets: false,
} as const;
