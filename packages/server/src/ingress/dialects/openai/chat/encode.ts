import assert from 'node:assert';
import type { DoneCall, Output, RelayedCall } from '../../../../calls/model/result.ts';
import { madeAt } from '../../../../lib/id.ts';
import type { Answer } from '../../../exchange/answer.ts';
import { compatibleHeaders } from '../../compatible/header-names.ts';
import { moneyHeaders } from '../../compatible/money-headers.ts';

export type Completion = Extract<Output, { kind: 'completion' }>;

export function encodeCompletion(result: DoneCall | RelayedCall): Answer {
  const headers = moneyHeaders(result);
  if (result.kind === 'relayed') return { status: 200, body: result.body, headers };
  const { callId, model } = result;
  const { text, toolCalls, carried, finish, finishWord } = completionOf(result);
  if (finishWord !== undefined) headers[compatibleHeaders.finishReason] = finishWord;
  const calls = toolCalls.map(({ id, name, arguments: written }, index) => {
    const called = { name, arguments: written };
    return { id, type: 'function', function: called, ...carried?.calls[index] };
  });
  const assistantMessage = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...carried?.message,
  };
  const message =
    calls.length === 0 ? assistantMessage : { ...assistantMessage, tool_calls: calls };
  const body = {
    id: callId,
    object: 'chat.completion',
    created: secondsOf(callId),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: { ...usageOf(result), ...costIn(result) },
    system_fingerprint: null,
  };
  return { status: 200, body: JSON.stringify(body), headers };
}

export function completionOf({ output }: DoneCall): Completion {
  assert(output.kind === 'completion', 'a completion has no other output');
  return output;
}

/** Derived from the call id: a replay reports the same time. */
export function secondsOf(callId: string): number {
  return Math.floor(madeAt(callId) / 1_000);
}

/** Input includes cached tokens; output includes reasoning. */
export function usageOf({ usage }: DoneCall) {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** Other gateways send the number `cost`, and clients add it up; `cost_usd` is exact text. */
export function costIn({ cost: { usd, estimated } }: DoneCall) {
  const exact = { cost_usd: usd, cost_estimated: estimated };
  return usd === null ? exact : { cost: Number(usd), ...exact };
}
