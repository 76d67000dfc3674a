export interface Plan {
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly requestsPerDay: number;
}

export interface Plans {
  readonly user: Plan;
  readonly admin: Plan;
}
