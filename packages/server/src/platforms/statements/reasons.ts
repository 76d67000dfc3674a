import type { ErrorReason } from '@model-gateway/contract';
import type { Statement } from './statement.ts';

export interface ReasonLine extends Statement {
  /** Case-insensitive; `…` is any text between two parts. */
  readonly words: string;
  readonly reason: ErrorReason;
}

type Source = readonly [vendor: string, source: string, ...words: readonly string[]];

function linesOf(reason: ErrorReason, ...sources: readonly Source[]): readonly ReasonLine[] {
  return sources.flatMap(([vendor, source, ...all]) =>
    all.map((words) => ({ vendor, source, words, reason })),
  );
}

const openAiResponses = 'https://platform.openai.com/docs/api-reference/responses/object';
const openAiErrors = 'https://platform.openai.com/docs/guides/error-codes';
const anthropicErrors = 'https://docs.anthropic.com/en/api/errors';
const zhipuErrors = 'https://docs.bigmodel.cn/cn/api/api-code';
const overflows = 'earendil-works/pi#129';

/**
 * Exact lines before general ones: the first match decides. Callers only see the reason, in a
 * sentence of the gateway.
 */
export const reasonLines: readonly ReasonLine[] = [
  ...linesOf(
    'context_length',
    ['OpenAI', openAiErrors, 'context_length_exceeded'],
    ['OpenAI', overflows, 'exceeds the context window'],
    ['OpenAI, vLLM, Mistral', 'vllm-project/vllm#20409', 'maximum context length'],
    ['Anthropic', anthropicErrors, 'prompt is too long', 'request_too_large'],
    ['Anthropic', 'openclaw/openclaw#20539', 'exceed context limit'],
    ['Amazon Bedrock', overflows, 'input is too long for requested model'],
    ['Google', overflows, 'input token count … exceeds the maximum number of tokens'],
    ['xAI', overflows, 'maximum prompt length'],
    ['Groq, Cerebras', overflows, 'reduce the length of the messages'],
    ['OpenRouter', 'earendil-works/pi#4943', 'exceeds the maximum allowed input length'],
    ['Together, SGLang', '0xBakeer/inference-atlas#186', "than the model's context length"],
    ['llama.cpp', 'DraconDev/pi-goal-list-loop-audit#48', 'exceed_context_size'],
    ['llama.cpp', overflows, 'exceeds the available context size'],
    ['LM Studio', overflows, 'greater than the context length'],
    ['Ollama', overflows, 'prompt too long', 'input length exceeds'],
    ['GitHub Copilot', overflows, 'prompt token count … exceeds the limit'],
    ['MiniMax', overflows, 'context window exceeds limit'],
    ['Moonshot', 'archestra-ai/archestra#6044', 'exceeded model token limit'],
    ['DashScope', 'anomalyco/opencode#45834', 'range of input length should be'],
    ['Zhipu', zhipuErrors, 'prompt 超长', 'prompt exceeds max length'],
    [
      'Text Generation Inference',
      'https://huggingface.co/docs/text-generation-inference',
      '`inputs` … `max_new_tokens` must be',
    ],
    ['Cohere', 'https://docs.cohere.com/reference/errors', 'too many tokens'],
    ['LiteLLM', 'https://docs.litellm.ai/docs/exception_mapping', 'ContextWindowExceeded'],
  ),
  ...linesOf(
    'image',
    ['OpenAI', openAiResponses, 'invalid_image', 'invalid_base64_image', 'image_too_'],
    ['OpenAI', openAiResponses, 'image_parse_error', 'unsupported_image', 'empty_image_file'],
    ['OpenAI', openAiResponses, 'failed_to_download_image'],
    ['OpenAI', 'https://platform.openai.com/docs/guides/images-vision', 'unsupported image'],
    ['Anthropic', 'anthropics/claude-code#5147', 'image dimensions exceed'],
    ['Anthropic', 'mckaywrigley/chatbot-ui#1611', 'image exceeds'],
    ['Anthropic', 'https://docs.anthropic.com/en/docs/build-with-claude/vision', 'process image'],
    ['Google', 'https://ai.google.dev/gemini-api/docs/image-understanding', 'input image'],
    ['vLLM', 'https://docs.vllm.ai/en/latest/features/multimodal_inputs.html', 'image(s) may be'],
    ['DeepSeek', 'https://api-docs.deepseek.com/api/create-chat-completion', 'variant `image_url`'],
    ['Ollama', 'https://docs.ollama.com/capabilities/vision', 'not support image'],
  ),
  ...linesOf(
    'schema',
    ['OpenAI', openAiErrors, 'invalid_function_parameters', 'invalid_json_schema'],
    ['OpenAI', openAiErrors, 'invalid schema for'],
    ['Anthropic', 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use', 'input_schema'],
    [
      'Anthropic',
      'https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs',
      'format.schema',
    ],
    ['Google', 'thClaws/thClaws#172', "at 'tools[ … .parameters"],
    ['Google', 'danny-avila/LibreChat#6971', 'function_declarations[ … .parameters'],
    ['Google', 'QuantumNous/new-api#1037', 'response_schema'],
    ['Google', 'google-gemini/gemini-cli#4758', 'schema at '],
    ['Google', 'https://ai.google.dev/gemini-api/docs/structured-output', 'schema produces'],
    ['Groq', 'https://console.groq.com/docs/structured-outputs', 'invalid json schema'],
    [
      'llama.cpp',
      'https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md',
      'parse grammar',
    ],
  ),
  ...linesOf(
    'reasoning',
    [
      'DeepSeek',
      'https://api-docs.deepseek.com/guides/thinking_mode',
      'reasoning_content … must be passed back',
    ],
    ['Moonshot', 'continuedev/continue#11600', 'reasoning_content is missing'],
    [
      'Google',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      'missing … thought_signature',
    ],
    ['Google', 'google-gemini/gemini-cli#13467', 'corrupted thought signature'],
    ['Google', 'decolua/9router#301', 'thought signature is not valid'],
    ['Google', 'lbjlaq/Antigravity-Manager#3342', 'invalid thought signature'],
    ['Anthropic', 'lbjlaq/Antigravity-Manager#139', 'expected `thinking` or `redacted_thinking`'],
    ['Anthropic', 'anthropics/anthropic-sdk-python#1598', '`signature` in `thinking` block'],
    [
      'Anthropic',
      'anthropics/claude-code#63284',
      '`redacted_thinking` blocks … cannot be modified',
    ],
    ['OpenAI', 'cline/cline#12242', "required 'reasoning' item"],
    ['OpenAI', 'vercel/ai#7099', "'reasoning' was provided without its required"],
    ['OpenAI', 'openai/codex#8145', 'invalid_encrypted_content'],
  ),
  ...linesOf(
    'tool',
    ['Anthropic', 'anthropics/claude-code#5060', 'without `tool_result` blocks'],
    ['Anthropic', 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use', '`tool_use_id`'],
    [
      'OpenAI',
      'https://platform.openai.com/docs/guides/function-calling',
      ...['must be followed by tool messages', 'must be a response to a prece'],
      ...['no tool call found for', 'no tool output found for'],
    ],
    [
      'Google',
      'https://ai.google.dev/gemini-api/docs/function-calling',
      ...['function call turn comes', 'function response parts'],
    ],
    [
      'Mistral',
      'https://docs.mistral.ai/capabilities/function_calling',
      'number of function calls and responses',
    ],
    ['DeepSeek', 'https://api-docs.deepseek.com/guides/function_calling', 'insufficient tool'],
    [
      'Amazon Bedrock',
      'https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use.html',
      'toolResult blocks',
    ],
    ['Ollama', 'https://docs.ollama.com/capabilities/tool-calling', 'not support tools'],
  ),
  ...linesOf(
    'content_policy',
    ['OpenAI', openAiResponses, 'content_policy', 'invalid_prompt'],
    ['OpenAI', openAiErrors, 'violating our usage policy'],
    [
      'Azure OpenAI',
      'https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter',
      ...['content_filter', 'content management policy'],
    ],
    ['Anthropic', 'anthropics/claude-code#6195', 'content filtering policy'],
    ['LiteLLM', 'https://docs.litellm.ai/docs/exception_mapping', 'ContentPolicyViolation'],
    [
      'DashScope',
      'https://help.aliyun.com/zh/model-studio/developer-reference/error-code',
      ...['DataInspectionFailed', 'data_inspection_failed'],
    ],
    ['DeepSeek', 'https://api-docs.deepseek.com/quick_start/error_codes', 'content exists risk'],
    ['Moonshot', 'https://platform.moonshot.ai/docs/api/chat', 'considered high risk'],
    ['Zhipu', zhipuErrors, '不安全或敏感内容'],
    ['MiniMax', 'https://platform.minimax.io/docs/api-reference/errorcode', 'new_sensitive'],
    ['Google', 'https://ai.google.dev/gemini-api/docs/safety-settings', 'PROHIBITED_CONTENT'],
    ['xAI', 'https://docs.x.ai/docs/key-information/debugging', 'violates usage guidelines'],
    ['Volcengine Ark', 'https://volcengine.com/docs/82379/1299023', 'SensitiveContentDetected'],
    ['OpenRouter', 'https://openrouter.ai/docs/api-reference/errors', 'input was flagged'],
  ),
  ...linesOf(
    'parameter',
    [
      'OpenAI',
      openAiErrors,
      ...['unsupported_parameter', 'unsupported_value', 'unknown_parameter', 'invalid_value'],
      ...['missing_required_parameter', 'invalid_type', 'above_max', 'below_min'],
      'unrecognized request argument',
    ],
    ['OpenAI', 'decolua/9router#536', 'unsupported parameter'],
    ['OpenAI', 'QwenLM/qwen-code#921', 'unsupported value'],
    ['Anthropic', 'JohnnyZ93/oai-compatible-copilot#42', 'cannot both be specified'],
    [
      'Anthropic',
      anthropicErrors,
      ...['maximum allowed number of output tokens', 'may only be set to'],
      ...['extra inputs are not permitted', 'field required', 'input should be'],
      'must be greater than',
    ],
    ['Mistral', 'https://docs.mistral.ai/api', 'extra_forbidden'],
    ['Google', 'https://ai.google.dev/gemini-api/docs/api-errors', 'cannot find field'],
    ['Google', 'https://ai.google.dev/gemini-api/docs/api-errors', 'parameter_unknown'],
    [
      'Amazon Bedrock',
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html',
      'extraneous key',
    ],
    [
      'DashScope',
      'https://help.aliyun.com/zh/model-studio/developer-reference/error-code',
      'InvalidParameter',
    ],
    ['Volcengine Ark', 'https://volcengine.com/docs/82379/1299023', 'MissingParameter'],
    ['DeepSeek', 'https://api-docs.deepseek.com/quick_start/error_codes', 'the valid range of'],
    [
      'xAI',
      'https://docs.x.ai/docs/api-reference',
      'not support parameter',
      'argument not support',
    ],
    ['Groq', 'https://console.groq.com/docs/errors', 'property … is unsupported'],
    ['LiteLLM', 'https://docs.litellm.ai/docs/exception_mapping', 'UnsupportedParams'],
  ),
];
