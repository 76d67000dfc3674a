import type { Statement } from './statement.ts';

export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

export interface FinishReasonLine extends Statement {
  /** Lower case, with `_` between its parts. */
  readonly word: string;
  readonly finish: Exclude<Finish, 'other'>;
}

/** `other` for an unlisted word. */
export type ReadFinish = (raw: string | undefined) => Finish;

const openAi = 'https://platform.openai.com/docs/api-reference/chat/object';
const openAiResponses = 'https://platform.openai.com/docs/api-reference/responses/object';
const anthropic = 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons';
const gemini = 'https://ai.google.dev/api/generate-content#FinishReason';
const bedrock =
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html';
const deepSeek = 'https://api-docs.deepseek.com/api/create-chat-completion';

/** Gateways repeat other vendors' words, so a word has one meaning on every wire. */
export const finishReasonLines: readonly FinishReasonLine[] = [
  { word: 'stop', finish: 'stop', vendor: 'all', source: openAi },
  { word: 'length', finish: 'length', vendor: 'all', source: openAi },
  { word: 'content_filter', finish: 'content-filter', vendor: 'all', source: openAi },
  { word: 'tool_calls', finish: 'tool-calls', vendor: 'all', source: openAi },
  // From before parallel calls.
  { word: 'function_call', finish: 'tool-calls', vendor: 'OpenAI', source: openAi },
  { word: 'completed', finish: 'stop', vendor: 'OpenAI', source: openAiResponses },
  { word: 'max_output_tokens', finish: 'length', vendor: 'OpenAI', source: openAiResponses },
  { word: 'end_turn', finish: 'stop', vendor: 'Anthropic', source: anthropic },
  { word: 'stop_sequence', finish: 'stop', vendor: 'Anthropic', source: anthropic },
  { word: 'max_tokens', finish: 'length', vendor: 'Anthropic, Gemini, Cohere', source: anthropic },
  {
    word: 'model_context_window_exceeded',
    finish: 'length',
    vendor: 'Anthropic, Zhipu',
    source: anthropic,
  },
  { word: 'tool_use', finish: 'tool-calls', vendor: 'Anthropic', source: anthropic },
  { word: 'refusal', finish: 'content-filter', vendor: 'Anthropic', source: anthropic },
  { word: 'safety', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  { word: 'recitation', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  { word: 'blocklist', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  { word: 'prohibited_content', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  { word: 'spii', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  { word: 'image_safety', finish: 'content-filter', vendor: 'Gemini', source: gemini },
  {
    word: 'image_prohibited_content',
    finish: 'content-filter',
    vendor: 'Gemini',
    source: 'NousResearch/hermes-agent#63263',
  },
  {
    word: 'image_recitation',
    finish: 'content-filter',
    vendor: 'Gemini',
    source: 'NousResearch/hermes-agent#63263',
  },
  {
    word: 'model_armor',
    finish: 'content-filter',
    vendor: 'Vertex AI',
    source:
      'https://cloud.google.com/python/docs/reference/vertexai/latest/vertexai.generative_models.FinishReason',
  },
  { word: 'malformed_function_call', finish: 'error', vendor: 'Gemini', source: gemini },
  { word: 'guardrail_intervened', finish: 'content-filter', vendor: 'Bedrock', source: bedrock },
  { word: 'content_filtered', finish: 'content-filter', vendor: 'Bedrock', source: bedrock },
  { word: 'malformed_model_output', finish: 'error', vendor: 'Bedrock', source: bedrock },
  { word: 'malformed_tool_use', finish: 'error', vendor: 'Bedrock', source: bedrock },
  { word: 'model_length', finish: 'length', vendor: 'Mistral', source: 'laravel/ai#955' },
  { word: 'error', finish: 'error', vendor: 'Mistral, OpenRouter', source: 'laravel/ai#955' },
  { word: 'insufficient_system_resource', finish: 'error', vendor: 'DeepSeek', source: deepSeek },
  {
    word: 'sensitive',
    finish: 'content-filter',
    vendor: 'Zhipu, Novita',
    source: 'BerriAI/litellm#24373',
  },
  { word: 'network_error', finish: 'error', vendor: 'Zhipu', source: 'BerriAI/litellm#24373' },
  { word: 'complete', finish: 'stop', vendor: 'Cohere', source: 'camel-ai/camel#4202' },
  { word: 'tool_call', finish: 'tool-calls', vendor: 'Cohere', source: 'camel-ai/camel#4202' },
  { word: 'timeout', finish: 'error', vendor: 'Cohere', source: 'camel-ai/camel#4202' },
  {
    word: 'error_toxic',
    finish: 'content-filter',
    vendor: 'Cohere',
    source: 'BerriAI/litellm#28223',
  },
  { word: 'error_limit', finish: 'length', vendor: 'Cohere', source: 'BerriAI/litellm#28223' },
  { word: 'eos', finish: 'stop', vendor: 'Together', source: 'openai/openai-dotnet#267' },
  {
    word: 'eos_token',
    finish: 'stop',
    vendor: 'TGI, watsonx',
    source: 'huggingface/text-generation-inference#2344',
  },
  { word: 'abort', finish: 'error', vendor: 'vLLM, SGLang', source: 'vllm-project/vllm#57082' },
];

export function createReadFinish(lines: readonly FinishReasonLine[]): ReadFinish {
  const finishes = new Map(lines.map(({ word, finish }) => [word, finish]));
  return (raw = '') => finishes.get(raw) ?? finishes.get(plainWord(raw)) ?? 'other';
}

export const readFinish = createReadFinish(finishReasonLines);

/** Vendors differ in case and hyphens, and some add a detail: `content_filter: SAFETY`. */
function plainWord(raw: string): string {
  const [word = ''] = /^[a-z_]*/.exec(raw.slice(0, 64).toLowerCase().replaceAll('-', '_')) ?? [];
  return word;
}
