import type { Operation } from '@model-gateway/contract';
import { parseJson } from '../call/failure.ts';
import type { ClientOptions } from '../call/options.ts';
import type { Runtime } from '../call/runtime.ts';
import { type Client, createClientWith } from '../client/client.ts';
import { isError } from '../lib/is-error.ts';
import { isRecord } from '../lib/is-record.ts';
import { findInvalid, findInvalidQuote, findInvalidRun } from './check-request.ts';
import { writeAnswer } from './fake-answer.ts';
import { checkStep, type FakeAnswer } from './fake-step.ts';
import { FakeScriptError } from './script-error.ts';

/** The request of one attempt. */
export interface FakeCall {
  /** Below the base URL: `/chat`, `/credits/user-1`. */
  readonly path: string;
  /** The parsed body; empty for a GET. */
  readonly request: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response, or a function from the request to one. */
export type FakeStep = FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>);

/** A client that follows a script. */
export interface FakeClient extends Client {
  /** Every attempt so far, in order. */
  readonly calls: readonly FakeCall[];
  /** The number of remaining steps. */
  remaining(): number;
  /**
   * For the end of a test.
   * @throws FakeScriptError when steps are left, or again for the first mistake: code under test
   * might have caught it.
   */
  assertDone(): void;
}

/**
 * A client for tests: the real client, whose gateway is a script of one step for each call, and for
 * each turn of `runAgent`. It opens no connection and sets no timer. The run for `runAgent`'s
 * `maxCostUsd` takes no step, and is in `calls`.
 *
 * - `{ text }` is the response to a chat, and finishes an agent; `{ object }` that to an object
 * - `{ toolCalls: [{ name, input }] }` is an agent's turn with tool calls
 * - `{ embeddings }` responds to `embed`; `{ quote }` to `quote`, which fits by default
 * - `{ run }` responds to `createRun`, `getRun` and `endRun`; the defaults are a new run's
 * - `{ error: 'BUDGET_EXCEEDED' }` is any error of the gateway; `{ body }` is any raw response
 * - a call that streams takes the same steps, its text word by word; an error with `afterText`
 *   comes after that text
 * - `{ hangs: true }` never responds: a call with a signal ends by it, others time out at once
 *
 * By default each call is one attempt; with `maxAttempts` a retry takes the next step, without a
 * wait. A script without a fitting step, or a request that the service would reject as INVALID,
 * throws a `FakeScriptError`, which is not an `LlmError`.
 * @example
 * const client = createFakeClient([{ text: 'Hello' }, { error: 'BUDGET_EXCEEDED' }]);
 * await codeUnderTest(client);
 * client.assertDone();
 */
export function createFakeClient(
  steps: readonly FakeStep[],
  options: Pick<ClientOptions, 'timeoutMs' | 'maxAttempts'> = {},
): FakeClient {
  const calls: FakeCall[] = [];
  let stepsTaken = 0;
  let firstMistake: FakeScriptError | undefined;
  const client = createClientWith(createFakeRuntime(), {
    maxAttempts: 1,
    ...options,
    baseUrl: 'http://fake.invalid/v1',
    apiKey: 'fake-key',
    fetch: async (url, init) => {
      try {
        return await answerNext(readCall(url, init));
      } catch (error) {
        if (error instanceof FakeScriptError) firstMistake ??= error;
        throw error;
      }
    },
  });

  async function answerNext(call: FakeCall): Promise<Response> {
    calls.push(call);
    const { path, request } = call;
    if (isOfAgent(call)) return writeAgentRun();
    const step = steps[stepsTaken];
    if (step === undefined) {
      throw new FakeScriptError(
        `the script has only ${steps.length} steps, but call ${calls.length} is to ${path}`,
      );
    }
    const isStream = path.endsWith('/stream');
    const operation = operations.get(path);
    checkRequest(operation, call, step);
    stepsTaken += 1;
    const number = stepsTaken;
    const answer = typeof step === 'function' ? await runStep(step, call, number) : step;
    checkStep(answer, number);
    if ('hangs' in answer) throw silence;
    return writeAnswer(answer, { path, request, number, operation, isStream });
  }

  function assertDone(): void {
    if (firstMistake !== undefined) throw firstMistake;
    const remaining = steps.length - stepsTaken;
    if (remaining === 0) return;
    throw new FakeScriptError(
      `${remaining} of the ${steps.length} steps of the script were not used`,
    );
  }

  return { ...client, calls, remaining: () => steps.length - stepsTaken, assertDone };
}

