import type { AgentAnswer, NewRunAnswer, RunAnswer, ToolCall } from '@model-gateway/contract';
import { giveUp } from '../call/attempt.ts';
import { beginStreamRound, type Call, type CallParts, makeCall } from '../call/call.ts';
import { errorOfEnding } from '../call/call-error.ts';
import { startDeadline } from '../call/deadline.ts';
import { attachRun, LlmError } from '../call/llm-error.ts';
import type { AgentRunState } from '../call/run-state.ts';
import type { RunMethods } from '../call/runs.ts';
import { targetOf } from '../call/targets.ts';
import { subtractUsd } from '../lib/usd.ts';
import { createAnswerStream } from '../stream/answer-stream.ts';
import { createStreamCall } from '../stream/stream-call.ts';
import { afterAnswer, afterFailure, afterTools, bodyOf, limitReached } from './run-progress.ts';
import type { RunSettings } from './run-settings.ts';
import { pendingCalls, runTools } from './run-tools.ts';
import type { AgentResult, AgentStep, ToolResult } from './run-types.ts';

/** A run, one turn at a time. */
export interface TurnLoop {
  /** Makes the next turn, tools included; `undefined` when the run has ended. */
  next(): Promise<AgentStep | undefined>;
  /** The result of the run, final or so far. */
  result(): AgentResult;
  /** Removes the timer and the listener. */
  close(): void;
}

/**
 * Begins a run: the loop of the specification's "once per turn until the agent finishes".
 * `isFollowed` where the caller sees its steps.
 */
export function startTurnLoop(
  parts: CallParts,
  settings: RunSettings,
  { createRun, endRun, isFollowed }: ServiceRuns & { readonly isFollowed: boolean },
): TurnLoop {
  const { runtime, hub, redactor } = parts;
  const { tools, onStep, onToolCall, maxCostUsd, runTimeoutMs: timeoutMs } = settings;
  const ownKey = settings.state.idempotencyKey;
  const mayResume = isFollowed || onStep !== undefined || ownKey !== undefined;
  const baseKey = ownKey ?? runtime.uuid();
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal: settings.signal });
  const controller = new AbortController();
  deadline.onEnd(() => controller.abort(settings.signal?.reason));
  const { signal } = controller;
  const callOptions = { ...settings.callOptions, signal };
  const { headers } = callOptions;

  let state: AgentRunState = { ...settings.state, idempotencyKey: baseKey };
  let text = '';
  let stopReason = limitReached(settings, state);
  /** The last call's error: any other exception comes from the caller's code. */
  let callError: LlmError | undefined;
  /** The budget of the service's run, still to be created; not retried where it creates none. */
  let runBudgetUsd = maxCostUsd && !state.runId && subtractUsd(maxCostUsd, state.costUsd ?? '0');

  async function next(): Promise<AgentStep | undefined> {
    if (stopReason !== undefined) return undefined;
    try {
      return await takeTurn();
    } catch (error) {
      throw withRun(error);
    }
  }

  async function takeTurn(): Promise<AgentStep | undefined> {
    await begin('run');
    await execute(pendingCalls(state.messages));
    const answer = await callModel();
    if (answer === undefined) return undefined;
    text = answer.text ?? '';
    state = afterAnswer(state, answer);
    const calls = answer.toolCalls ?? [];
    const toolResults = await execute(calls);
    const isDone = answer.done || calls.length === 0;
    stopReason = isDone ? 'done' : limitReached(settings, state);
    if (stopReason !== undefined) leaveRun();
    const step = { turn: state.turns, answer, toolResults, run: state };
    if (onStep !== undefined) await deadline.race(onStep(step));
    return step;
  }

  /** Makes the service enforce the run budget, where it has runs. */
  async function begin(name: string): Promise<void> {
    if (!runBudgetUsd) return;
    const idempotencyKey = `${baseKey}:${name}${state.turns || ''}`;
    const options = { ...callOptions, idempotencyKey };
    const making = createRun({ maxCostUsd: runBudgetUsd, expiresInMs }, options);
    state = { ...state, runId: await idOfRun(making) };
    runBudgetUsd = undefined;
  }

  /** The model's response; `undefined` where the service's run budget cannot cover one. */
  async function callModel(isAgain?: boolean): Promise<AgentAnswer | undefined> {
    const { runId, turns } = state;
    try {
      return await callModelOnce(turns + 1, runId);
    } catch (error) {
      if (!LlmError.is(error)) throw error;
      state = afterFailure(state, error);
      callError = error;
      // A run budget below the first turn's cost is a mistake, which an error reports best.
      if (error.budgetScope === `run:${runId}` && turns > 0) {
        stopReason = 'max-cost';
        leaveRun();
        state = { ...state, idempotencyKey: undefined };
        return undefined;
      }
      if (error.code !== 'FORBIDDEN' || runId === undefined || isAgain) throw error;
      const { endedAt, remainingUsd } = await end(runId);
      if (endedAt !== null) throw error;
      // The run has expired; the service processed nothing of this turn.
      runBudgetUsd = remainingUsd;
      await begin('rerun');
      return callModel(true);
    }
  }

  async function callModelOnce(turn: number, runId: string | undefined): Promise<AgentAnswer> {
    const body = bodyOf(settings, state);
    const inRun = { ...headers, ...(runId && { 'x-run-id': runId }) };
    const idempotencyKey = `${baseKey}:${turn}`;
    const options = { ...callOptions, headers: inRun, idempotencyKey };
    const isAbortable = settings.signal !== undefined;
    const call = { ...targetOf('runAgent'), body, options, isAbortable };
    const { onText } = settings;
    if (onText === undefined) return makeCall<AgentAnswer>(parts, call);
    return streamTurn(parts, call, (piece) => deadline.race(onText(piece, turn)));
  }

  async function execute(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const denied = await requestApproval(calls);
    const { turns: turn, runId } = state;
    const run = { runtime, hub, tools, signal, turn, baseKey, runId, denied };
    const results = await runTools(run, calls);
    // Stored also when the run has ended: no tool is executed twice.
    state = afterTools(state, results);
    if (deadline.ending() !== undefined) throw endedError();
    return results;
  }

  /** The calls that the caller denies, collected before any of them is executed. */
  async function requestApproval(calls: readonly ToolCall[]): Promise<ReadonlyMap<string, string>> {
    const denied = new Map<string, string>();
    if (onToolCall === undefined) return denied;
    for (const call of calls) {
      const verdict = await deadline.race(onToolCall(call, state.turns));
      const reason = verdict === false ? 'It was denied.' : verdict;
      if (typeof reason === 'string') denied.set(call.id, reason);
    }
    return denied;
  }

  /** `ended` is the error of the turn's own call, if one was made. */
  function endedError(ended: Partial<LlmError> = {}): LlmError {
    const { attempts = 0, idempotencyKey, costUsd, lastError } = ended;
    const details = { attempts, idempotencyKey, costUsd, lastError };
    const timeoutMessage = `the run did not finish within runTimeoutMs (${timeoutMs} ms)`;
    return errorOfEnding(redactor, timeoutMessage, { ...details, ending: deadline.ending() });
  }

  function withRun(thrown: unknown): unknown {
    const ofCall = thrown === callError ? callError : undefined;
    if (deadline.ending() !== undefined) return attachRun(endedError(ofCall), state);
    if (ofCall !== undefined && !mayBeCollected(ofCall)) {
      leaveRun();
      state = { ...state, idempotencyKey: undefined };
    }
    return attachRun(thrown, state);
  }

  function end(runId: string): Promise<RunAnswer> {
    return endRun(runId, { headers, signal, timeoutMs: endTimeoutMs });
  }

  /** Ends the service's run where no caller can resume it; otherwise it expires. */
  function leaveRun(): void {
    const { runId } = state;
    state = { ...state, runId: undefined };
    if (runId !== undefined && !mayResume) giveUp(end(runId));
  }

  return {
    next,
    result: () => ({ ...state, text, stopReason: stopReason ?? 'done' }),
    close: () => deadline.close(),
  };
}

