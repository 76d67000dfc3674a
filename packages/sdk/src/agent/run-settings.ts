import type { CallRequest, Usage } from '@model-gateway/contract';
import { type CallOptions, callNames, checkCallOptions, type Settings } from '../call/options.ts';
import type { AgentRunState } from '../call/run-state.ts';
import { checkCount, checkFunction, checkNames, checkTimer } from '../lib/check-option.ts';
import { checkIdempotencyKey } from '../lib/checks.ts';
import { baseKeyCharactersMax, maxTurnsDefault } from '../lib/limits.ts';
import { isUsd } from '../lib/usd.ts';
import type { AgentRunOptions, AgentRunRequest } from './run-types.ts';
import { checkTools, type ToolInside } from './tool.ts';

/** A run's request and options, checked, with their defaults. */
export interface RunSettings extends Omit<AgentRunOptions, 'resume'> {
  /** The body of every turn, without the messages. */
  readonly body: Omit<CallRequest, 'messages'>;
  readonly tools: ReadonlyMap<string, ToolInside>;
  readonly maxTurns: number;
  readonly maxCostUsd: string | undefined;
  /** The options of each turn's call. */
  readonly callOptions: CallOptions;
  /** The state at the start of the run. */
  readonly state: AgentRunState;
}

const owner = 'runAgent';
const runNames = [...callNames, 'onStep', 'onText', 'onToolCall', 'runTimeoutMs', 'resume'];

/** Checks the arguments of `runAgent`; throws a TypeError that names the correction. */
export function checkRun(
  settings: Settings,
  request: AgentRunRequest,
  options: AgentRunOptions,
): RunSettings {
  checkNames(owner, options, runNames);
  const { maxTurns: value = maxTurnsDefault, maxCostUsd, ...body } = request;
  const { onStep, onText, onToolCall, runTimeoutMs, resume, ...callOptions } = options;
  const hint = `. Omit it for the default of ${maxTurnsDefault}`;
  const maxTurns = checkCount(owner, 'maxTurns', value, hint);
  checkFunction(owner, 'onStep', onStep, ' that takes one step');
  checkFunction(owner, 'onText', onText, ' that takes a text and a turn');
  checkFunction(owner, 'onToolCall', onToolCall, ' that takes a call and a turn');
  // The turns check these too, but tools may be executed before the first turn.
  const checked = checkCallOptions({ owner, options: callOptions, costsMoney: true, settings });
  const from = resume === undefined ? beginOf(request) : checkResume(resume);
  if (runTimeoutMs !== undefined) checkTimer(owner, 'runTimeoutMs', runTimeoutMs, 'no limit');
  return {
    ...options,
    body,
    tools: checkTools(owner, request.tools),
    maxTurns,
    maxCostUsd: maxCostUsd === undefined ? undefined : checkMaxCostUsd(maxCostUsd),
    callOptions,
    state: { ...from, idempotencyKey: checkBaseKey(checked.idempotencyKey ?? from.idempotencyKey) },
  };
}

function beginOf({ messages }: AgentRunRequest): AgentRunState {
  if (!Array.isArray(messages)) {
    throw new TypeError(`${owner}: messages must be a list with at least one message`);
  }
  return { messages, turns: 0, usage: noUsage, costUsd: '0' };
}

/** The usage before the first turn. */
export const noUsage: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

function checkResume(resume: AgentRunState): AgentRunState {
  const { messages, turns, usage, costUsd, idempotencyKey, runId } = Object(resume);
  const isState =
    Array.isArray(messages) &&
    Number.isSafeInteger(turns) &&
    typeof usage === 'object' &&
    (costUsd === null || isUsd(costUsd));
  if (!isState) {
    throw new TypeError(
      `${owner}: resume must be the run of an LlmError or a step, such as error.run`,
    );
  }
  return { messages, turns, usage, costUsd, idempotencyKey, runId };
}

/** Each turn appends its number, so the key must be shorter than the key of one call. */
function checkBaseKey(value: unknown): string | undefined {
  const key = value === undefined ? value : checkIdempotencyKey(owner, value);
  if (key === undefined || key.length <= baseKeyCharactersMax) return key;
  throw new TypeError(
    `${owner}: idempotencyKey must have at most ${baseKeyCharactersMax} characters`,
  );
}

function checkMaxCostUsd(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (isUsd(text) && /[1-9]/.test(text)) return text;
  throw new TypeError(`${owner}: maxCostUsd must be a decimal string above 0, such as "0.05"`);
}
