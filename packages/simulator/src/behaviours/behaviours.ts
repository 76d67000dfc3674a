import { hash } from 'node:crypto';
import type { SimulatorModelId, UnlistedModelId } from '../model/models.ts';
import type { Answer, ModelCall, Outcome, RawReply, Rejection } from '../model/outcome.ts';
import { echo, echoText, toolToCall } from './echo.ts';
import {
  denied,
  missing,
  outOfQuota,
  rejected,
  serverError,
  throttled,
  unauthorized,
} from './failures.ts';
import { followInstructions } from './instructions.ts';

type Behaviour = (call: ModelCall) => Outcome;
type Known = SimulatorModelId | UnlistedModelId;

/** Above this, the oldest are removed. */
const bodiesRememberedMax = 10_000;

export function createBehaviours(): ReadonlyMap<string, Behaviour> {
  const behaviours = { ...sound, ...failing, ...spoiled, ...embedding, ...alternating() };
  return new Map(Object.entries(behaviours satisfies Record<Known, Behaviour>));
}

const echoed: Behaviour = (call) => echo(call.request);

const sound = {
  'sim-echo': echoed,
  'sim-unpriced': echoed,
  'sim-messages-only': echoed,
  'sim-responses-only': echoed,
  'sim-openai-only': echoed,
  'sim-v1-only': echoed,
  'sim-openai-v1-only': echoed,
  'sim-reasoning': (call) => ({ ...echo(call.request), reasoningTokens: 64 }),
  'sim-cached': (call) => ({
    ...echo(call.request),
    usage: {
      cachedInputTokens: Math.floor(call.inputTokens / 2),
      cacheWriteInputTokens: Math.floor(call.inputTokens / 4),
    },
  }),
  'sim-slow': (call) => ({ ...echo(call.request), delayMs: 2_000 }),
  'sim-slow-stream': (call) => ({ ...echo(call.request), stream: { gapMs: 100 } }),
  'sim-timeout': (call) => ({ ...echo(call.request), delayMs: 30_000 }),
  'sim-truncated': (call) => ({
    kind: 'answer',
    text: 'more '.repeat(call.outputTokensMax),
  }),
  'sim-told': followInstructions,
  'sim-stop': (call) => stopAt(echoText(call.request), call.request.stop[0] ?? ' '),
  'sim-content-filter': (call) => ({
    kind: 'answer',
    text: echoText(call.request).slice(0, 8),
    finish: 'content-filter',
  }),
} satisfies Record<string, Behaviour>;

const failing = {
  'sim-stuck': () => ({ kind: 'silence' }),
  'sim-throttled': (call) => throttled(call),
  'sim-throttled-hint': (call) => throttled(call, '2'),
  'sim-quota': outOfQuota,
  'sim-down': () => serverError(503, 'service_unavailable'),
  'sim-crash': () => serverError(500, 'internal_error'),
  'sim-overloaded': () => serverError(529, 'overloaded'),
  'sim-gateway-timeout': () => ({
    kind: 'raw',
    status: 504,
    headers: { 'content-type': 'application/json' },
    body: '{"message":"Endpoint request timed out"}',
  }),
  'sim-rejects': rejected,
  'sim-denied': denied,
  'sim-unauthorized': unauthorized,
  'sim-missing': missing,
  'sim-redirect': () => ({
    kind: 'raw',
    status: 302,
    headers: { location: 'https://elsewhere.example/v1/chat/completions' },
  }),
} satisfies Record<string, Behaviour>;

const spoiled = {
  'sim-empty': () => ({ kind: 'answer', text: '' }),
  'sim-bad-json': (call) => insteadOfJson(call, '{"answer": not JSON'),
  'sim-wrong-shape': (call) => insteadOfJson(call, '["an array in place of an object"]'),
  'sim-wrong-tool': (call) => ({
    kind: 'answer',
    toolCalls: [{ name: unofferedName(call), arguments: '{}' }],
  }),
  'sim-no-usage': (call) => ({ ...echo(call.request), reportedUsage: 'absent' }),
  'sim-odd-usage': (call) => echoWithUsage(call, 1.5),
  'sim-usage-string': (call) => echoWithUsage(call, '12'),
  'sim-usage-negative': (call) => echoWithUsage(call, -12),
  'sim-usage-huge': (call) => echoWithUsage(call, 1e300),
  'sim-usage-zero': (call) => ({
    ...echo(call.request),
    usage: { inputTokens: 0, outputTokens: 0 },
  }),
  'sim-html': (call) => ({ ...echo(call.request), fault: htmlPage }),
  'sim-half-json': (call) => ({ ...echo(call.request), fault: 'half' }),
  'sim-empty-body': (call) => ({ ...echo(call.request), fault: { kind: 'raw', status: 200 } }),
  'sim-reset': (call) => ({ ...echo(call.request), fault: 'reset' }),
  'sim-reset-mid-body': (call) => ({ ...echo(call.request), fault: 'reset-mid-body' }),
} satisfies Record<string, Behaviour>;

const embedded = <Made extends Answer | Rejection>(made: Made): Made =>
  made.kind === 'answer' ? { ...made, text: '' } : made;

const embedding = {
  'sim-embed': () => embedded({ kind: 'answer' }),
  'sim-embed-told': (call) => embedded(followInstructions(call)),
  'sim-embed-short': ({ request }) =>
    embedded({ kind: 'answer', vectors: (request.embed?.texts.length ?? 1) - 1 }),
  'sim-embed-no-usage': () => embedded({ kind: 'answer', reportedUsage: 'absent' }),
  'sim-embed-throttled': (call) => throttled(call),
  'sim-embed-crash': () => serverError(500, 'internal_error'),
} satisfies Record<string, Behaviour>;

const htmlPage: RawReply = {
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><h1>It works</h1>',
};

function alternating() {
  const isFirstForFlaky = createAlternation();
  const isFirstForThrottled = createAlternation();
  return {
    'sim-flaky': (call) =>
      isFirstForFlaky(call.bodyText) ? serverError(503, 'service_unavailable') : echo(call.request),
    'sim-throttled-once': (call) =>
      isFirstForThrottled(call.bodyText) ? throttled(call) : echo(call.request),
  } satisfies Record<string, Behaviour>;
}

export function createAlternation(): (text: string) => boolean {
  const seenOnce = new Set<string>();
  return (text) => {
    const key = hash('sha256', text, 'base64');
    if (seenOnce.delete(key)) return false;
    if (seenOnce.size >= bodiesRememberedMax) {
      for (const oldest of seenOnce) {
        seenOnce.delete(oldest);
        break;
      }
    }
    seenOnce.add(key);
    return true;
  };
}

function stopAt(text: string, sequence: string): Answer {
  const index = text.indexOf(sequence);
  const beforeStop = index === -1 ? text : text.slice(0, index);
  return { kind: 'answer', text: beforeStop, finish: 'stop-sequence' };
}

function insteadOfJson(call: ModelCall, text: string): Answer {
  const tool = toolToCall(call.request);
  if (tool === undefined) return { kind: 'answer', text };
  return { kind: 'answer', toolCalls: [{ name: tool.name, arguments: text }] };
}

function unofferedName({ request }: ModelCall): string {
  let name = 'unoffered_tool';
  while (request.tools.some((tool) => tool.name === name)) name += '_';
  return name;
}

function echoWithUsage(call: ModelCall, tokens: number | string): Answer {
  return { ...echo(call.request), reportedUsage: { inputTokens: tokens, outputTokens: tokens } };
}
