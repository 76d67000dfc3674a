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
}

/** What holds where the file does not say. */
export const consoleDefaults = {
  insecureHttp: false,
  sessionHours: 12,
  teamWallets: false,
} as const;
