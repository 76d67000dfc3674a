import type { NewRunAnswer, RunAnswer, RunRequest } from '@model-gateway/contract';
import type { CallOptions, ReadOptions } from './options.ts';

/** The part of a client that makes runs: parts of an app's work with a ceiling of their own. */
export interface RunMethods {
  /**
   * Makes a run. Its `key`, which is told here alone, makes calls until they have spent
   * `maxCostUsd` or the run ends: `client.withOptions({ apiKey: run.key })`. Nothing is held for
   * it. A call of the client's own is of the run with the header `x-run-id: run.runId`. Asked for
   * again with the same `idempotencyKey` it is the same run, as it is then.
   * @throws LlmError; of note: INVALID (the idempotency key is of another run), FORBIDDEN (a run
   * makes no runs), TOO_MANY_REQUESTS (10,000 open).
   */
  createRun(request: RunRequest, options?: CallOptions): Promise<NewRunAnswer>;
  /**
   * What a run has spent. With a run's own key it is told of that one alone.
   * @throws LlmError; of note: NOT_FOUND (the app has no such run).
   */
  getRun(runId: string, options?: ReadOptions): Promise<RunAnswer>;
  /**
   * Ends a run: new calls of it are FORBIDDEN, running ones go on. It may have ended before.
   * @throws LlmError; of note: NOT_FOUND (the app has no such run).
   */
  endRun(runId: string, options?: ReadOptions): Promise<RunAnswer>;
}
