import { openaiErrorBody } from '../platform-error.ts';
import type { Produced } from '../produce.ts';
import type { TokenCounts } from '../usage.ts';
import { decodeResponses } from './responses-decode.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

/** OpenAI responses, as Bedrock mantle speaks them: one answer, nothing kept between two. */
export const responsesSurface: SurfaceWire = {
  surface: 'responses',
  path: '/v1/responses',
  projectHeader: 'openai-project',
  decode: decodeResponses,
  encode: encodeResponse,
  encodeError: openaiErrorBody,
};

function encodeResponse(answer: AnswerParts): string {
  const { model, produced, statedUsage, createdAtSeconds, nextId } = answer;
  const reason = incompleteReason(produced);
  return JSON.stringify({
    id: nextId('resp_'),
    object: 'response',
    created_at: createdAtSeconds,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    model,
    output: encodeOutput(produced, nextId),
    previous_response_id: null,
    usage: statedUsage === undefined ? trueUsage(produced.usage) : oddUsage(statedUsage),
  });
}

/** The wire has no word for a stop: a whole answer is `completed`. */
function incompleteReason({ finish }: Produced): string | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'content-filter' ? 'content_filter' : undefined;
}

function encodeOutput(produced: Produced, nextId: AnswerParts['nextId']): readonly unknown[] {
  const { text, toolCalls, finish, usage } = produced;
  const status = incompleteReason(produced) === undefined ? 'completed' : 'incomplete';
  const output: unknown[] = [];
  if (usage.reasoningTokens > 0) {
    output.push({ id: nextId('rs_'), type: 'reasoning', summary: [] });
  }
  // Reasoning that used up the maximum leaves no message at all.
  if (text !== '' || (toolCalls.length === 0 && finish !== 'length')) {
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const message = { id: nextId('msg_'), type: 'message', status, role: 'assistant' };
    output.push({ ...message, content: [part] });
  }
  for (const toolCall of toolCalls) {
    const ids = { id: nextId('fc_'), type: 'function_call', status, call_id: nextId('call_') };
    output.push({ ...ids, name: toolCall.name, arguments: toolCall.arguments });
  }
  return output;
}

function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const cached = { cached_tokens: cachedInputTokens };
  const written = { cache_write_tokens: cacheWriteInputTokens };
  return {
    input_tokens: inputTokens,
    input_tokens_details: cacheWriteInputTokens > 0 ? { ...cached, ...written } : cached,
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function oddUsage(stated: Exclude<AnswerParts['statedUsage'], undefined>) {
  if (stated === 'absent') return undefined;
  return { input_tokens: stated.inputTokens, output_tokens: stated.outputTokens };
}
