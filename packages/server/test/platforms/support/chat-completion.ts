/** A chat completion as OpenAI documents it, with some of its parts replaced. */
export function chatCompletion(parts: {
  readonly content?: string | null;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly finishReason?: string;
  /** Replaces the usage; null and undefined are written as null and left out. */
  readonly usage?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}): Record<string, unknown> {
  const message = {
    role: 'assistant',
    content: parts.content === undefined ? 'Hello there.' : parts.content,
    refusal: null,
    ...(parts.toolCalls === undefined ? {} : { tool_calls: parts.toolCalls.map(toolCallOf) }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: parts.finishReason ?? 'stop' };
  return {
    id: 'chatcmpl-123',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'test-model',
    choices: [choice],
    usage: 'usage' in parts ? parts.usage : documentedUsage,
    ...parts.extra,
  };
}

/** Source: OpenAI's API reference, "The chat completion object". */
export const documentedUsage = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
} as const;

function toolCallOf(
  toolCall: { readonly name: string; readonly arguments: string },
  index: number,
) {
  return { id: `call_${index}`, type: 'function', function: toolCall };
}
