import type { ToolCallText } from '../model-request.ts';
import type { FinishReason } from '../outcome.ts';
import type { PlatformErrorParts } from '../platform-error.ts';
import type { TokenCounts } from '../usage.ts';
import { decodeMessagesBody } from './messages-decode.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

/** Anthropic messages, as Anthropic and Bedrock mantle speak them. */
export const messagesSurface: SurfaceWire = {
  surface: 'messages',
  path: '/v1/messages',
  // `anthropic-workspace`, which mantle's documents name, is read by nobody: the project `default`
  // pays then, without a word.
  projectHeader: 'anthropic-workspace-id',
  requestIdHeader: 'request-id',
  requiredHeader: 'anthropic-version',
  decode: decodeMessagesBody,
  encode: encodeMessage,
  encodeError: encodeMessagesError,
};

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

function encodeMessage({ model, produced, statedUsage, nextId }: AnswerParts): string {
  const { text, toolCalls, finish, usage, stopSequence } = produced;
  const thinking = { type: 'thinking', thinking: 'Thinking.', signature: 'c2lnbmVk' };
  return JSON.stringify({
    id: nextId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(usage.reasoningTokens > 0 ? [thinking] : []),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map((toolCall) => encodeToolUse(toolCall, nextId('toolu_'))),
    ],
    stop_reason: stopReasons[finish],
    stop_sequence: stopSequence ?? null,
    usage: statedUsage === undefined ? trueUsage(usage) : oddUsage(statedUsage),
  });
}

/** The wire has the input as JSON: text that is none can only be stated as the text that it is. */
function encodeToolUse({ name, arguments: text }: ToolCallText, id: string) {
  return { type: 'tool_use', id, name, input: jsonOr(text) };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Input leaves out both cached kinds; output includes the thinking. */
function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const thinking = { thinking_tokens: usage.reasoningTokens };
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteInputTokens,
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteInputTokens,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: outputTokens,
    ...(usage.reasoningTokens > 0 ? { output_tokens_details: thinking } : {}),
    service_tier: 'standard',
  };
}

function oddUsage(stated: Exclude<AnswerParts['statedUsage'], undefined>) {
  if (stated === 'absent') return undefined;
  return { input_tokens: stated.inputTokens, output_tokens: stated.outputTokens };
}

/** Anthropic's types of errors by their status. */
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

/** An error as Anthropic words it: no code, and no type for a 429 that waiting does not cure. */
export function encodeMessagesError(
  { status, type, message }: PlatformErrorParts,
  requestId: string,
): string {
  const known = errorTypes.get(status) ?? (status >= 500 ? 'api_error' : type);
  const told = type === 'insufficient_quota' ? type : known;
  return JSON.stringify({
    type: 'error',
    error: { type: told, message },
    request_id: requestId,
  });
}
