export interface CreditsConfig {
  /** Per month: `monthlyGrant × usdPerCredit`, exact. */
  readonly monthlyGrantPicoUsd: bigint;
  /** Has only the prime factors 2 and 5. */
  readonly picoUsdPerCredit: bigint;
}
