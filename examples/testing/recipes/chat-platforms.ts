import {
  answerText,
  bearer,
  type Json,
  maxTokens,
  messages,
  plainUsage,
  type RecipePlatform,
} from './recipe-platform.ts';

const usageInStream = { stream: true, stream_options: { include_usage: true } };

/** A platform of chat completions: its counts come in a last chunk without choices. */
function chatPlatform(parts: {
  readonly model: string;
  readonly upstreamModel: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly url: string;
  readonly usage: Json;
  readonly costUsd: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly top?: Json;
}): RecipePlatform {
  const { model, upstreamModel, variables, url, usage, costUsd, top = {} } = parts;
  const [key] = Object.values(variables);
  const common = { id: 'chatcmpl-1', created: 1_795_824_000, model: upstreamModel };
  const chunk = { ...common, object: 'chat.completion.chunk' };
  const delta = { role: 'assistant', content: answerText };
  return {
    ...{ model, variables, url, costUsd },
    headers: parts.headers ?? (key === undefined ? {} : bearer(key)),
    body: { model: upstreamModel, max_tokens: maxTokens, messages },
    streamBody: usageInStream,
    whole: {
      ...{ ...common, object: 'chat.completion', usage, ...top },
      choices: [{ index: 0, message: delta, finish_reason: 'stop' }],
    },
    events: [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage, ...top },
      '[DONE]',
    ],
  };
}

/** OpenAI's own counts of 1200 tokens of input, 200 of them cached, and 80 of output. */
const openAiUsage = {
  ...{ prompt_tokens: 1_200, completion_tokens: 80, total_tokens: 1_280 },
  prompt_tokens_details: { cached_tokens: 200, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 0 },
};

/** Source: OpenAI, API reference, chat completions; project header and tier by its guides. */
export const openai = (): RecipePlatform => {
  const variables = { OPENAI_API_KEY: 'sk-proj-1', OPENAI_PROJECT_SEARCH: 'proj_1' };
  const chat = chatPlatform({
    ...{ model: 'gpt-6-luna', upstreamModel: 'gpt-6-luna', variables, usage: openAiUsage },
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { ...bearer('sk-proj-1'), 'openai-project': 'proj_1' },
    top: { service_tier: 'default' },
    // 1000 × 0.1 + 200 × 0.01 + 80 × 0.5, per million.
    costUsd: '0.000142',
  });
  const limit = { max_completion_tokens: maxTokens, service_tier: 'default' };
  return { ...chat, body: { model: 'gpt-6-luna', messages, ...limit } };
};

