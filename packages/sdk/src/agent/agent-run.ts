import { attachRun, LlmError } from '../llm-error.ts';
import type { AgentResult, AgentStep } from './run-types.ts';
import type { TurnLoop } from './turn-loop.ts';

/** A run of an agent: awaited as a whole, or turn by turn. */
export interface AgentRun extends Promise<AgentResult> {
  /**
   * Makes the turns one by one, as they are asked for, to be called at once and only once:
   * `for await (const step of client.runAgent(…).steps())`. Errors are thrown from the loop.
   * Leaving the loop ends the run.
   */
  steps(): AsyncGenerator<AgentStep, void>;
}

/** Runs a loop by itself, unless its steps are asked for at once. */
export function startAgentRun(begin: () => TurnLoop): AgentRun {
  let isTaken = false;
  const outcome = Promise.resolve().then(() => {
    if (isTaken) return stepped.promise;
    isTaken = true;
    return runToEnd(begin());
  });
  const stepped = deferred<AgentResult>();

  function steps(): AsyncGenerator<AgentStep, void> {
    if (isTaken) {
      throw new TypeError('runAgent: call steps() once, at once: runAgent(…).steps()');
    }
    isTaken = true;
    // The loop throws it; who also awaits the run gets it there as well.
    outcome.catch(() => {});
    return makeSteps(begin, stepped);
  }

  return Object.assign(outcome, { steps });
}

async function runToEnd(loop: TurnLoop): Promise<AgentResult> {
  try {
    // Bounded by `maxTurns`.
    while ((await loop.next()) !== undefined);
    return loop.result();
  } finally {
    loop.close();
  }
}

async function* makeSteps(
  begin: () => TurnLoop,
  { resolve, reject }: Deferred<AgentResult>,
): AsyncGenerator<AgentStep, void> {
  let loop: TurnLoop | undefined;
  try {
    loop = begin();
    for (let step = await loop.next(); step !== undefined; step = await loop.next()) yield step;
    resolve(loop.result());
  } catch (error) {
    reject(error);
    throw error;
  } finally {
    loop?.close();
    // Settles what awaits the run when the loop over its steps was left.
    if (loop !== undefined) reject(leftError(loop.result()));
  }
}

function leftError({ text: _text, stopReason: _stopReason, ...run }: AgentResult): LlmError {
  const message = 'the loop over the steps was left';
  return attachRun(new LlmError({ message, status: 0, code: 'ABORTED', attempts: 0 }), run);
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers` is missing in Node 18. */
function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (reason) => settle?.reject(reason),
  };
}
