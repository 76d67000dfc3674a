import type { ModalityPart } from '../../domain/rates.ts';
import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export const allTools = '*';

export interface NumberLine extends Statement {
  /** Below `usage`, list items excluded; `*` is any name. */
  readonly path: string;
  /**
   * `free`: costs nothing or is part of a count, including all below it. `modality`: part of a
   * count, more expensive for sound or pictures. `other-price`: tokens at another price.
   * `server-tool`: calls of the platform's tools.
   */
  readonly means: 'free' | 'modality' | 'other-price' | 'server-tool';
  /**
   * The tool's word in prices; `*` for all tools together. Default: the name without `_requests` or
   * `_calls`.
   */
  readonly tool?: string;
  readonly part?: ModalityPart;
  readonly within?: 'input' | 'output';
}

const { anthropic, dashScope, groq, liteLlm, mistral, openAi, openRouter, perplexity } = vendors;
const { responses, sambaNova, vertex, xAi } = vendors;
const free = { means: 'free' } as const;
const otherPrice = { means: 'other-price' } as const;
const serverTool = { means: 'server-tool' } as const;

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
