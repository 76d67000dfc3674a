import type { AgentAnswer, ToolCall, Usage } from '@model-gateway/contract';
import { type CallParts, makeCall } from '../call.ts';
import { startDeadline } from '../deadline.ts';
import { attachRun, LlmError } from '../llm-error.ts';
import type { RunSettings } from './run-settings.ts';
import { pendingCalls, runTools } from './run-tools.ts';
import type { AgentResult, AgentRunState, AgentStep, StopReason, ToolResult } from './run-types.ts';
import { addUsd, isUsd, reachesUsd } from './usd.ts';

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
  const { tools, onStep, runTimeoutMs: timeoutMs } = settings;
  const baseKey = settings.state.idempotencyKey ?? runtime.uuid();
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal: settings.signal });
  const controller = new AbortController();
  deadline.onEnd(() => controller.abort(settings.signal?.reason));
  const { signal } = controller;

  let state: AgentRunState = { ...settings.state, idempotencyKey: baseKey };
  let text = '';
  let stopReason = limitReached(settings, state);

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
    const answer = await makeCall<AgentAnswer>(parts, {
      owner: 'runAgent',
      path: '/agents/run',
      body: bodyOf(settings, state),
      options: {
        ...settings.callOptions,
        signal,
        idempotencyKey: `${baseKey}:${state.turns + 1}`,
      },
    });
    text = answer.text ?? '';
    state = afterAnswer(state, answer);
    const calls = answer.toolCalls ?? [];
    const toolResults = await execute(calls);
    const isDone = answer.done || calls.length === 0;
    stopReason = isDone ? 'done' : limitReached(settings, state);
    const step = { turn: state.turns, answer, toolResults, run: state };
    if (onStep !== undefined) await deadline.race(Promise.resolve(onStep(step)));
    return step;
  }

  async function execute(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const results = await runTools({ runtime, hub, tools, signal }, calls);
    // Kept also when the run has ended, so that no tool is executed twice.
    state = afterTools(state, results);
    if (deadline.ending() !== undefined) throw endedError();
    return results;
  }

  function endedError(details: { attempts?: number; idempotencyKey?: string } = {}): LlmError {
    const { attempts = 0, idempotencyKey } = details;
    const fields = { status: 0, attempts, idempotencyKey };
    const ending = deadline.ending();
    if (ending?.kind === 'aborted') {
      const cause = redactor.cause(ending.reason);
      return new LlmError({ ...fields, code: 'ABORTED', message: 'the caller aborted it', cause });
    }
    const message = `the run did not end within runTimeoutMs, ${timeoutMs} ms`;
    return new LlmError({ ...fields, code: 'TIMEOUT', message });
  }

  function withRun(thrown: unknown): unknown {
    if (deadline.ending() !== undefined) {
      return attachRun(endedError(LlmError.is(thrown) ? thrown : {}), state);
    }
    if (!LlmError.is(thrown)) return thrown;
    const { idempotencyKey: _, ...rest } = state;
    return attachRun(thrown, mayBeCollected(thrown) ? state : rest);
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
  const usd = answer.cost?.usd;
  return {
    ...state,
    messages: [...messages, answer.message],
    turns: turns + 1,
    usage: addUsage(usage, answer.usage),
    costUsd: costUsd !== null && isUsd(usd) ? addUsd(costUsd, usd) : null,
  };
}

function afterTools(state: AgentRunState, results: readonly ToolResult[]): AgentRunState {
  const added = results.map(
    ({ toolCallId, content }) => ({ role: 'tool', toolCallId, content }) as const,
  );
  return { ...state, messages: [...state.messages, ...added] };
}

function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    cacheWriteInputTokens: one.cacheWriteInputTokens + other.cacheWriteInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  };
}

function limitReached(
  { maxTurns, maxCostUsd }: RunSettings,
  { turns, costUsd }: AgentRunState,
): StopReason | undefined {
  // A cost that nobody knows may be above any limit.
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
