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
