import type { AgentAnswer, Usage } from '@model-gateway/contract';
import { metaOf } from '../call/call-meta.ts';
import type { LlmError } from '../call/llm-error.ts';
import type { AgentRunState } from '../call/run-state.ts';
import { addUsd, isUsd, reachesUsd } from '../lib/usd.ts';
import { noUsage, type RunSettings } from './run-settings.ts';
import type { StopReason, ToolResult } from './run-types.ts';

/** The body of the next turn. */
export function bodyOf({ body }: RunSettings, { messages, turns }: AgentRunState): object {
  return { ...body, messages, ...(turns > 0 && { toolChoice: undefined }) };
}

/** The run after a successful turn. */
export function afterAnswer(state: AgentRunState, answer: AgentAnswer): AgentRunState {
  const { messages, turns, usage, costUsd } = state;
  // The turn includes failed attempts that were billed.
  const usd = metaOf(answer).costUsd;
  return {
    ...state,
    messages: [...messages, answer.message],
    turns: turns + 1,
    usage: addUsage(usage, answer.usage),
    costUsd: costUsd !== null && isUsd(usd) ? addUsd(costUsd, usd) : null,
  };
}

/** A failed turn might have been billed too. */
export function afterFailure(state: AgentRunState, { costUsd: usd }: LlmError): AgentRunState {
  const { costUsd } = state;
  return costUsd === null || usd === undefined
    ? state
    : { ...state, costUsd: addUsd(costUsd, usd) };
}

/** The run with the results of its tools. */
export function afterTools(state: AgentRunState, results: readonly ToolResult[]): AgentRunState {
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

/** The limit that ends the run before its next turn; undefined for none. */
export function limitReached(
  { maxTurns, maxCostUsd }: RunSettings,
  { turns, costUsd }: AgentRunState,
): StopReason | undefined {
  // An unknown cost might be above any limit.
  const isSpent = maxCostUsd !== undefined && (costUsd === null || reachesUsd(costUsd, maxCostUsd));
  if (isSpent) return 'max-cost';
  return turns >= maxTurns ? 'max-turns' : undefined;
}
