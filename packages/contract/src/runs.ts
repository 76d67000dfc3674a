/** The body of `POST /v1/runs`: a part of the app's work with a ceiling of its own. */
export interface RunRequest {
  /** The most that its calls may spend and hold together: an exact decimal from above 0 on. */
  readonly maxCostUsd: string;
  /** How long it may make calls: 1,000–86,400,000. */
  readonly expiresInMs: number;
  /** The only models that it may ask, 1–128 of those of its key; left out, all of them. */
  readonly models?: readonly string[] | undefined;
  /** The user of all its calls; left out, each call says so itself. */
  readonly userId?: string | undefined;
  /** For people; 1–128 characters. */
  readonly label?: string | undefined;
}

/** A run as it stands. `maxCostUsd` is a ceiling: nothing is held for a run but for its calls. */
export interface RunState {
  readonly runId: string;
  readonly maxCostUsd: string;
  readonly spentUsd: string;
  /** Held for calls that are still running. */
  readonly heldUsd: string;
  /** Never below zero. */
  readonly remainingUsd: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The answer of `POST /v1/runs`. */
export interface NewRunAnswer extends RunState {
  /** The run's own key, which is shown here alone. */
  readonly key: string;
  /** Of one that was made before under the same idempotency key: when it was ended, if it was. */
  readonly endedAt?: string;
}

/** The answer of `GET` and `DELETE /v1/runs/{id}`. */
export interface RunAnswer extends RunState {
  /** When it was ended before it expired, ISO 8601; `null` for one that was not. */
  readonly endedAt: string | null;
  readonly models?: readonly string[];
  readonly userId?: string;
  readonly label?: string;
}
