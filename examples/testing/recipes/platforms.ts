import {
  bedrockMantle,
  bedrockRuntime,
  deepseek,
  groq,
  ollama,
  openai,
  openrouter,
  sglang,
  vllm,
  xai,
} from './chat-platforms.ts';
import { gemini, vertexAi } from './google-platforms.ts';
import {
  answerText,
  bearer,
  maxTokens,
  plainUsage,
  prompt,
  type RecipePlatform,
} from './recipe-platform.ts';

/** Source: Anthropic, API reference, messages and streaming; workspaces by its admin guide. */
const anthropic = (): RecipePlatform => {
  const usage = {
    ...{ input_tokens: 1_000, cache_read_input_tokens: 200, cache_creation_input_tokens: 0 },
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    ...{ output_tokens: 80, service_tier: 'standard', inference_geo: 'global' },
  };
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-haiku-5-5' },
    ...{ content: [], stop_reason: null, stop_sequence: null },
  };
  const text = { type: 'text', text: answerText };
  return {
    model: 'claude-haiku-5-5',
    variables: { ANTHROPIC_API_KEY: 'sk-ant-1', ANTHROPIC_WORKSPACE_SEARCH: 'wrkspc_1' },
    url: 'https://api.anthropic.com/v1/messages',
    headers: {
      ...{ 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' },
      'anthropic-workspace-id': 'wrkspc_1',
    },
    body: {
      ...{ model: 'claude-haiku-5-5', max_tokens: maxTokens },
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
      ...{ service_tier: 'standard_only', inference_geo: 'global' },
    },
    streamBody: { stream: true },
    whole: { ...message, content: [text], stop_reason: 'end_turn', usage },
    events: [
      { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answerText } },
      { type: 'content_block_stop', index: 0 },
      {
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
        usage: { output_tokens: 80 },
      },
      { type: 'message_stop' },
    ],
    // 1000 × 0.1 + 200 × 0.01 + 80 × 0.5, per million.
    costUsd: '0.000142',
  };
};

/** Source: Microsoft, Azure OpenAI v1 API: responses, without a version in the URL. */
const azureOpenAi = (): RecipePlatform => {
  const usage = {
    ...{ input_tokens: 1_200, output_tokens: 80, total_tokens: 1_280 },
    input_tokens_details: { cached_tokens: 200 },
    output_tokens_details: { reasoning_tokens: 30 },
  };
  const part = { type: 'output_text', text: answerText, annotations: [] };
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
  const response = { id: 'resp_1', object: 'response', model: 'gpt-5-mini' };
  const whole = { ...response, status: 'completed', output: [{ ...item, content: [part] }], usage };
  return {
    model: 'gpt-5-mini',
    variables: { AZURE_OPENAI_API_KEY: 'azure-key-1', AZURE_OPENAI_RESOURCE: 'acme-ai' },
    url: 'https://acme-ai.openai.azure.com/openai/v1/responses',
    headers: bearer('azure-key-1'),
    body: {
      ...{ model: 'gpt-5-mini', max_output_tokens: maxTokens, store: false },
      input: [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }],
      include: ['reasoning.encrypted_content'],
    },
    streamBody: { stream: true },
    whole,
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: answerText },
      { type: 'response.completed', response: whole },
    ],
    // 1000 × 0.25 + 200 × 0.025 + 80 × 2, per million.
    costUsd: '0.000415',
  };
};

/** Counts come with the last choice, without a request for them. Source: Mistral, API reference. */
const mistral = (): RecipePlatform => {
  const usage = plainUsage;
  const common = { id: 'cmpl-1', created: 1_795_824_000, model: 'mistral-medium-3-5' };
  const chunk = { ...common, object: 'chat.completion.chunk' };
  const delta = { role: 'assistant', content: answerText };
  return {
    model: 'mistral-medium-3-5',
    variables: { MISTRAL_API_KEY: 'mistral-key-1' },
    url: 'https://api.mistral.ai/v1/chat/completions',
    headers: bearer('mistral-key-1'),
    body: {
      ...{ model: 'mistral-medium-3-5', max_tokens: maxTokens },
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    },
    streamBody: { stream: true },
    whole: {
      ...{ ...common, object: 'chat.completion', usage },
      choices: [{ index: 0, message: delta, finish_reason: 'stop' }],
    },
    events: [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], usage },
      '[DONE]',
    ],
    // 1200 × 1.5 + 80 × 7.5, per million.
    costUsd: '0.0024',
  };
};

/** By the name of the recipe's file. */
export const recipePlatforms: Readonly<Record<string, RecipePlatform>> = {
  anthropic: anthropic(),
  'azure-openai': azureOpenAi(),
  'bedrock-mantle': bedrockMantle(),
  'bedrock-runtime': bedrockRuntime(),
  deepseek: deepseek(),
  gemini: gemini(),
  groq: groq(),
  mistral: mistral(),
  ollama: ollama(),
  openai: openai(),
  openrouter: openrouter(),
  sglang: sglang(),
  'vertex-ai': vertexAi(),
  vllm: vllm(),
  xai: xai(),
};
