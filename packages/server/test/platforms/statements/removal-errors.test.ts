import { describe, expect, it } from 'vitest';
import { createErrorReader } from '../../../src/platforms/redaction/error-body.ts';
import { type ErrorShape, errorShapes } from '../../../src/platforms/statements/error-shapes.ts';
import { type ErrorWord, errorWords } from '../../../src/platforms/statements/error-words.ts';

/** The status that a response names, `unnamed` for an error without one, `none` for no error. */
function readWith(shapes: readonly ErrorShape[], words: readonly ErrorWord[], body: unknown) {
  const found = createErrorReader(shapes, words)(body);
  return found === undefined ? 'none' : (found.named ?? 'unnamed');
}

const message = 'It failed.';

/** A response for each line of shapes, by vendor, path and condition. */
const shapeCases: Readonly<Record<string, readonly [body: unknown, means: number | 'unnamed']>> = {
  'all error': [{ error: { code: 429, message } }, 429],
  'Proxies of Anthropic error.error': [{ error: { error: { type: 'overloaded_error' } } }, 529],
  'Bifrost ': [{ is_bifrost_error: false, status_code: 429, error: { message } }, 429],
  'Text Generation Inference ': [{ error: message, error_type: 'overloaded' }, 429],
  'Spring Boot ': [{ status: 503, error: 'Service Unavailable', path: '/v1' }, 503],
  'Fastify ': [{ statusCode: 429, error: 'Too Many Requests', message }, 429],
  'Google [].error': [[{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }], 429],
  'OpenAI  type': [{ type: 'error', code: 'rate_limit_exceeded' }, 429],
  'OpenAI  status': [{ status: 'failed', error: null, output: [] }, 'unnamed'],
  'vLLM, Mistral  object': [{ object: 'error', message, type: 'BadRequestError' }, 400],
  'OpenRouter choices[].error': [
    { choices: [{ message: { content: '' }, error: { code: 503, message } }] },
    503,
  ],
  'OpenRouter choices[] finish_reason': [
    { choices: [{ message: { content: null }, finish_reason: 'error' }] },
    'unnamed',
  ],
  'Baidu ': [{ error_code: 18, error_msg: message }, 429],
  'DashScope ': [{ code: 'Throttling', message, request_id: 'r' }, 429],
  'Zhipu ': [{ code: 1113, msg: message, success: false }, 429],
  'Cloudflare errors[]': [{ success: false, errors: [{ code: 3040, message }] }, 429],
  'MiniMax base_resp': [{ base_resp: { status_code: 1002, status_msg: message } }, 429],
  'FastAPI servers detail': [{ detail: 'Not Found' }, 'unnamed'],
  'FastAPI servers detail[]': [{ detail: [{ msg: message, loc: ['body'] }] }, 'unnamed'],
};

function nameOf({ vendor, path, when }: ErrorShape): string {
  return `${vendor} ${path}${when === undefined ? '' : ` ${when[0]}`}`;
}

describe('each line of the table of error objects', () => {
  it('has a case, and each case a line', () => {
    expect(errorShapes.map(nameOf).sort()).toEqual(Object.keys(shapeCases).sort());
  });

  it.each(errorShapes.map((line) => [nameOf(line), line] as const))('%s', (name, line) => {
    const [body, means] = shapeCases[name] ?? [];
    expect(readWith(errorShapes, errorWords, body)).toBe(means);
    const others = errorShapes.filter((other) => other !== line);
    expect(readWith(others, errorWords, body)).not.toBe(means);
  });
});

/** Words by the status that they mean. */
const wordCases: Readonly<Record<number, string>> = {
  400: `invalid_request_error context_length_exceeded unsupported_parameter unsupported_value
    content_policy_violation string_above_max_length invalid_prompt invalid_image* image_*
    invalid_base64_image unsupported_image_media_type empty_image_file failed_to_download_image
    content_filter INVALID_ARGUMENT FAILED_PRECONDITION OUT_OF_RANGE invalid_request
    parameter_unknown ValidationException BadRequestError ContextWindowExceededError
    ContentPolicyViolationError model_decommissioned json_validate_failed tool_use_failed
    InvalidParameter* DataInspectionFailed data_inspection_failed BadRequest.* InvalidURL
    Arrearage MissingParameter*`,
  401: `invalid_api_key authentication_error UNAUTHENTICATED authentication AuthenticationError
    invalid_authentication_error InvalidApiKey`,
  402: 'billing_error INSUFFICIENT_BALANCE',
  403: `unsupported_country_region_territory permission_error PERMISSION_DENIED
    AccessDeniedException PermissionDeniedError permission_denied_error AccessDenied AccessDenied.*
    AccountOverdueError`,
  404: `model_not_found not_found_error NOT_FOUND NotFoundError resource_not_found_error
    ModelNotFound InvalidEndpointOrModel.* ModelNotOpen`,
  408: 'ModelTimeoutException Timeout RequestTimeOut',
  409: 'ABORTED ALREADY_EXISTS',
  413: 'request_too_large',
  422: 'UnprocessableEntityError validation',
  424: 'ModelErrorException generation',
  429: `rate_limit_exceeded insufficient_quota billing_hard_limit_reached rate_limit_error
    RESOURCE_EXHAUSTED quota_exceeded ThrottlingException ModelNotReadyException RateLimitError
    rate_limited engine_overloaded_error exceeded_current_quota_error rate_limit_reached_error
    Throttling Throttling.* RateLimitExceeded.* ServerOverloaded insufficient_balance_error
    overloaded`,
  499: 'CANCELLED',
  500: `server_error api_error INTERNAL UNKNOWN DATA_LOSS InternalServerException
    InternalServerError APIConnectionError InternalError* InternalServiceError
    incomplete_generation`,
  501: 'UNIMPLEMENTED',
  503: `engine_overloaded server_is_overloaded slow_down service_unavailable_error UNAVAILABLE
    ServiceUnavailableException ServiceUnavailableError service_tier_capacity_exceeded`,
  504: 'vector_store_timeout timeout_error DEADLINE_EXCEEDED',
  529: 'overloaded_error',
};