/**
 * Whether the failed turn's key might still collect a response. After a definite error of the API
 * the key is bound to this request, and a changed request needs another.
 */
function mayBeCollected({ status, code }: LlmError): boolean {
  if (code === 'BAD_OUTPUT' || code === 'SERVER') return false;
  return status === 0 || status >= 500 || code === 'BAD_RESPONSE';
}

/**
 * Makes one turn as a stream and forwards each piece of its text. If the connection breaks, it
 * collects the response and forwards the missing text in one piece.
 */
async function streamTurn(
  parts: CallParts,
  call: Call,
  send: (text: string) => Promise<unknown>,
): Promise<AgentAnswer> {
  const target = { ...call, path: targetOf('agentStream').path };
  const streamed = createStreamCall<AgentAnswer>(() => ({
    round: beginStreamRound(parts, target),
  }));
  const stream = createAnswerStream(streamed);
  let sentText = '';
  try {
    for await (const text of stream.text()) {
      sentText += text;
      await send(text);
    }
  } catch (error) {
    if (streamed.collector() === undefined) throw error;
  }
  const answer = await stream.final();
  const { text = '' } = answer;
  if (text !== sentText && text.startsWith(sentText)) await send(text.slice(sentText.length));
  return answer;
}

/** Calls that create and end the run that enforces an agent's budget. */
type ServiceRuns = Pick<RunMethods, 'createRun' | 'endRun'>;

/** A run that its client lost reserves nothing, and expires soon. */
const expiresInMs = 3_600_000;
/** Ending the run must not keep the process alive. */
const endTimeoutMs = 5_000;

/** The run's id; `undefined` where the service has no runs, or rejects this one. */
async function idOfRun(making: Promise<NewRunAnswer>): Promise<string | undefined> {
  try {
    return (await making).runId;
  } catch (error) {
    if (LlmError.is(error) && [400, 403, 404, 501].includes(error.status)) return undefined;
    throw error;
  }
}
