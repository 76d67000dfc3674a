/** The caller's options after an error. The client itself retries `backoff`. */
export type Retry =
  | 'never'
  | 'backoff'
  | 'later'
  | 'once'
  | 'after-midnight-utc'
  | 'after-top-up'
  | 'with-larger-max-tokens'
  | 'with-less-output';

/** One row of the specification's error tables (section 7). */
export interface ErrorRule {
  /** The HTTP status of the code. */
  readonly status: number;
  readonly retry: Retry;
  /** `model` errors name the model, and the platform's request id where a platform was reached. */
  readonly from: 'request' | 'model' | 'both';
  /** When the service responds with the code, in one sentence. */
  readonly when: string;
}

/**
 * The API's error codes. Statuses, the client's codes, the documents and the scenarios are checked
 * against this table. Source: specification, section 7.
 */
export const apiErrors = {
  INVALID: {
    status: 400,
    retry: 'never',
    from: 'request',
    when: 'the body or a header failed validation',
  },
  USER_REQUIRED: {
    status: 400,
    retry: 'never',
    from: 'request',
    when: 'the app meters credits and `userId` is absent',
  },
  MODEL_NOT_PRICED: {
    status: 400,
    retry: 'never',
    from: 'request',
    when: 'a metered call names a model without a catalog price',
  },
  UNAUTHORIZED: {
    status: 401,
    retry: 'never',
    from: 'request',
    when: "the key's name does not follow the convention",
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    retry: 'after-top-up',
    from: 'request',
    when: "the user's wallet cannot cover the maximum cost of the call",
  },
  NO_SERVICE: {
    status: 403,
    retry: 'never',
    from: 'request',
    when: "the key's app is not registered",
  },
  DISABLED: { status: 403, retry: 'never', from: 'request', when: 'the app is disabled' },
  MODEL_NOT_ALLOWED: {
    status: 403,
    retry: 'never',
    from: 'request',
    when: 'the app is restricted to a list of models and the model is not in it',
  },
  NOT_FOUND: {
    status: 404,
    retry: 'never',
    from: 'both',
    when: 'the route, method or run does not exist, or the platform does not have the model',
  },
  CREDITS_NOT_ENABLED: {
    status: 409,
    retry: 'never',
    from: 'request',
    when: 'the request is for credits, and the app does not meter credits',
  },
  BUDGET_EXCEEDED: {
    status: 429,
    retry: 'after-midnight-utc',
    from: 'request',
    when: "the app's daily budget cannot cover the maximum cost of the call",
  },
  INTERNAL: { status: 500, retry: 'backoff', from: 'request', when: 'an unexpected error' },
  NOT_IMPLEMENTED: {
    status: 501,
    retry: 'never',
    from: 'request',
    when: 'the route exists but is unavailable (streaming)',
  },
  WALLET_BUSY: {
    status: 503,
    retry: 'backoff',
    from: 'request',
    when: 'the wallet kept changing under concurrent calls',
  },
  BAD_REQUEST: {
    status: 400,
    retry: 'never',
    from: 'model',
    when: 'the model rejected the request (an unsupported parameter or schema)',
  },
  AUTH: {
    status: 403,
    retry: 'never',
    from: 'model',
    when: 'the model is not enabled for the account',
  },
  TRUNCATED: {
    status: 422,
    retry: 'with-larger-max-tokens',
    from: 'model',
    when: 'the output stopped at `maxTokens` before it was complete',
  },
  THROTTLED: {
    status: 429,
    retry: 'later',
    from: 'model',
    when: "the model's tokens-per-minute quota is still exhausted after retries",
  },
  ABORTED: { status: 499, retry: 'never', from: 'model', when: 'the call was canceled' },
  BAD_OUTPUT: {
    status: 502,
    retry: 'once',
    from: 'model',
    when: 'the output is not valid JSON, does not match its schema, or calls the wrong tool',
  },
  SERVER: {
    status: 502,
    retry: 'later',
    from: 'model',
    when: 'the model platform kept failing after retries',
  },
  TIMEOUT: {
    status: 504,
    retry: 'with-less-output',
    from: 'model',
    when: 'the model call exceeded its time limit (26 seconds)',
  },
} as const satisfies Record<string, ErrorRule>;

/** A code of {@link apiErrors}. */
export type ApiErrorCode = keyof typeof apiErrors;

/**
 * The closed list of reasons why a model platform rejected a request, as in the header
 * `x-error-reason`. An unreported or unlisted reason is left out.
 */
export const errorReasons = [
  'context_length',
  'image',
  'schema',
  'tool',
  'reasoning',
  'content_policy',
  'parameter',
] as const;

/** A reason of {@link errorReasons}. */
export type ErrorReason = (typeof errorReasons)[number];

/** The body of every API error. `message` may change; branch on `code`. */
export interface ErrorBody {
  readonly error: {
    readonly code: ApiErrorCode;
    readonly message: string;
    /** The platform's id of the request; present only if a model was reached. */
    readonly requestId?: string;
    /** The id of the model as in the request; present only on model errors. */
    readonly model?: string;
  };
}

/** A response from before the request reaches the API. */
export interface GatewayRule {
  readonly status: number;
  readonly message: string;
  readonly when: string;
}

/** The gateway's responses; each body is only `{"message"}`. Source: specification, section 7. */
export const gatewayErrors = {
  BAD_REQUEST: { status: 400, message: 'Bad Request', when: 'the HTTP request is malformed' },
  FORBIDDEN: { status: 403, message: 'Forbidden', when: '`x-api-key` is missing or unknown' },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'Request Timeout',
    when: 'the request did not arrive in time',
  },
  REQUEST_TOO_LONG: {
    status: 413,
    message: 'Request Too Long',
    when: 'the body is larger than the limit',
  },
  EXPECTATION_FAILED: {
    status: 417,
    message: 'Expectation Failed',
    when: 'the `expect` header has an unsupported value',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too Many Requests',
    when: 'the request rate of the key is exceeded, or the gateway is at its own limit',
  },
  LIMIT_EXCEEDED: {
    status: 429,
    message: 'Limit Exceeded',
    when: 'the daily request quota of the key is used up until midnight UTC',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'Request Header Fields Too Large',
    when: 'the headers are larger than the limit',
  },
  GATEWAY_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    when: "the request exceeded the gateway's time limit (29 seconds)",
  },
} as const satisfies Record<string, GatewayRule>;

/** A name of {@link gatewayErrors}; the client reports most of these as its `code`. */
export type GatewayErrorName = keyof typeof gatewayErrors;

/** The body of every response of the gateway. */
export interface GatewayBody {
  readonly message: string;
}
