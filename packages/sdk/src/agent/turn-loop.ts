import type { AgentAnswer, ToolCall, Usage } from '@model-gateway/contract';
import { beginStreamRound, type Call, type CallParts, makeCall } from '../call.ts';
import { errorOfEnding } from '../call-error.ts';
import { metaOf } from '../call-meta.ts';
import { startDeadline } from '../deadline.ts';
import { attachRun, LlmError } from '../llm-error.ts';
import { createAnswerStream } from '../stream/answer-stream.ts';
import { createStreamCall } from '../stream/stream-call.ts';
import { targetOf } from '../targets.ts';
import { addUsd, isUsd, reachesUsd } from '../usd.ts';
import { noUsage, type RunSettings } from './run-settings.ts';
import type { AgentRunState } from './run-state.ts';
import { pendingCalls, runTools } from './run-tools.ts';
import type { AgentResult, AgentStep, StopReason, ToolResult } from './run-types.ts';

/** A run, one turn at a time. */
export interface TurnLoop {
  /** Makes the next turn, its tools included; `undefined` when the run has ended. */
  next(): Promise<AgentStep | undefined>;
  /** What the run came to, or has come to so far. */
  result(): AgentResult;
  /** Removes the timer and the listener. */
  close(): void;
}

/** Begins a run: the loop of the specification's "once per turn until the agent finishes". */
export function startTurnLoop(parts: CallParts, settings: RunSettings): TurnLoop {
  const { runtime, hub, redactor } = parts;
  const { tools, onStep, onToolCall, runTimeoutMs: timeoutMs } = settings;
  const baseKey = settings.state.idempotencyKey ?? runtime.uuid();
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal: settings.signal });
  const controller = new AbortController();
  deadline.onEnd(() => controller.abort(settings.signal?.reason));
  const { signal } = controller;

  let state: AgentRunState = { ...settings.state, idempotencyKey: baseKey };
  let text = '';
  let stopReason = limitReached(settings, state);
  /** What the last turn's call failed with: anything else that is thrown is the caller's. */
  let callError: LlmError | undefined;

  async function next(): Promise<AgentStep | undefined> {
    if (stopReason !== undefined) return undefined;
    try {
      return await takeTurn();
    } catch (error) {
      throw withRun(error);
    }
  }

  async function takeTurn(): Promise<AgentStep> {
    await execute(pendingCalls(state.messages));
    const answer = await askModel();
    text = answer.text ?? '';
    state = afterAnswer(state, answer);
    const calls = answer.toolCalls ?? [];
    const toolResults = await execute(calls);
    const isDone = answer.done || calls.length === 0;
    stopReason = isDone ? 'done' : limitReached(settings, state);
    const step = { turn: state.turns, answer, toolResults, run: state };
    if (onStep !== undefined) await deadline.race(onStep(step));
    return step;
  }

  async function askModel(): Promise<AgentAnswer> {
    const body = bodyOf(settings, state);
    const idempotencyKey = `${baseKey}:${state.turns + 1}`;
    const options = { ...settings.callOptions, signal, idempotencyKey };
    const isAbortable = settings.signal !== undefined;
    const call = { ...targetOf('runAgent'), body, options, isAbortable };
    const { onText } = settings;
    try {
      if (onText === undefined) return await makeCall<AgentAnswer>(parts, call);
      const tell = (text: string) => deadline.race(onText(text, state.turns + 1));
      return await streamTurn(parts, call, tell);
    } catch (error) {
      if (LlmError.is(error)) {
        state = afterFailure(state, error);
        callError = error;
      }
      throw error;
    }
  }

  async function execute(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const denied = await ask(calls);
    const run = { runtime, hub, tools, signal, turn: state.turns, baseKey, denied };
    const results = await runTools(run, calls);
    // Kept also when the run has ended, so that no tool is executed twice.
    state = afterTools(state, results);
    if (deadline.ending() !== undefined) throw endedError();
    return results;
  }

  /** The calls that the caller denies; it is asked before any of them is executed. */
  async function ask(calls: readonly ToolCall[]): Promise<ReadonlyMap<string, string>> {
    const denied = new Map<string, string>();
    if (onToolCall === undefined) return denied;
    for (const call of calls) {
      const verdict = await deadline.race(onToolCall(call, state.turns));
      const reason = verdict === false ? 'It was denied.' : verdict;
      if (typeof reason === 'string') denied.set(call.id, reason);
    }
    return denied;
  }

  /** `ended` is what the turn's own call has to say of it, if one was made. */
  function endedError(ended: Partial<LlmError> = {}): LlmError {
    const { attempts = 0, idempotencyKey, costUsd, lastError } = ended;
    const details = { attempts, idempotencyKey, costUsd, lastError };
    const late = `the run did not end within runTimeoutMs, ${timeoutMs} ms`;
    return errorOfEnding(redactor, late, { ...details, ending: deadline.ending() });
  }

  function withRun(thrown: unknown): unknown {
    const ofCall = thrown === callError ? callError : undefined;
    if (deadline.ending() !== undefined) return attachRun(endedError(ofCall), state);
    const { idempotencyKey: _, ...rest } = state;
    const isDefinite = ofCall !== undefined && !mayBeCollected(ofCall);
    return attachRun(thrown, isDefinite ? rest : state);
  }

  return {
    next,
    result: () => ({ ...state, text, stopReason: stopReason ?? 'done' }),
    close: () => deadline.close(),
  };
}

