import { attachRun, LlmError } from '../call/llm-error.ts';
import type { SetTimer } from '../call/runtime.ts';
import type { AgentResult, AgentStep } from './run-types.ts';
import type { TurnLoop } from './turn-loop.ts';

/** A run of an agent: await it as a whole, or iterate over its turns. */
export interface AgentRun extends Promise<AgentResult> {
  /**
   * Makes one turn per iteration; call it at once and only once:
   * `for await (const step of client.runAgent(…).steps())`. Errors are thrown from the loop.
   * Leaving the loop ends the run. A caller that also awaits the run must have begun the loop.
   */
  steps(): AsyncGenerator<AgentStep, void>;
}

/** Begins the loop; `isFollowed` if the caller iterates over the steps. */
type Begin = (isFollowed: boolean) => TurnLoop;

/** Runs a loop by itself, unless `steps` is called at once. `after` sets a timer. */
export function startAgentRun(begin: Begin, after: SetTimer): AgentRun {
  const stepped = deferred<AgentResult>();
  /** The source of turns: nothing yet, the run itself, or a loop over its steps. */
  let driver: 'none' | 'run' | 'steps' = 'none';
  let isIterated = false;
  let isAbandoned = false;
  const outcome = Promise.resolve().then(() => {
    if (driver === 'steps') return stepped.promise;
    driver = 'run';
    return runToEnd(begin(false));
  });
  function steps(): AsyncGenerator<AgentStep, void> {
    if (driver !== 'none') {
      throw new TypeError('runAgent: call steps() once, immediately: runAgent(…).steps()');
    }
    driver = 'steps';
    return iterate();
  }

  async function* iterate(): AsyncGenerator<AgentStep, void> {
    isIterated = true;
    if (isAbandoned) throw new TypeError(notIterated);
    yield* makeSteps(begin, stepped);
  }

  /** Without iteration over the steps, a caller that awaits the run would wait forever. */
  function onAwaited(): void {
    if (driver !== 'steps' || isIterated) return;
    after(0, () => {
      isAbandoned = !isIterated;
      if (isAbandoned) stepped.reject(new TypeError(notIterated));
    });
  }

  return new WatchedRun(outcome, { steps, onAwaited });
}

const notIterated = 'runAgent: steps() was not iterated: for await (const step of run.steps())';

/** A class, because only a subclass of Promise notices that it is awaited. */
class WatchedRun extends Promise<AgentResult> implements AgentRun {
  readonly steps: AgentRun['steps'];
  readonly #onAwaited: () => void;

  constructor(
    outcome: Promise<AgentResult>,
    { steps, onAwaited }: { readonly steps: AgentRun['steps']; readonly onAwaited: () => void },
  ) {
    super((resolve) => resolve(outcome));
    this.steps = () => {
      // The loop over the steps throws the error; a caller that awaits the run gets it too.
      super.then(undefined, () => undefined);
      return steps();
    };
    this.#onAwaited = onAwaited;
  }

  /** `then` returns a plain promise. */
  static override get [Symbol.species]() {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: an AgentRun is a promise, which callers await
  override then<Done = AgentResult, Failed = never>(
    onDone?: ((result: AgentResult) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#onAwaited();
    return super.then(onDone, onFailed);
  }
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
  begin: Begin,
  { resolve, reject }: Deferred<AgentResult>,
): AsyncGenerator<AgentStep, void> {
  let loop: TurnLoop | undefined;
  try {
    loop = begin(true);
    for (let step = await loop.next(); step !== undefined; step = await loop.next()) yield step;
    resolve(loop.result());
  } catch (error) {
    reject(error);
    throw error;
  } finally {
    loop?.close();
    // Settles the awaited run when the loop over its steps was left.
    if (loop !== undefined) reject(abandonedError(loop.result()));
  }
}

function abandonedError({ text: _text, stopReason: _stopReason, ...run }: AgentResult): LlmError {
  const message = 'the loop ended early';
  return attachRun(new LlmError({ message, status: 0, code: 'ABORTED', attempts: 0 }), run);
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers` is missing in Node 18. */
function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> = { resolve() {}, reject() {} };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
