import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export type CountMeaning =
  | 'input'
  /** Outside the other input, such as tokens that tools added. */
  | 'more-input'
  | 'cached'
  /** Uncached input; with the cached input it is the whole. */
  | 'uncached'
  | 'written'
  | 'written-5m'
  | 'written-1h'
  | 'output'
  | 'reasoning'
  | 'total';

export interface CountLine extends Statement {
  /** Below `usage`; excludes list items. */
  readonly path: string;
  readonly means: CountMeaning;
  /**
   * A part is outside a whole in its own family and within any other. `any`: outside every whole,
   * unless a total contradicts this.
   */
  readonly apart?: 'messages' | 'converse' | 'gemini' | 'any';
  /** The lifetime of these cache writes has a separate name. */
  readonly hasLifetime?: true;
}

const messages = { apart: 'messages' } as const;
const converse = { apart: 'converse' } as const;
const gemini = { apart: 'gemini' } as const;
const continueDev = { vendor: 'Continue', source: 'continuedev/continue#8511' };
const kimi = { vendor: 'Moonshot', source: 'Bike4Mind/bike4mind#1089' };
const hasLifetime = { hasLifetime: true } as const;
const { anthropic, bedrock, bifrost, chat, cohere, dashScope, deepSeek, liteLlm } = vendors;
const { newApi, oneHub, openAi, perplexity, responses } = vendors;

export const countLines: readonly CountLine[] = [
  { path: 'prompt_tokens', means: 'input', ...chat },
  { path: 'input_tokens', means: 'input', ...messages, ...anthropic },
  { path: 'inputTokens', means: 'input', ...converse, ...bedrock },
  { path: 'promptTokenCount', means: 'input', ...vendors.gemini },
  { path: 'prompt_token_count', means: 'input', ...vendors.gemini },
  { path: 'billed_units.input_tokens', means: 'input', ...cohere },
  { path: 'tokens.input_tokens', means: 'input', ...cohere },
  { path: 'toolUsePromptTokenCount', means: 'more-input', ...vendors.vertex },
  { path: 'tool_use_prompt_token_count', means: 'more-input', ...vendors.vertex },

  { path: 'prompt_tokens_details.cached_tokens', means: 'cached', ...openAi },
  { path: 'input_tokens_details.cached_tokens', means: 'cached', ...responses },
  { path: 'prompt_cache_hit_tokens', means: 'cached', ...deepSeek },
  { path: 'cached_tokens', means: 'cached', ...kimi },
  { path: 'cache_read_input_tokens', means: 'cached', ...messages, ...anthropic },
  { path: 'prompt_tokens_details.cache_read_input_tokens', means: 'cached', ...liteLlm },
  { path: 'prompt_tokens_details.cached_read_tokens', means: 'cached', ...bifrost },
  { path: 'input_tokens_details.cached_read_tokens', means: 'cached', ...bifrost },
  { path: 'prompt_tokens_details.cache_read_tokens', means: 'cached', ...continueDev },
  { path: 'cached_read_tokens', means: 'cached', ...oneHub },
  { path: 'cacheReadInputTokens', means: 'cached', ...converse, ...bedrock },
  { path: 'cacheReadInputTokenCount', means: 'cached', ...converse, ...bedrock },
  { path: 'cachedContentTokenCount', means: 'cached', ...vendors.gemini },
  { path: 'cached_content_token_count', means: 'cached', ...vendors.gemini },
  { path: 'prompt_cache_miss_tokens', means: 'uncached', ...deepSeek },

  { path: 'prompt_tokens_details.cache_write_tokens', means: 'written', ...openAi },
  { path: 'input_tokens_details.cache_write_tokens', means: 'written', ...responses },
  {
    path: 'cache_creation_input_tokens',
    means: 'written',
    ...hasLifetime,
    ...messages,
    ...anthropic,
  },
  {
    path: 'prompt_tokens_details.cache_creation_tokens',
    means: 'written',
    ...hasLifetime,
    ...liteLlm,
  },
  { path: 'prompt_tokens_details.cache_creation_input_tokens', means: 'written', ...dashScope },
  { path: 'input_tokens_details.cache_creation_input_tokens', means: 'written', ...dashScope },
  { path: 'input_tokens_details.cache_creation_tokens', means: 'written', ...liteLlm },
  { path: 'prompt_tokens_details.cached_creation_tokens', means: 'written', ...newApi },
  { path: 'input_tokens_details.cached_creation_tokens', means: 'written', ...newApi },
  { path: 'prompt_tokens_details.cached_write_tokens', means: 'written', ...bifrost },
  { path: 'input_tokens_details.cached_write_tokens', means: 'written', ...bifrost },
  { path: 'cached_write_tokens', means: 'written', ...oneHub },
  { path: 'cacheWriteInputTokens', means: 'written', ...converse, ...bedrock },
  { path: 'cacheWriteInputTokenCount', means: 'written', ...converse, ...bedrock },
  {
    path: 'cache_creation.ephemeral_5m_input_tokens',
    means: 'written-5m',
    ...messages,
    ...anthropic,
  },
  {
    path: 'cache_creation.ephemeral_1h_input_tokens',
    means: 'written-1h',
    ...messages,
    ...anthropic,
  },
  {
    path: 'prompt_tokens_details.cache_creation.ephemeral_5m_input_tokens',
    means: 'written-5m',
    ...dashScope,
  },
  {
    path: 'prompt_tokens_details.cache_creation.ephemeral_1h_input_tokens',
    means: 'written-1h',
    ...dashScope,
  },
  {
    path: 'prompt_tokens_details.cache_creation_token_details.ephemeral_5m_input_tokens',
    means: 'written-5m',
    ...liteLlm,
  },
  {
    path: 'prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens',
    means: 'written-1h',
    ...liteLlm,
  },
  { path: 'claude_cache_creation_5_m_tokens', means: 'written-5m', ...messages, ...newApi },
  { path: 'claude_cache_creation_1_h_tokens', means: 'written-1h', ...messages, ...newApi },

  { path: 'completion_tokens', means: 'output', ...chat },
  { path: 'output_tokens', means: 'output', ...anthropic },
  { path: 'outputTokens', means: 'output', ...bedrock },
  { path: 'candidatesTokenCount', means: 'output', ...gemini, ...vendors.gemini },
  { path: 'candidates_token_count', means: 'output', ...gemini, ...vendors.gemini },
  { path: 'responseTokenCount', means: 'output', ...gemini, ...vendors.vertex },
  { path: 'billed_units.output_tokens', means: 'output', ...cohere },
  { path: 'tokens.output_tokens', means: 'output', ...cohere },

  { path: 'completion_tokens_details.reasoning_tokens', means: 'reasoning', ...openAi },
  { path: 'output_tokens_details.reasoning_tokens', means: 'reasoning', ...responses },
  { path: 'output_tokens_details.thinking_tokens', means: 'reasoning', ...anthropic },
  { path: 'reasoning_tokens', means: 'reasoning', apart: 'any', ...perplexity },
  { path: 'thoughtsTokenCount', means: 'reasoning', ...gemini, ...vendors.gemini },
  { path: 'thoughts_token_count', means: 'reasoning', ...gemini, ...vendors.gemini },

  { path: 'total_tokens', means: 'total', ...chat },
  { path: 'totalTokens', means: 'total', ...bedrock },
  { path: 'totalTokenCount', means: 'total', ...vendors.gemini },
  { path: 'total_token_count', means: 'total', ...vendors.gemini },
];
