import type { NewRunAnswer, RunAnswer, RunRequest } from '@model-gateway/contract';
import type { CallOptions, ReadOptions } from './options.ts';

/** The methods for runs: parts of an app's work with their own budget. */
export interface RunMethods {
  /**
   * Creates a run. Its `key`, which only this response contains, makes calls until they have spent
   * `maxCostUsd` or the run ends: `client.withOptions({ apiKey: run.key })`. It reserves nothing.
   * The header `x-run-id: run.runId` assigns a call of the client to the run. A repeated request
   * with the same `idempotencyKey` returns the same run in its current state.
   * @throws LlmError; of note: INVALID (the idempotency key belongs to another run), FORBIDDEN (a
   * run creates no runs), TOO_MANY_REQUESTS (10,000 open).
   */
  createRun(request: RunRequest, options?: CallOptions): Promise<NewRunAnswer>;
  /**
   * The spending of a run. A run's own key can only read that run.
   * @throws LlmError; of note: NOT_FOUND (the app has no such run).
   */
  getRun(runId: string, options?: ReadOptions): Promise<RunAnswer>;
  /**
   * Ends a run: its new calls are FORBIDDEN, running calls continue. It may have ended before.
   * @throws LlmError; of note: NOT_FOUND (the app has no such run).
   */
  endRun(runId: string, options?: ReadOptions): Promise<RunAnswer>;
}
