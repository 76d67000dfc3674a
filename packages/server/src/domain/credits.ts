export interface CreditsConfig {
  /** A month: `monthlyGrant × usdPerCredit`, exact. */
  readonly monthlyGrantPicoUsd: bigint;
  /** Has no prime factor but 2 and 5. */
  readonly picoUsdPerCredit: bigint;
}
