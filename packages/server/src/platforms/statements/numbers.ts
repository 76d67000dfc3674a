import type { ModalityPart } from '../../domain/rates.ts';
import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

/** In place of the name of a tool, where a count is that of all tools. */
export const allTools = '*';

/** A number of a `usage` that is not a count of its own. */
export interface NumberLine extends Statement {
  /** Below `usage`; items of a list are not in it, and `*` is any name. */
  readonly path: string;
  /**
   * - `free`: it costs nothing, or is a part of a count; so is all that is below it.
   * - `modality`: a part of a count, which costs more where its `modality` is a sound or a picture.
   * - `other-price`: tokens of another price.
   * - `server-tool`: calls of a tool that the platform runs.
   */
  readonly means: 'free' | 'modality' | 'other-price' | 'server-tool';
  /**
   * Of calls of a tool: the word of the tool in prices, or `*` for all tools together. Without it
   * the name without `_requests` or `_calls` is the word.
   */
  readonly tool?: string;
  /** Of tokens that may have their own price: their part. */
  readonly part?: ModalityPart;
  /** Of a modality: what it is a part of. */
  readonly within?: 'input' | 'output';
}

const { anthropic, dashScope, groq, liteLlm, mistral, openAi, openRouter, perplexity } = vendors;
const { responses, sambaNova, vertex, xAi } = vendors;
const free = { means: 'free' } as const;
const otherPrice = { means: 'other-price' } as const;
const serverTool = { means: 'server-tool' } as const;

/** Every such number; each has a case in the tests. */
export const numberLines: readonly NumberLine[] = [
  { path: 'completion_tokens_details.accepted_prediction_tokens', ...free, ...openAi },
  { path: 'prompt_tokens_details.text_tokens', ...free, ...xAi },
  { path: 'prompt_tokens_details.image_tokens', ...free, part: 'imageInput', ...xAi },
  { path: 'completion_tokens_details.text_tokens', ...free, ...dashScope },
  { path: 'input_tokens_details.text_tokens', ...free, ...responses },
  { path: 'input_tokens_details.image_tokens', ...free, part: 'imageInput', ...responses },
  { path: 'output_tokens_details.text_tokens', ...free, ...responses },
  { path: 'prompt_tokens_details.cached_tokens_details.text_tokens', ...free, ...openAi },
  { path: 'queue_time', ...free, ...groq },
  { path: 'prompt_time', ...free, ...groq },
  { path: 'completion_time', ...free, ...groq },
  { path: 'total_time', ...free, ...groq },
  { path: 'start_time', ...free, ...sambaNova },
  { path: 'end_time', ...free, ...sambaNova },
  { path: 'time_to_first_token', ...free, ...sambaNova },
  { path: 'total_latency', ...free, ...sambaNova },
  { path: 'total_tokens_per_sec', ...free, ...sambaNova },
  { path: 'completion_tokens_per_sec', ...free, ...sambaNova },
  { path: 'completion_tokens_after_first_per_sec', ...free, ...sambaNova },
  { path: 'completion_tokens_after_first_per_sec_first_ten', ...free, ...sambaNova },
  { path: 'total_characters', ...free, ...vendors.miniMax },
  { path: 'context_details', ...free, ...xAi },
  { path: 'x_details', ...free, ...dashScope },
  { path: 'cost.*', ...free, ...perplexity },
  { path: 'cost_details.*', ...free, ...openRouter },
  { path: 'cost_usd_input', ...free, ...vendors.llmGateway },
  { path: 'cost_usd_output', ...free, ...vendors.llmGateway },
  { path: 'cost_usd_cached_input', ...free, ...vendors.llmGateway },
  { path: 'cost_usd_request', ...free, ...vendors.llmGateway },
  { path: 'promptTokensDetails.tokenCount', means: 'modality', within: 'input', ...vertex },
  { path: 'cacheTokensDetails.tokenCount', means: 'modality', ...vertex },
  { path: 'candidatesTokensDetails.tokenCount', means: 'modality', within: 'output', ...vertex },
  { path: 'toolUsePromptTokensDetails.tokenCount', means: 'modality', within: 'input', ...vertex },

  { path: 'prompt_tokens_details.audio_tokens', ...otherPrice, part: 'audioInput', ...openAi },
  { path: 'prompt_tokens_details.video_tokens', ...otherPrice, ...openRouter },
  { path: 'prompt_tokens_details.cached_audio_tokens', ...otherPrice, ...liteLlm },
  { path: 'prompt_tokens_details.cached_tokens_details.audio_tokens', ...otherPrice, ...openAi },
  { path: 'completion_tokens_details.audio_tokens', ...otherPrice, part: 'audioOutput', ...openAi },
  {
    path: 'completion_tokens_details.image_tokens',
    ...otherPrice,
    part: 'imageOutput',
    ...openRouter,
  },
  { path: 'completion_tokens_details.rejected_prediction_tokens', ...otherPrice, ...openAi },
  { path: 'input_tokens_details.audio_tokens', ...otherPrice, part: 'audioInput', ...responses },
  { path: 'output_tokens_details.audio_tokens', ...otherPrice, part: 'audioOutput', ...responses },
  { path: 'output_tokens_details.image_tokens', ...otherPrice, part: 'imageOutput', ...responses },
  { path: 'prompt_audio_seconds', ...otherPrice, ...mistral },
  { path: 'citation_tokens', ...otherPrice, ...perplexity },

  { path: 'num_search_queries', ...serverTool, tool: 'web_search', ...perplexity },
  { path: 'server_tool_use.*', ...serverTool, ...anthropic },
  { path: 'num_sources_used', ...serverTool, tool: 'sources', ...xAi },
  { path: 'num_server_side_tools_used', ...serverTool, tool: allTools, ...xAi },
  { path: 'server_side_tool_usage_details.*', ...serverTool, ...xAi },
  { path: 'prompt_tokens_details.web_search_requests', ...serverTool, ...liteLlm },
];
