import { isRecord } from '../lib/is-record.ts';
import type { Deadline } from './deadline.ts';
import {
  badResponseFailure,
  networkFailure,
  type Outcome,
  parseJson,
  type ReceivedAnswer,
  statusFailure,
} from './failure.ts';
import type { Runtime } from './runtime.ts';

export interface AttemptParts {
  readonly runtime: Runtime;
  readonly fetch: typeof globalThis.fetch;
  readonly deadline: Deadline;
  readonly request: WireRequest;
}

/** The request on the wire, the same at every attempt. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, serialized once; `undefined` for a GET. */
  readonly body: string | undefined;
}

/**
 * One attempt. It throws only mistakes of a test. It leaves nothing open but what `take` keeps.
 * `take` reads a successful response; an exception of it is a broken connection. Call `unlink` once
 * the call's end must no longer stop anything.
 */
export async function attemptOnce<Answer>(
  parts: AttemptParts,
  take: (response: Response, unlink: () => void) => Promise<Outcome<Answer>>,
): Promise<Outcome<Answer>> {
  const { runtime, deadline } = parts;
  const controller = new AbortController();
  const unlink = deadline.onEnd(() => controller.abort());
  let isAnswered = false;
  try {
    const response = await deadline.race(open(parts, controller.signal));
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      const outcome = await take(response, unlink);
      isAnswered = outcome.kind === 'answered';
      return outcome;
    }
    const body = await readErrorBody(response, deadline);
    if (deadline.ending() !== undefined) return { kind: 'ended' };
    const failure = statusFailure({ status, headers, epochMs: runtime.epochMs(), ...body });
    return { kind: 'failed', failure };
  } catch (error) {
    return afterThrow(parts, error);
  } finally {
    if (!isAnswered) unlink();
  }
}

/** The outcome of an attempt that threw. */
export async function afterThrow(
  { runtime, deadline }: Pick<AttemptParts, 'runtime' | 'deadline'>,
  error: unknown,
): Promise<Outcome<never>> {
  if (deadline.ending() !== undefined) return { kind: 'ended' };
  const meaning = runtime.standsFor?.(error);
  if (meaning === undefined) return { kind: 'failed', failure: networkFailure(error) };
  if (meaning === 'mistake') throw error;
  await deadline.silence();
  return { kind: 'ended' };
}

/** Takes a whole response: a JSON object of the gateway's. */
export async function takeWhole<Answer>(
  { runtime, deadline }: AttemptParts,
  response: Response,
  unlink: () => void,
): Promise<Outcome<Answer>> {
  const { status, headers } = response;
  const text = await readText(response, deadline);
  unlink();
  return classifySuccess({ status, headers, text, epochMs: runtime.epochMs() });
}

async function open(parts: AttemptParts, signal: AbortSignal): Promise<Response> {
  const { fetch, request } = parts;
  const response = await fetch(request.url, {
    method: request.method,
    // A copy: a replaced fetch that changes them must not change later attempts.
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    // A redirect could carry the key to another host.
    redirect: 'manual',
    signal,
  });
  // A fetch that ignores its signal might respond after the call has ended.
  if (signal.aborted) discardBody(response);
  return response;
}

function classifySuccess<Answer>(received: ReceivedAnswer): Outcome<Answer> {
  const body = parseJson(received.text);
  const failed = (what: string): Outcome<never> => ({
    kind: 'failed',
    failure: badResponseFailure(received, what),
  });
  if (!isRecord(body)) return failed('a JSON object');
  if (!isAnswer<Answer>(body)) return failed('a response of the gateway');
  return { kind: 'answered', answer: body, headers: received.headers };
}

/**
 * The one place that takes a body for the contract's type. The gateway has validated it, and a
 * client that checked again would break with every new field. It rejects only non-objects, and an
 * error with a status of success.
 */
export function isAnswer<Answer>(
  body: Readonly<Record<string, unknown>>,
): body is Readonly<Record<string, unknown>> & Answer {
  return Object.keys(body).length > 0 && (body.error ?? undefined) === undefined;
}

/** The body of an error, or the failure to read it: the status is enough to continue. */
async function readErrorBody(
  response: Response,
  deadline: Deadline,
): Promise<{ readonly text: string; readonly cause?: unknown }> {
  if (response.status >= 300 && response.status < 400) {
    discardBody(response);
    return { text: '' };
  }
  try {
    return { text: await readText(response, deadline) };
  } catch (error) {
    return { text: '', cause: error };
  }
}

/** The whole body of a response, as text; canceled when the call ends. */
async function readText(response: Response, deadline: Deadline): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  // Some replaced fetches have Node streams as bodies, which have no reader.
  if (typeof body?.getReader !== 'function') return deadline.race(response.text());
  return readBody(body.getReader(), deadline);
}

/** The text from a body's reader; canceled when the call ends. */
export async function readBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  deadline: Deadline,
): Promise<string> {
  try {
    return await deadline.race(readToEnd(reader));
  } catch (error) {
    giveUp(reader.cancel());
    throw error;
  }
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // Bounded by the deadline, which cancels the reader.
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** Frees the connection of a response whose body is not needed. */
function discardBody(response: Response): void {
  if (typeof response.body?.cancel === 'function') giveUp(response.body.cancel());
}

/** Neither waits for the work nor reports its failure: nothing depends on it. */
export function giveUp(work: Promise<unknown>): void {
  work.catch(() => {
    // An unneeded body that cannot be canceled, for example, changes nothing.
  });
}
