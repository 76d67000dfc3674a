import type { PlatformErrorParts } from '../lib/platform-error.ts';
import type { FinishReason, ReportedUsage } from '../model/outcome.ts';
import type { TokenCounts } from '../model/usage.ts';
import type { AnswerParts } from './surface.ts';

export const thinkingSignature = 'c2lnbmVk';

export const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

/** Undefined leaves it out. */
export function messagesUsage(usage: TokenCounts, reported: AnswerParts['reportedUsage']) {
  if (reported === 'absent') return undefined;
  if (reported === undefined) return trueUsage(usage);
  return messagesCounts(reported);
}

export function messagesCounts({ inputTokens, outputTokens }: ReportedUsage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}

/** Input excludes both cached kinds; output includes reasoning. */
function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const { cacheWrite1hInputTokens: hourTokens = 0 } = usage;
  const thinking = { thinking_tokens: usage.reasoningTokens };
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteInputTokens,
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteInputTokens - hourTokens,
      ephemeral_1h_input_tokens: hourTokens,
    },
    output_tokens: outputTokens,
    ...(usage.reasoningTokens > 0 ? { output_tokens_details: thinking } : {}),
    service_tier: 'standard',
  };
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

/** No code, and no type for a 429 that waiting does not cure. */
export function encodeMessagesError(
  { status, type, message }: PlatformErrorParts,
  requestId: string,
): string {
  const known = errorTypes.get(status) ?? (status >= 500 ? 'api_error' : type);
  const errorType = type === 'insufficient_quota' ? type : known;
  return JSON.stringify({
    type: 'error',
    error: { type: errorType, message },
    request_id: requestId,
  });
}