const operations: ReadonlyMap<string, Operation> = new Map([
  ['/chat', 'chat'],
  ['/objects', 'objects'],
  ['/agents/run', 'agents'],
  ['/embeddings', 'embeddings'],
  ['/chat/stream', 'chat'],
  ['/objects/stream', 'objects'],
  ['/agents/stream', 'agents'],
]);

/** The checks of bodies without a model. */
const checksByPath: ReadonlyMap<string, typeof findInvalidRun> = new Map([
  ['/quote', findInvalidQuote],
  ['/runs', findInvalidRun],
]);

function readCall(url: string | URL | Request, init: RequestInit = {}): FakeCall {
  const path = String(url).replace('http://fake.invalid/v1', '');
  const body = typeof init.body === 'string' ? parseJson(init.body) : undefined;
  const request = isRecord(body) ? body : {};
  return { path, request, headers: Object.fromEntries(new Headers(init.headers)) };
}

/** An error of the script may be INVALID itself, or come before the service reads a body. */
function checkRequest(
  operation: Operation | undefined,
  { path, request }: FakeCall,
  step: FakeStep,
): void {
  if (typeof step === 'object' && 'error' in step) return;
  const find = checksByPath.get(path);
  const problem = find === undefined ? operation && findInvalid(operation, request) : find(request);
  if (problem === undefined) return;
  throw new FakeScriptError(`the service rejects this request to ${path} as INVALID: ${problem}`);
}

async function runStep(
  step: Exclude<FakeStep, FakeAnswer>,
  call: FakeCall,
  number: number,
): Promise<FakeAnswer> {
  try {
    return await step(call);
  } catch (cause) {
    const reason = isError(cause) ? `: ${cause.message}` : '';
    throw new FakeScriptError(`step ${number} of the script threw${reason}`, { cause });
  }
}

const runId = 'fake-run-of-agent';

/** Whether `runAgent` made this call to create the run for its budget. */
function isOfAgent({
  path,
  headers,
}: {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}): boolean {
  const key = headers['idempotency-key'] ?? '';
  return path === `/runs/${runId}` || (path === '/runs' && /:(re)?run\d*$/.test(key));
}

/** The service's response to it. */
function writeAgentRun(): Response {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'fake-request-run' };
  return new Response(JSON.stringify({ runId, endedAt: null }), { status: 201, headers });
}

/** A scripted gateway that never responds throws this. */
const silence: unique symbol = Symbol('the gateway never responds');

/**
 * A runtime without real time for calls: waits before retries are over at once, and a gateway that
 * never responds times out at once. Tools and steps take real time.
 */
function createFakeRuntime(): Omit<Runtime, 'epochMs' | 'after'> {
  let passedMs = 0;
  let keys = 0;
  return {
    monotonicMs: () => passedMs,
    afterLimit: () => () => undefined,
    afterPause: (waitMs, run) => {
      let isStopped = false;
      // Not a timer: tests with fake timers would wait forever.
      void Promise.resolve().then(() => {
        if (isStopped) return;
        passedMs += waitMs;
        run();
      });
      return () => {
        isStopped = true;
      };
    },
    // No jitter: a test can rely on the waits.
    random: () => 0,
    uuid: () => {
      keys += 1;
      return `fake-key-${keys}`;
    },
    standsFor: (thrown) => {
      if (thrown === silence) return 'silence';
      return thrown instanceof FakeScriptError ? 'mistake' : undefined;
    },
  };
}
