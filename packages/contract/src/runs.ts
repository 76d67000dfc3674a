/** The body of `POST /v1/runs`: a part of the app's work with its own budget. */
export interface RunRequest {
  /** The most that its calls may spend and reserve together: an exact decimal above 0. */
  readonly maxCostUsd: string;
  /** The time in which it may make calls: 1,000–86,400,000. */
  readonly expiresInMs: number;
  /** The only models that it may call, 1–128 of the key's models. Default: all of them. */
  readonly models?: readonly string[] | undefined;
  /** The user of all its calls. Default: each call names its user. */
  readonly userId?: string | undefined;
  /** For people; 1–128 characters. */
  readonly label?: string | undefined;
}

/** The current state of a run. `maxCostUsd` is a limit: only its calls reserve money. */
export interface RunState {
  readonly runId: string;
  readonly maxCostUsd: string;
  readonly spentUsd: string;
  /** Reserved for running calls. */
  readonly heldUsd: string;
  /** Never below zero. */
  readonly remainingUsd: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The response of `POST /v1/runs`. */
export interface NewRunAnswer extends RunState {
  /** The run's own key, which only this response contains. */
  readonly key: string;
  /** When the run was ended; only for an existing run with the same idempotency key. */
  readonly endedAt?: string;
}

/** The response of `GET` and `DELETE /v1/runs/{id}`. */
export interface RunAnswer extends RunState {
  /** When the run was ended before it expired, ISO 8601; otherwise `null`. */
  readonly endedAt: string | null;
  readonly models?: readonly string[];
  readonly userId?: string;
  readonly label?: string;
}
