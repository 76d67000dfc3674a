import type { Statement } from './statement.ts';

export const vendors = {
  anthropic: vendor('Anthropic', 'https://platform.claude.com/docs/en/api/messages'),
  bedrock: vendor(
    'Amazon Bedrock',
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html',
  ),
  bifrost: vendor('Bifrost', 'maximhq/bifrost#4816'),
  chat: vendor('all', 'https://platform.openai.com/docs/api-reference/chat/object'),
  cohere: vendor('Cohere', 'https://docs.cohere.com/reference/chat'),
  dashScope: vendor('DashScope', 'https://help.aliyun.com/en/model-studio/context-cache'),
  deepInfra: vendor('DeepInfra', 'https://deepinfra.com/docs/openai_api'),
  deepSeek: vendor('DeepSeek', 'https://api-docs.deepseek.com/guides/kv_cache'),
  gemini: vendor('Gemini', 'https://ai.google.dev/api/generate-content'),
  groq: vendor('Groq', 'https://console.groq.com/docs/api-reference'),
  liteLlm: vendor('LiteLLM', 'BerriAI/litellm#39505'),
  llmGateway: vendor('LLM Gateway', 'https://docs.llmgateway.io/features/cost-breakdown'),
  miniMax: vendor('MiniMax', 'https://platform.minimax.io/docs/api-reference/text-post'),
  mistral: vendor('Mistral', 'https://docs.mistral.ai/api'),
  moonshot: vendor('Moonshot', 'higress-group/higress#1568'),
  newApi: vendor('new-api', 'https://github.com/QuantumNous/new-api'),
  openAi: vendor('OpenAI', 'https://platform.openai.com/docs/api-reference/chat/object'),
  oneHub: vendor('one-hub', 'https://github.com/MartialBE/one-hub'),
  openRouter: vendor('OpenRouter', 'https://www.openrouter.ai/docs/use-cases/usage-accounting'),
  perplexity: vendor('Perplexity', 'https://docs.perplexity.ai/getting-started/pricing'),
  responses: vendor('OpenAI', 'https://platform.openai.com/docs/api-reference/responses/object'),
  sambaNova: vendor('SambaNova', 'sambanova/ai-starter-kit#560'),
  vertex: vendor(
    'Vertex AI',
    'https://googleapis.github.io/js-genai/release_docs/interfaces/types.UsageMetadata.html',
  ),
  xAi: vendor('xAI', 'https://docs.x.ai/developers/cost-tracking.md'),
} as const;

function vendor(name: string, source: string): Statement {
  return { vendor: name, source };
}
