import type { Operation } from '@model-gateway/contract';
import { type Client, createClientWith } from '../client.ts';
import { isRecord, parseJson } from '../failure.ts';
import type { ClientOptions } from '../options.ts';
import { machineTime } from '../runtime.ts';
import { type FakeAnswer, writeAnswer } from './fake-answer.ts';

/** What one attempt asked for. */
export interface FakeCall {
  /** Below the base URL: `/chat`, `/credits/user-1`. */
  readonly path: string;
  /** The body, as the gateway would read it; empty for a GET. */
  readonly request: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, or a function that makes one of what was asked. */
export type FakeStep = FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>);

/** A client that follows a script. */
export interface FakeClient extends Client {
  /** Every attempt so far, in its order. */
  readonly calls: readonly FakeCall[];
  /** How many steps of the script are left. */
  remaining(): number;
}

/**
 * A client for the tests of code that uses one: the real client, whose gateway is a script of one
 * step for each call, and for each turn of `runAgent`. It opens no connection.
 *
 * - `{ text }` answers a chat, and finishes an agent; `{ object }` answers an object
 * - `{ toolCalls: [{ name, input }] }` is an agent's turn that asks for tools
 * - `{ error: 'BUDGET_EXCEEDED' }` is any error of the gateway; `{ body }` is any answer as it is
 * - `{ hangs: true }` never answers: for time-outs and aborts
 *
 * It makes one attempt for each call unless `maxAttempts` says otherwise; a retry takes the next
 * step, without a wait. A call that the script has no fitting step for fails with NETWORK, and its
 * message says so.
 * @example
 * const client = createFakeClient([{ text: 'Hello' }, { error: 'BUDGET_EXCEEDED' }]);
 */
export function createFakeClient(
  steps: readonly FakeStep[],
  options: Pick<ClientOptions, 'timeoutMs' | 'maxAttempts'> = {},
): FakeClient {
  const calls: FakeCall[] = [];
  let keys = 0;
  const uuid = () => {
    keys += 1;
    return `fake-key-${keys}`;
  };
  // No jitter: a retry waits for nothing.
  const runtime = { ...machineTime(), random: () => 0, uuid };
  const client = createClientWith(runtime, {
    maxAttempts: 1,
    ...options,
    baseUrl: 'http://fake.invalid/v1',
    apiKey: 'fake-key',
    fetch: answerNext,
  });

  async function answerNext(url: string | URL | Request, init: RequestInit = {}) {
    const path = String(url).replace('http://fake.invalid/v1', '');
    const body = typeof init.body === 'string' ? parseJson(init.body) : undefined;
    const request = isRecord(body) ? body : {};
    const call = { path, request, headers: Object.fromEntries(new Headers(init.headers)) };
    calls.push(call);
    const number = calls.length;
    const step = steps[number - 1];
    if (step === undefined) {
      throw new Error(`the script has ${steps.length} steps, and call ${number} is to ${path}`);
    }
    const answer = typeof step === 'function' ? await step(call) : step;
    if ('hangs' in answer) return untilAborted(init.signal);
    return writeAnswer(answer, { operation: operations.get(path), model: request.model, number });
  }

  return {
    ...client,
    calls,
    remaining: () => Math.max(0, steps.length - calls.length),
  };
}

const operations: ReadonlyMap<string, Operation> = new Map([
  ['/chat', 'chat'],
  ['/objects', 'objects'],
  ['/agents/run', 'agents'],
]);

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
