import type { Statement } from './statement.ts';

export interface ErrorWord extends Statement {
  /** Case-insensitive; a final `*` matches by prefix. */
  readonly word: string;
  /** 400 to 599. */
  readonly status: number;
  /** The owner of numeric codes, as in an error shape. */
  readonly numbers?: string;
}

function wordsOf(
  vendor: string,
  source: string,
  statuses: Readonly<Record<string, number>>,
): readonly ErrorWord[] {
  return Object.entries(statuses).map(([word, status]) => ({ vendor, source, word, status }));
}

function numbersOf(...line: Parameters<typeof wordsOf>): readonly ErrorWord[] {
  const [numbers] = line;
  return wordsOf(...line).map((word) => ({ ...word, numbers }));
}

/** An error object without these and without a status counts as 502 at unknown cost. */
export const errorWords: readonly ErrorWord[] = [
  ...wordsOf('OpenAI', 'https://platform.openai.com/docs/guides/error-codes', {
    ...{ invalid_request_error: 400, context_length_exceeded: 400, unsupported_parameter: 400 },
    ...{ unsupported_value: 400, content_policy_violation: 400, string_above_max_length: 400 },
    ...{ invalid_api_key: 401, unsupported_country_region_territory: 403, model_not_found: 404 },
    ...{ rate_limit_exceeded: 429, insufficient_quota: 429, billing_hard_limit_reached: 429 },
    ...{ server_error: 500, engine_overloaded: 503 },
  }),
  ...wordsOf('OpenAI', 'https://platform.openai.com/docs/api-reference/responses/object', {
    ...{ invalid_prompt: 400, 'invalid_image*': 400, invalid_base64_image: 400, 'image_*': 400 },
    ...{ unsupported_image_media_type: 400, empty_image_file: 400, failed_to_download_image: 400 },
    vector_store_timeout: 504,
  }),
  ...wordsOf('OpenAI', 'Soju06/codex-lb#1313', { server_is_overloaded: 503 }),
  ...wordsOf('OpenAI', 'zyycn/codex-proxy-rs#152', { slow_down: 503 }),
  ...wordsOf('OpenAI', 'tontinton/maki#897', { service_unavailable_error: 503 }),
  ...wordsOf(
    'Azure OpenAI',
    'https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter',
    {
      content_filter: 400,
    },
  ),
  ...wordsOf('Anthropic', 'https://docs.anthropic.com/en/api/errors', {
    ...{ authentication_error: 401, billing_error: 402, permission_error: 403 },
    ...{ not_found_error: 404, request_too_large: 413, rate_limit_error: 429, api_error: 500 },
    ...{ timeout_error: 504, overloaded_error: 529 },
  }),
  ...wordsOf('Google', 'https://cloud.google.com/apis/design/errors', {
    ...{ INVALID_ARGUMENT: 400, FAILED_PRECONDITION: 400, OUT_OF_RANGE: 400 },
    ...{ UNAUTHENTICATED: 401, PERMISSION_DENIED: 403, NOT_FOUND: 404, ABORTED: 409 },
    ...{ ALREADY_EXISTS: 409, RESOURCE_EXHAUSTED: 429, CANCELLED: 499, INTERNAL: 500 },
    ...{ UNKNOWN: 500, DATA_LOSS: 500, UNIMPLEMENTED: 501, UNAVAILABLE: 503 },
    DEADLINE_EXCEEDED: 504,
  }),
  ...wordsOf('Google', 'https://ai.google.dev/gemini-api/docs/api-errors', {
    ...{ invalid_request: 400, parameter_unknown: 400, authentication: 401, quota_exceeded: 429 },
  }),
  ...wordsOf('AWS', 'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html', {
    ...{ ValidationException: 400, AccessDeniedException: 403, ThrottlingException: 429 },
    ...{ ModelTimeoutException: 408, ModelErrorException: 424, ModelNotReadyException: 429 },
    ...{ InternalServerException: 500, ServiceUnavailableException: 503 },
  }),
  ...wordsOf('LiteLLM', 'https://docs.litellm.ai/docs/exception_mapping', {
    ...{ BadRequestError: 400, ContextWindowExceededError: 400, ContentPolicyViolationError: 400 },
    ...{ AuthenticationError: 401, PermissionDeniedError: 403, NotFoundError: 404, Timeout: 408 },
    ...{ UnprocessableEntityError: 422, RateLimitError: 429, InternalServerError: 500 },
    ...{ APIConnectionError: 500, ServiceUnavailableError: 503 },
  }),
  ...wordsOf('Groq', 'https://console.groq.com/docs/errors', {
    ...{ model_decommissioned: 400, json_validate_failed: 400, tool_use_failed: 400 },
  }),
  ...wordsOf('Text Generation Inference', 'huggingface/huggingface_hub#2514', {
    ...{ validation: 422, generation: 424, overloaded: 429 },
    ...{ incomplete_generation: 500 },
  }),
  ...wordsOf('Mistral', 'raycast/extensions#31107', { rate_limited: 429 }),
  ...wordsOf('Mistral', 'BerriAI/litellm#25078', { service_tier_capacity_exceeded: 503 }),
  ...wordsOf('Moonshot', 'https://forum.moonshot.ai/t/the-engine-is-currently-overloaded/569', {
    engine_overloaded_error: 429,
  }),
  ...wordsOf('Moonshot', 'https://platform.moonshot.ai/docs/api/chat', {
    ...{ invalid_authentication_error: 401, permission_denied_error: 403 },
    ...{ resource_not_found_error: 404, exceeded_current_quota_error: 429 },
    rate_limit_reached_error: 429,
  }),
  ...wordsOf('Venice', 'veniceai/api-docs#149', { INSUFFICIENT_BALANCE: 402 }),
  ...wordsOf(
    'DashScope',
    'https://help.aliyun.com/zh/model-studio/developer-reference/error-code',
    {
      ...{ 'InvalidParameter*': 400, DataInspectionFailed: 400, data_inspection_failed: 400 },
      ...{ 'BadRequest.*': 400, InvalidURL: 400, Arrearage: 400, InvalidApiKey: 401 },
      ...{
        AccessDenied: 403,
        'AccessDenied.*': 403,
        ModelNotFound: 404,
        RequestTimeOut: 408,
        Throttling: 429,
        'Throttling.*': 429,
      },
      'InternalError*': 500,
    },
  ),
  ...wordsOf('Volcengine Ark', 'https://volcengine.com/docs/82379/1299023', {
    ...{ 'MissingParameter*': 400, AccountOverdueError: 403, 'InvalidEndpointOrModel.*': 404 },
    ...{ ModelNotOpen: 404, 'RateLimitExceeded.*': 429, ServerOverloaded: 429 },
    InternalServiceError: 500,
  }),
  ...wordsOf('MiniMax', 'modelscope/modelscope#1691', { insufficient_balance_error: 429 }),
  ...numbersOf('MiniMax', 'https://platform.minimax.io/docs/api-reference/errorcode', {
    ...{ 1026: 400, 1042: 400, 2013: 400, 1004: 401, 2049: 401, 1002: 429, 1008: 429, 1039: 429 },
    ...{ 1041: 429, 2056: 429, 1000: 500, 1024: 500, 1033: 500, 1001: 504 },
  }),
  ...numbersOf('Zhipu', 'https://docs.bigmodel.cn/cn/api/api-code', {
    ...{ 1210: 400, 1211: 400, 1212: 400, 1213: 400, 1214: 400, 1215: 400, 1261: 400, 1301: 400 },
    ...{ 1000: 401, 1001: 401, 1002: 401, 1003: 401, 1004: 401, 1112: 429, 1113: 429, 1121: 429 },
    ...{ 1302: 429, 1303: 429, 1304: 429, 1305: 429, 1308: 429, 1310: 429, 1312: 429 },
    ...{ 1230: 500, 1234: 500 },
  }),
  ...numbersOf('Baidu', 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh', {
    ...{ 100: 400, 336001: 400, 336002: 400, 336003: 400, 13: 401, 14: 401, 110: 401, 111: 401 },
    ...{ 6: 403, 3: 404, 4: 429, 17: 429, 18: 429, 19: 429, 1: 500, 336000: 500, 2: 503 },
    336100: 503,
  }),
  ...numbersOf('Cloudflare', 'https://developers.cloudflare.com/workers-ai/platform/errors/', {
    ...{ 3003: 400, 3039: 400, 5004: 400, 5007: 400, 3023: 403, 3041: 403, 5016: 403, 5018: 403 },
    ...{ 3042: 404, 5005: 405, 5019: 405, 3007: 408, 3008: 408, 3006: 413, 3036: 429, 3040: 429 },
  }),
];
