/** What an app's users get, in credits. */
export interface CreditsConfig {
  /** Pico-USD a month: `monthlyGrant × usdPerCredit`, exact. */
  readonly monthlyGrantPicoUsd: bigint;
  /** Pico-USD of one credit; has no prime factor but 2 and 5. */
  readonly picoUsdPerCredit: bigint;
}
