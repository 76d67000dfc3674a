import { createUsageReader } from '../../../src/platforms/evidence/read-usage.ts';
import { usageLines } from '../../../src/platforms/evidence/usage-tree.ts';
import { type NumberLine, numberLines } from '../../../src/platforms/statements/numbers.ts';
import { type Cases, doubtsIn, nested, testRemoval } from './removal.ts';

type Json = Readonly<Record<string, unknown>>;

const free = (path: string, value: unknown = 7): [Json, unknown] => [nested(path, value), []];
const priced = (path: string): [Json, unknown] => [nested(path, 7), [`other-price usage.${path}`]];
const tool = (path: string): [Json, unknown] => [nested(path, 7), [`server-tool usage.${path}`]];
const ofText = (path: string): [Json, unknown] => [
  nested(path, [{ modality: 'TEXT', tokenCount: 7 }]),
  [],
];

const cases: Cases<Json> = {
  'completion_tokens_details.accepted_prediction_tokens': free(
    'completion_tokens_details.accepted_prediction_tokens',
  ),
  'prompt_tokens_details.text_tokens': free('prompt_tokens_details.text_tokens'),
  'prompt_tokens_details.image_tokens': free('prompt_tokens_details.image_tokens'),
  'completion_tokens_details.text_tokens': free('completion_tokens_details.text_tokens'),
  'input_tokens_details.text_tokens': free('input_tokens_details.text_tokens'),
  'input_tokens_details.image_tokens': free('input_tokens_details.image_tokens'),
  'output_tokens_details.text_tokens': free('output_tokens_details.text_tokens'),
  'prompt_tokens_details.cached_tokens_details.text_tokens': free(
    'prompt_tokens_details.cached_tokens_details.text_tokens',
  ),
  queue_time: free('queue_time'),
  prompt_time: free('prompt_time'),
  completion_time: free('completion_time'),
  total_time: free('total_time'),
  start_time: free('start_time'),
  end_time: free('end_time'),
  time_to_first_token: free('time_to_first_token'),
  total_latency: free('total_latency'),
  total_tokens_per_sec: free('total_tokens_per_sec'),
  completion_tokens_per_sec: free('completion_tokens_per_sec'),
  completion_tokens_after_first_per_sec: free('completion_tokens_after_first_per_sec'),
  completion_tokens_after_first_per_sec_first_ten: free(
    'completion_tokens_after_first_per_sec_first_ten',
  ),
  total_characters: free('total_characters'),
  context_details: free('context_details', { input_tokens: 7 }),
  x_details: free('x_details', [{ input_tokens: 7 }]),
  'cost.*': [{ cost: { request_cost: 0.006, total_cost: 0.007 } }, []],
  'cost_details.*': free('cost_details.upstream_inference_prompt_cost', 0.006),
  cost_usd_input: free('cost_usd_input', 0.006),
  cost_usd_output: free('cost_usd_output', 0.006),
  cost_usd_cached_input: free('cost_usd_cached_input', 0.006),
  cost_usd_request: free('cost_usd_request', 0.006),
  'promptTokensDetails.tokenCount': ofText('promptTokensDetails'),
  'cacheTokensDetails.tokenCount': ofText('cacheTokensDetails'),
  'candidatesTokensDetails.tokenCount': ofText('candidatesTokensDetails'),
  'toolUsePromptTokensDetails.tokenCount': ofText('toolUsePromptTokensDetails'),

  'prompt_tokens_details.audio_tokens': priced('prompt_tokens_details.audio_tokens'),
  'prompt_tokens_details.video_tokens': priced('prompt_tokens_details.video_tokens'),
  'prompt_tokens_details.cached_audio_tokens': priced('prompt_tokens_details.cached_audio_tokens'),
  'prompt_tokens_details.cached_tokens_details.audio_tokens': priced(
    'prompt_tokens_details.cached_tokens_details.audio_tokens',
  ),
  'completion_tokens_details.audio_tokens': priced('completion_tokens_details.audio_tokens'),
  'completion_tokens_details.image_tokens': priced('completion_tokens_details.image_tokens'),
  'completion_tokens_details.rejected_prediction_tokens': priced(
    'completion_tokens_details.rejected_prediction_tokens',
  ),
  'input_tokens_details.audio_tokens': priced('input_tokens_details.audio_tokens'),
  'output_tokens_details.audio_tokens': priced('output_tokens_details.audio_tokens'),
  'output_tokens_details.image_tokens': priced('output_tokens_details.image_tokens'),
  prompt_audio_seconds: priced('prompt_audio_seconds'),
  citation_tokens: priced('citation_tokens'),

  num_search_queries: tool('num_search_queries'),
  'server_tool_use.*': tool('server_tool_use.web_search_requests'),
  num_sources_used: tool('num_sources_used'),
  num_server_side_tools_used: tool('num_server_side_tools_used'),
  'server_side_tool_usage_details.*': tool('server_side_tool_usage_details.x_search_calls'),
  'prompt_tokens_details.web_search_requests': tool('prompt_tokens_details.web_search_requests'),
};

testRemoval<NumberLine, Json>({
  lines: numberLines,
  nameOf: ({ path }) => path,
  cases,
  read: (numbers, usage) =>
    doubtsIn(createUsageReader({ ...usageLines, numbers }).readUsage({ usage })),
});
