import type { AgentAnswer, CallRequest, ToolCall, ToolChoice } from '@model-gateway/contract';
import type { CallOptions } from '../call/options.ts';
import type { AgentRunState } from '../call/run-state.ts';
import type { AgentTool } from './tool.ts';

export type { AgentRunState } from '../call/run-state.ts';

/** The request of `runAgent`. */
export interface AgentRunRequest extends CallRequest {
  /** 1–128 tools, each made by `tool`. */
  readonly tools: readonly AgentTool[];
  /** For the first turn only; a later turn that must use a tool could never finish. */
  readonly toolChoice?: ToolChoice | undefined;
  /** The maximum number of turns of the whole run. Default 10. */
  readonly maxTurns?: number | undefined;
  /**
   * The run's budget in USD; preferably a decimal text, such as `"0.05"`. A service with runs
   * enforces it: the run ends before a turn that could exceed it, and so do calls of its tools with
   * `context.runId`. Elsewhere no turn begins once the run has cost this much; the last turn may
   * exceed it. With a model without a price the run ends after one turn.
   */
  readonly maxCostUsd?: string | number | undefined;
}

/** Options of `runAgent`; `timeoutMs` and `maxAttempts` apply to each turn's call. */
export interface AgentRunOptions extends CallOptions {
  /**
   * Called after each turn, when its tools have ended. The run waits for it, so it can save the run
   * before more money is spent. An exception ends the run, which rejects with it unchanged.
   */
  readonly onStep?: ((step: AgentStep) => unknown) | undefined;
  /**
   * Called with each piece of the model's text and the number of the turn. The run waits for it; an
   * exception ends the run. With it the turns stream: a resumed run must have it if the first run
   * had it, and must not otherwise.
   */
  readonly onText?: ((text: string, turn: number) => unknown) | undefined;
  /**
   * Called before tools are executed, for each call of a turn in order; a promise is awaited.
   * `false` or a text denies the call, and the model gets a standard text or that text. An
   * exception ends the run before any of these tools: a resumed run calls it again.
   */
  readonly onToolCall?: ((call: ToolCall, turn: number) => unknown) | undefined;
  /** The time limit of the whole run, tools included, in milliseconds. Default: no limit. */
  readonly runTimeoutMs?: number | undefined;
  /**
   * A run to resume, such as `error.run`: its messages replace the request's. Pending tool calls
   * are executed first, and its turns, usage and cost count.
   */
  readonly resume?: AgentRunState | undefined;
}

/** One turn: the model's response and the results of its tools. */
export interface AgentStep {
  /** The number of the turn; the first is 1. */
  readonly turn: number;
  readonly answer: AgentAnswer;
  /** In the order of the model's tool calls. */
  readonly toolResults: readonly ToolResult[];
  /** The run so far, this turn included. */
  readonly run: AgentRunState;
}

/** The result of a tool call, as the model gets it. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly name: string;
  /** The text that is sent to the model. */
  readonly content: string;
  /** Why the tool failed; absent after success. The model sees only `content`. */
  readonly error?: unknown;
}

/** Why a run ended: the model called no more tools, or a limit of the request. */
export type StopReason = 'done' | 'max-turns' | 'max-cost';

/** The result of a run. */
export interface AgentResult extends AgentRunState {
  /** The model's text of the last turn; empty without text. */
  readonly text: string;
  /** Why it ended: see {@link StopReason}. */
  readonly stopReason: StopReason;
}
