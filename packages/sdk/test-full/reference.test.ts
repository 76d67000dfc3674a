import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LlmError } from '../src/call/llm-error.ts';
import { createClientWith } from '../src/client/client.ts';
import { type Expectation, expectationOf } from '../test/reference/machine.ts';
import { epochMs, type Script, type ServerTurn, scripts } from '../test/reference/script.ts';
import { apiKey, chatRequest } from '../test/scripted-client.ts';
import { type SeenAttempt, scriptFetch } from '../test/scripted-fetch.ts';
import {
  createVirtualRuntime,
  startEpochMs,
  type VirtualRuntime,
} from '../test/virtual-runtime.ts';

const scriptsRun = 10_000;

test(`${scriptsRun} random server scripts: the client behaves like the reference`, async () => {
  expect(startEpochMs).toBe(epochMs);
  const seen: Record<string, number> = {};
  const property = fc.asyncProperty(scripts, async (script) => {
    const expected = expectationOf(script);
    seen[expected.code] = (seen[expected.code] ?? 0) + 1;
    expect(await play(script)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: scriptsRun, seed: 20_261_121 });
  // The number of scripts is useful only if they reach everything.
  for (const code of ['ok', 'TIMEOUT', 'ABORTED', 'NETWORK', 'BAD_RESPONSE', 'HTTP_302']) {
    expect(seen[code]).toBeGreaterThan(50);
  }
});

/** Plays a script with the client on the virtual clock. */
async function play(script: Script): Promise<Expectation> {
  const draws = [...script.eighths];
  const runtime = createVirtualRuntime(() => (draws.shift() ?? 0) / 8);
  const startMs = runtime.monotonicMs();
  const stops: (() => void)[] = [];
  const steps = script.turns.map((turn) => (attempt: SeenAttempt) => {
    return answerTurn(runtime, { turn, attempt, stops });
  });
  const { fetch, seen } = scriptFetch(runtime, steps);
  const controller = new AbortController();
  const { abortMs, timeoutMs, maxAttempts } = script;
  const stopAbort =
    abortMs === undefined ? undefined : runtime.after(abortMs, () => controller.abort());

  const baseUrl = 'https://gateway.test/v1';
  const client = createClientWith(runtime, { baseUrl, apiKey, fetch });
  const waitsMs: number[] = [];
  const settled = await runtime.settle(
    client.chat(chatRequest, {
      timeoutMs,
      maxAttempts,
      signal: controller.signal,
      onRetry: ({ waitMs }) => waitsMs.push(waitMs),
    }),
  );
  const totalMs = runtime.monotonicMs() - startMs;
  stopAbort?.();
  for (const stop of stops) stop();
  expect(runtime.timers()).toBe(0);

  const times = { waitsMs, totalMs };
  if (settled.kind === 'answer') {
    const status = script.turns[Math.min(seen.length, script.turns.length) - 1]?.status ?? 0;
    return { ...times, status, code: 'ok', attempts: seen.length, retryAfterMs: undefined };
  }
  const { error } = settled;
  if (!LlmError.is(error)) throw error;
  expect(error.attempts).toBe(seen.length);
  const { status, code, attempts, retryAfterMs } = error;
  return { ...times, status, code, attempts, retryAfterMs };
}

interface Playing {
  readonly turn: ServerTurn;
  readonly attempt: SeenAttempt;
  /** Stop whatever an abandoned server would still do. */
  readonly stops: (() => void)[];
}

function answerTurn(runtime: VirtualRuntime, playing: Playing): Promise<Response> {
  const { turn, attempt, stops } = playing;
  return new Promise((resolve, reject) => {
    if (!turn.isDeaf) attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason));
    if (turn.head === 'hangs') return;
    const open = () => {
      if (turn.head === 'refuses') reject(new TypeError('fetch failed'));
      else resolve(respond(runtime, playing));
    };
    if (turn.headMs === 0) open();
    else stops.push(runtime.after(turn.headMs, open));
  });
}

function respond(runtime: VirtualRuntime, { turn, stops }: Playing): Response {
  const { status, retryAfter, shouldRetry, chunks, chunkMs, end } = turn;
  const bytes = new TextEncoder().encode(textOf(turn));
  const size = Math.ceil(bytes.length / chunks);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let chunk = 0; chunk < chunks; chunk++) {
        const send = () => {
          controller.enqueue(bytes.subarray(chunk * size, (chunk + 1) * size));
          if (chunk < chunks - 1) return;
          if (end === 'complete') controller.close();
          if (end === 'reset') controller.error(new TypeError('terminated'));
        };
        if (chunkMs === 0) send();
        else stops.push(runtime.after((chunk + 1) * chunkMs, send));
      }
    },
    cancel: () => {
      for (const stop of stops) stop();
    },
  });
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set('retry-after', retryAfter.header);
  if (shouldRetry !== undefined) headers.set('x-should-retry', shouldRetry);
  return new Response(body, { status, headers });
}

function textOf({ body, code }: ServerTurn): string {
  const texts = {
    answer: '{"id":"call-1","text":"größer 🎈"}',
    'api-error': JSON.stringify({ error: { code, message: 'a sentence' } }),
    'no-code': '{"error":{}}',
    message: '{"message":"Some words"}',
    limit: '{"message":"Limit Exceeded"}',
    html: '<h1>Away</h1>',
    empty: '',
  };
  return texts[body];
}