/** An example of the words with this beginning. */
const beginnings: Readonly<Record<string, string>> = {
  'invalid_image*': 'invalid_image_url',
  'image_*': 'image_too_large',
  'InvalidParameter*': 'InvalidParameter.DataInspection',
  'BadRequest.*': 'BadRequest.EmptyInput',
  'MissingParameter*': 'MissingParameter.model',
  'AccessDenied.*': 'AccessDenied.Unpurchased',
  'InvalidEndpointOrModel.*': 'InvalidEndpointOrModel.NotFound',
  'Throttling.*': 'Throttling.RateQuota',
  'RateLimitExceeded.*': 'RateLimitExceeded.EndpointRPMExceeded',
  'InternalError*': 'InternalError.Algo',
};

/** Numbers by vendor and by the status that they mean. */
const numberCases: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  MiniMax: {
    ...{ 400: '1026 1042 2013', 401: '1004 2049', 429: '1002 1008 1039 1041 2056' },
    ...{ 500: '1000 1024 1033', 504: '1001' },
  },
  Zhipu: {
    ...{ 400: '1210 1211 1212 1213 1214 1215 1261 1301', 401: '1000 1001 1002 1003 1004' },
    ...{ 429: '1112 1113 1121 1302 1303 1304 1305 1308 1310 1312', 500: '1230 1234' },
  },
  Baidu: {
    ...{ 400: '100 336001 336002 336003', 401: '13 14 110 111', 403: '6', 404: '3' },
    ...{ 429: '4 17 18 19', 500: '1 336000', 503: '2 336100' },
  },
  Cloudflare: {
    ...{ 400: '3003 3039 5004 5007', 403: '3023 3041 5016 5018', 404: '3042', 405: '5005 5019' },
    ...{ 408: '3007 3008', 413: '3006', 429: '3036 3040' },
  },
};

const bodies: Readonly<Record<string, (code: number) => unknown>> = {
  MiniMax: (code) => ({ base_resp: { status_code: code, status_msg: message } }),
  Zhipu: (code) => ({ error: { code: String(code), message } }),
  Baidu: (code) => ({ error_code: code, error_msg: message }),
  Cloudflare: (code) => ({ success: false, errors: [{ code, message }] }),
};

function casesOf(cases: Readonly<Record<number, string>>): readonly (readonly [string, number])[] {
  return Object.entries(cases).flatMap(([status, words]) =>
    words.split(/\s+/).map((word) => [word, Number(status)] as const),
  );
}

const cases = new Map<string, readonly [body: unknown, status: number]>();
for (const [word, status] of casesOf(wordCases)) {
  cases.set(` ${word}`, [{ error: { type: beginnings[word] ?? word, message } }, status]);
}
for (const [vendor, numbers] of Object.entries(numberCases)) {
  for (const [code, status] of casesOf(numbers)) {
    cases.set(`${vendor} ${code}`, [bodies[vendor]?.(Number(code)), status]);
  }
}

describe('each line of the table of words', () => {
  const named = errorWords.map((line) => [`${line.numbers ?? ''} ${line.word}`, line] as const);

  it('has a case, and each case a line', () => {
    expect(named.map(([name]) => name).sort()).toEqual([...cases.keys()].sort());
  });

  it.each(named)('%s', (name, line) => {
    const [body, status] = cases.get(name) ?? [];
    expect(readWith(errorShapes, errorWords, body)).toBe(status);
    const others = errorWords.filter((other) => other !== line);
    expect(readWith(errorShapes, others, body)).not.toBe(status);
  });

  it.each([...errorShapes, ...errorWords])(
    'names a vendor and a public source: $source',
    (line) => {
      expect(line.vendor).not.toBe('');
      expect(line.source).toMatch(/^(https:\/\/\S+|[\w.-]+\/[\w.-]+#\d+)$/);
    },
  );
});
