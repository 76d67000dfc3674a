import type { Proxies } from '../lib/proxy-address.ts';
import type { Role } from './role.ts';

/** Whether an e-mail address counts without `email_verified` from the provider. */
export const emailPolicies = ['required', 'assumed'] as const;

/** A company's own accounts, for the console. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  /** The claim that names a person. */
  readonly nameClaim: string;
  /** The claim whose values give roles. */
  readonly roleClaim: string;
  /** `required` where it is undefined. */
  readonly emailVerified?: (typeof emailPolicies)[number];
  /** For each request to the provider; undefined: 5 s. */
  readonly timeoutMs?: number;
  /** In the file's order: the first that fits is a person's. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The apps of each value whose role is `team`. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** Those of the environment; absent where it names none. */
  readonly proxies?: Proxies;
}

/** The console: whether there is one, and how it is reached. */
export interface ConsoleConfig {
  readonly enabled: boolean;
  /** Where browsers find it, without a slash at the end; undefined on this machine alone. */
  readonly url?: string | undefined;
  /** Whether a `url` without TLS on another machine is meant. */
  readonly insecureHttp: boolean;
  /** How long a session lasts at most. */
  readonly sessionHours: number;
  /** Whether a team tops up the wallets of its own apps. */
  readonly teamWallets: boolean;
  /** Undefined where one-time links are the only login. */
  readonly oidc?: OidcConfig | undefined;
}

/** What holds where the file does not say. */
export const consoleDefaults = {
  insecureHttp: false,
  sessionHours: 12,
  teamWallets: false,
} as const;
