import type { AgentAnswer, CallRequest, ToolCall, ToolChoice } from '@model-gateway/contract';
import type { CallOptions } from '../call/options.ts';
import type { AgentRunState } from '../call/run-state.ts';
import type { AgentTool } from './tool.ts';

export type { AgentRunState } from '../call/run-state.ts';

/** What `runAgent` takes. */
export interface AgentRunRequest extends CallRequest {
  /** 1–128 tools, each made by `tool`. */
  readonly tools: readonly AgentTool[];
  /** For the first turn only; a later one that had to use a tool could never finish. */
  readonly toolChoice?: ToolChoice | undefined;
  /** The most turns of the whole run. Default 10. */
  readonly maxTurns?: number | undefined;
  /**
   * The most that the run may cost, in USD; best a decimal text, such as `"0.05"`. Where the
   * service has runs, it is held to it: the run ends before a turn that could pass it, and so does
   * what its tools call with `context.runId`. Elsewhere no turn is begun once the run has cost this
   * much, so that the last may pass it. With a model without a price the run ends after one turn.
   */
  readonly maxCostUsd?: string | number | undefined;
}

/** How `runAgent` does it; `timeoutMs` and `maxAttempts` are those of each turn's call. */
export interface AgentRunOptions extends CallOptions {
  /**
   * Called after each turn, when its tools have ended. It is waited for, so it can save the run
   * before more money is spent; what it throws ends the run and is thrown from it as it is.
   */
  readonly onStep?: ((step: AgentStep) => unknown) | undefined;
  /**
   * Called with each piece of the model's text as it comes, and the number of the turn. It is
   * waited for; what it throws ends the run. With it the turns stream: a run that goes on from
   * `error.run` must have it as well, or not, as the first had.
   */
  readonly onText?: ((text: string, turn: number) => unknown) | undefined;
  /**
   * Asked before tools are executed, of each call of a turn, one after the other; a promise is
   * waited for. `false` or a text denies it: the model is told that, or the text. What it throws
   * ends the run before any of these tools: a run that goes on from `error.run` asks again.
   */
  readonly onToolCall?: ((call: ToolCall, turn: number) => unknown) | undefined;
  /** The time for the whole run, tools included, in milliseconds. Default: no limit. */
  readonly runTimeoutMs?: number | undefined;
  /**
   * A run to go on with, such as `error.run`: its messages take the place of the request's, tools
   * that it still owes an answer are executed first, and its turns, usage and cost count on.
   */
  readonly resume?: AgentRunState | undefined;
}

/** One turn: what the model answered, and what its tools gave. */
export interface AgentStep {
  /** The number of the turn; the first is 1. */
  readonly turn: number;
  readonly answer: AgentAnswer;
  /** In the order of the model's tool calls. */
  readonly toolResults: readonly ToolResult[];
  /** The run up to here, this turn included. */
  readonly run: AgentRunState;
}

/** What the model is told of one of its tool calls. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly name: string;
  /** What is sent to the model. */
  readonly content: string;
  /** Why the tool failed; absent when it did not. The model sees `content` alone. */
  readonly error?: unknown;
}

/** Why a run ended: the model asked for no more tools, or a limit of the request. */
export type StopReason = 'done' | 'max-turns' | 'max-cost';

/** What a run came to. */
export interface AgentResult extends AgentRunState {
  /** What the model wrote in the last turn; empty when it wrote nothing. */
  readonly text: string;
  /** Why it ended: see {@link StopReason}. */
  readonly stopReason: StopReason;
}
