import type { VirtualRuntime } from './virtual-runtime.ts';

/** An attempt as the server would see it. */
export interface SeenAttempt {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly redirect: string | undefined;
  /** Since the start of the script, in virtual milliseconds. */
  readonly atMs: number;
  readonly signal: AbortSignal;
}

/** The scripted server's behavior for one attempt. */
export type Step = (seen: SeenAttempt, script: ScriptedFetch) => Promise<Response>;

export interface ScriptedFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly seen: SeenAttempt[];
  /** Requests of `runAgent` for runs, which take no step. */
  readonly runs: SeenAttempt[];
  /** The response to them. */
  answerRun: Step;
  /** The number of canceled bodies. */
  cancelledBodies: number;
}

/** A fetch that follows a script, one step an attempt; the last step repeats. */
export function scriptFetch(runtime: VirtualRuntime, steps: readonly Step[]): ScriptedFetch {
  const startMs = runtime.monotonicMs();
  const answerRun = answer(201, { runId: runOfAgent, endedAt: null });
  const script: ScriptedFetch = { fetch, seen: [], runs: [], answerRun, cancelledBodies: 0 };
  async function fetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const attempt = readAttempt(url, init, runtime.monotonicMs() - startMs);
    if (isOfAgent(attempt)) {
      script.runs.push(attempt);
      return script.answerRun(attempt, script);
    }
    const step = steps[Math.min(script.seen.length, steps.length - 1)];
    script.seen.push(attempt);
    if (step === undefined) throw new Error('the script has no step');
    return step(attempt, script);
  }
  return script;
}

/** The service's run for every `runAgent` with a budget. */
export const runOfAgent = 'run_of_agent';

function isOfAgent({ url, headers }: SeenAttempt): boolean {
  const isMade = url.endsWith('/runs') && /:(re)?run\d*$/.test(headers['idempotency-key'] ?? '');
  return isMade || url.endsWith(`/runs/${runOfAgent}`);
}

function readAttempt(url: string | URL | Request, init: RequestInit, atMs: number): SeenAttempt {
  const { body, signal } = init;
  if (!(signal instanceof AbortSignal)) throw new Error('an attempt must have a signal');
  return {
    url: String(url),
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof body === 'string' ? body : undefined,
    redirect: init.redirect,
    atMs,
    signal,
  };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return async () => Response.json(body, { status, headers });
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Step {
  return async () => new Response(body, { status, headers });
}

/** The API's error body. */
export function apiError(status: number, code: string, headers?: Record<string, string>): Step {
  return answer(status, { error: { code, message: `it is ${code}` } }, headers);
}

/** A server that cannot be reached. */
export function refuse(error: unknown = new TypeError('fetch failed')): Step {
  return async () => {
    throw error;
  };
}

/** Never responds; a real fetch ends by its signal, a deaf fetch never ends. */
export function hang({ deaf = false } = {}): Step {
  return (seen) =>
    new Promise((_resolve, reject) => {
      if (!deaf) seen.signal.addEventListener('abort', () => reject(seen.signal.reason));
    });
}

/** Does `step` after `waitMs`, and ignores the signal. */
export function later(runtime: VirtualRuntime, waitMs: number, step: Step): Step {
  return (seen, script) =>
    new Promise((resolve, reject) => {
      runtime.after(waitMs, () => {
        step(seen, script).then(resolve, reject);
      });
    });
}

/** Sends headers and the beginning of a body, then nothing: forever, or until it breaks. */
export function partial(
  status: number,
  beginning: string,
  { breaks = false, headers = {} }: { breaks?: boolean; headers?: Record<string, string> } = {},
): Step {
  return async (_seen, script) => {
    const chunks = beginning === '' ? [] : [new TextEncoder().encode(beginning)];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (breaks) controller.error(new TypeError('terminated'));
      },
      cancel: () => {
        script.cancelledBodies += 1;
      },
    });
    return new Response(body, { status, headers });
  };
}

/** A stream with these events, which then ends, breaks, or stalls. */
export function events(
  list: readonly (readonly [name: string, data: object])[],
  then: 'ends' | 'breaks' | 'is silent' = 'ends',
): Step {
  const text = list.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  if (then !== 'ends') return partial(200, text.join(''), { breaks: then === 'breaks', headers });
  return async () => new Response(text.join(''), { headers });
}
