import type { NewRunAnswer } from '@model-gateway/contract';
import { LlmError } from '../llm-error.ts';
import type { RunMethods } from '../runs.ts';

/** How the service is asked for the run that holds an agent's turns to its ceiling. */
export type ServiceRuns = Pick<RunMethods, 'createRun' | 'endRun'>;

/** One that its client has forgotten holds nothing, and is soon over by itself. */
export const expiresInMs = 3_600_000;
/** Its end is no reason to keep a process. */
export const endTimeoutMs = 5_000;

/** Its id; `undefined` where the service makes none: it has no runs, or not for this. */
export async function idOfRun(making: Promise<NewRunAnswer>): Promise<string | undefined> {
  try {
    return (await making).runId;
  } catch (error) {
    if (LlmError.is(error) && [400, 403, 404, 501].includes(error.status)) return undefined;
    throw error;
  }
}