/** Source: Amazon Bedrock, user guide, mantle endpoint; it has one project here. */
export const bedrockMantle = (): RecipePlatform => ({
  ...chatPlatform({
    ...{ model: 'openai.gpt-oss-120b', upstreamModel: 'openai.gpt-oss-120b' },
    variables: { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key-1', BEDROCK_PROJECT_SEARCH: 'proj_1' },
    url: 'https://bedrock-mantle.us-east-1.api.aws/v1/chat/completions',
    headers: { ...bearer('bedrock-key-1'), 'openai-project': 'proj_1' },
    usage: plainUsage,
    // 1200 × 0.15 + 80 × 0.6, per million.
    costUsd: '0.000228',
  }),
  also({ headers }) {
    if (headers['openai-project'] === 'proj_1') return undefined;
    const message = `Project '${headers['openai-project']}' not found`;
    return {
      status: 404,
      json: { error: { type: 'not_found_error', code: 'not_found', message } },
    };
  },
});

/** Source: Amazon Bedrock, user guide, chat completions on the runtime endpoint. */
export const bedrockRuntime = () =>
  chatPlatform({
    ...{ model: 'openai.gpt-oss-120b', upstreamModel: 'openai.gpt-oss-120b-1:0' },
    variables: { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key-1' },
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions',
    ...{ usage: plainUsage, costUsd: '0.000228' },
  });

/** Source: Groq, API reference, chat completions. */
export const groq = () =>
  chatPlatform({
    ...{ model: 'gpt-oss-120b', upstreamModel: 'openai/gpt-oss-120b' },
    variables: { GROQ_API_KEY: 'gsk_1' },
    url: 'https://api.groq.com/openai/v1/chat/completions',
    usage: {
      ...{ ...plainUsage, queue_time: 0.01, prompt_time: 0.02, completion_time: 0.1 },
      ...{ total_time: 0.12, prompt_tokens_details: { cached_tokens: 200 } },
    },
    top: { system_fingerprint: 'fp_1', x_groq: { id: 'req_1' } },
    // 1000 × 0.15 + 200 × 0.075 + 80 × 0.6, per million.
    costUsd: '0.000213',
  });

/** Source: OpenRouter, usage accounting: the cost is in each response. */
export const openrouter = () =>
  chatPlatform({
    ...{ model: 'claude-sonnet-4.6', upstreamModel: 'anthropic/claude-sonnet-4.6' },
    variables: { OPENROUTER_API_KEY: 'sk-or-v1-1' },
    url: 'https://openrouter.ai/api/v1/chat/completions',
    usage: {
      ...{ ...plainUsage, cost: 0.00426, is_byok: false },
      prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
      cost_details: { upstream_inference_cost: null },
    },
    top: { provider: 'Anthropic' },
    // 1000 × 3 + 200 × 0.3 + 80 × 15, per million.
    costUsd: '0.00426',
  });

/** Source: DeepSeek, API reference, chat completions and context caching. */
export const deepseek = () =>
  chatPlatform({
    ...{ model: 'deepseek-v4-flash', upstreamModel: 'deepseek-v4-flash' },
    variables: { DEEPSEEK_API_KEY: 'sk-ds-1' },
    url: 'https://api.deepseek.com/chat/completions',
    usage: {
      ...{ ...plainUsage, prompt_tokens_details: { cached_tokens: 200 } },
      ...{ prompt_cache_hit_tokens: 200, prompt_cache_miss_tokens: 1_000 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    // 1000 × 0.44 + 200 × 0.014 + 80 × 1.32, per million.
    costUsd: '0.0005484',
  });

/** The total includes reasoning, the output does not. Source: xAI, API reference, cost tracking. */
export const xai = () =>
  chatPlatform({
    ...{ model: 'grok-4.3', upstreamModel: 'grok-4.3', variables: { XAI_API_KEY: 'xai-1' } },
    url: 'https://api.x.ai/v1/chat/completions',
    usage: {
      ...{ prompt_tokens: 1_200, completion_tokens: 50, total_tokens: 1_280 },
      prompt_tokens_details: {
        text_tokens: 1_200,
        audio_tokens: 0,
        image_tokens: 0,
        cached_tokens: 200,
      },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 0 },
      ...{ num_sources_used: 0, cost_in_usd_ticks: 14_900_000 },
    },
    // 1000 × 1.25 + 200 × 0.2 + 80 × 2.5, per million.
    costUsd: '0.00149',
  });

/** Source: vLLM, OpenAI-compatible server. */
export const vllm = () =>
  chatPlatform({
    ...{ model: 'qwen3-32b', upstreamModel: 'Qwen/Qwen3-32B', variables: { VLLM_API_KEY: 'v-1' } },
    url: 'http://127.0.0.1:8000/v1/chat/completions',
    usage: { ...plainUsage, prompt_tokens_details: null },
    // 1200 × 0.1 + 80 × 0.4, per million.
    costUsd: '0.000152',
  });

/** Source: SGLang, OpenAI-compatible APIs. */
export const sglang = () =>
  chatPlatform({
    ...{
      model: 'qwen3-32b',
      upstreamModel: 'Qwen/Qwen3-32B',
      variables: { SGLANG_API_KEY: 's-1' },
    },
    url: 'http://127.0.0.1:30000/v1/chat/completions',
    usage: { ...plainUsage, prompt_tokens_details: null, reasoning_tokens: 0 },
    ...{ top: { metadata: { weight_version: 'default' } }, costUsd: '0.000152' },
  });

/** Source: Ollama, OpenAI compatibility: no key. */
export const ollama = () =>
  chatPlatform({
    ...{ model: 'qwen3-8b', upstreamModel: 'qwen3:8b', variables: {} },
    url: 'http://127.0.0.1:11434/v1/chat/completions',
    usage: plainUsage,
    top: { system_fingerprint: 'fp_ollama' },
    // 1200 × 0.05 + 80 × 0.2, per million.
    costUsd: '0.000076',
  });