function bodyOf({ body }: RunSettings, { messages, turns }: AgentRunState): object {
  const whole = { ...body, messages };
  return turns === 0 ? whole : { ...whole, toolChoice: undefined };
}

function afterAnswer(state: AgentRunState, answer: AgentAnswer): AgentRunState {
  const { messages, turns, usage, costUsd } = state;
  // Attempts that failed and were billed belong to the turn.
  const usd = metaOf(answer).costUsd;
  return {
    ...state,
    messages: [...messages, answer.message],
    turns: turns + 1,
    usage: addUsage(usage, answer.usage),
    costUsd: costUsd !== null && isUsd(usd) ? addUsd(costUsd, usd) : null,
  };
}

/** A turn that failed may have been billed all the same. */
function afterFailure(state: AgentRunState, { costUsd: usd }: LlmError): AgentRunState {
  const { costUsd } = state;
  return costUsd === null || usd === undefined
    ? state
    : { ...state, costUsd: addUsd(costUsd, usd) };
}

function afterTools(state: AgentRunState, results: readonly ToolResult[]): AgentRunState {
  const added = results.map(
    ({ toolCallId, content }) => ({ role: 'tool', toolCallId, content }) as const,
  );
  return { ...state, messages: [...state.messages, ...added] };
}

function addUsage(one: Usage, other: Usage): Usage {
  const sum: { -readonly [Name in keyof Usage]: Usage[Name] } = { ...one };
  let name: keyof Usage;
  for (name in noUsage) sum[name] += other[name];
  return sum;
}

function limitReached(
  { maxTurns, maxCostUsd }: RunSettings,
  { turns, costUsd }: AgentRunState,
): StopReason | undefined {
  // A cost that is not known may be above any limit.
  const isSpent = maxCostUsd !== undefined && (costUsd === null || reachesUsd(costUsd, maxCostUsd));
  if (isSpent) return 'max-cost';
  return turns >= maxTurns ? 'max-turns' : undefined;
}

/**
 * Whether the failed turn may have an answer that its key still collects. After a definite answer
 * of the API the key is bound to this very request, and a changed one needs another.
 */
function mayBeCollected({ status, code }: LlmError): boolean {
  if (code === 'BAD_OUTPUT' || code === 'SERVER') return false;
  return status === 0 || status >= 500 || code === 'BAD_RESPONSE';
}

/**
 * Makes one turn as a stream, and tells each piece of its text. Where the connection breaks the
 * answer is collected, and what was missing of its text is told in one piece.
 */
async function streamTurn(
  parts: CallParts,
  call: Call,
  tell: (text: string) => Promise<unknown>,
): Promise<AgentAnswer> {
  const target = { ...call, path: targetOf('agentStream').path };
  const streamed = createStreamCall<AgentAnswer>(() => ({
    round: beginStreamRound(parts, target),
  }));
  const stream = createAnswerStream(streamed);
  let told = '';
  try {
    for await (const text of stream.text()) {
      told += text;
      await tell(text);
    }
  } catch (error) {
    if (streamed.collector() === undefined) throw error;
  }
  const answer = await stream.final();
  const { text = '' } = answer;
  if (text.length > told.length && text.startsWith(told)) await tell(text.slice(told.length));
  return answer;
}
