import type { ApiErrorCode, GatewayErrorName } from './errors.ts';

/** The consequences of an error, for the document of errors and the API's description. */
export interface ErrorAction {
  /** The caller's action, in the imperative. */
  readonly action: string;
  /** Who pays for the call; missing for errors of a request, which cost nothing. */
  readonly whoPays?: string;
}

/** The actions are not in the table of codes: types of the client contain that table. */
export const errorActions: Readonly<Record<ApiErrorCode, ErrorAction>> = {
  INVALID: { action: 'read the message: it names the field and the fix' },
  USER_REQUIRED: { action: 'send the `userId` whose wallet pays' },
  MODEL_NOT_PRICED: { action: 'use a model with a price, or ask the operator to add one' },
  UNAUTHORIZED: { action: 'ask the operator for a new key' },
  INSUFFICIENT_CREDITS: {
    action:
      'lower `maxTokens` to the value in the message, top up the wallet, or wait for next month',
  },
  NO_SERVICE: { action: 'ask the operator to create the app' },
  DISABLED: { action: 'ask the operator to enable it' },
  MODEL_NOT_ALLOWED: { action: 'use a model of `GET /v1/models`' },
  NOT_FOUND: { action: "check the path; if the error has `model`, check the model's id" },
  CREDITS_NOT_ENABLED: { action: 'remove the request: users of this app have no wallets' },
  BUDGET_EXCEEDED: {
    action:
      'lower `maxTokens` to the value in the message, wait for `retry-after`, or ask for a higher budget',
  },
  INTERNAL: { action: 'retry; if it persists, notify the operator' },
  NOT_IMPLEMENTED: {
    action: 'use the route without `/stream`, or ask the operator for `streaming: true`',
  },
  WALLET_BUSY: { action: 'retry' },
  BAD_REQUEST: {
    action: 'remove the unsupported parameter, part or schema',
    whoPays: 'no one',
  },
  AUTH: { action: 'ask the operator to enable it on the platform', whoPays: 'no one' },
  TRUNCATED: {
    action: 'raise `maxTokens`, or request less output',
    whoPays: 'app and wallet, exactly',
  },
  THROTTLED: {
    action:
      "wait for `retry-after`, if any, or lower `maxTokens`. If the message names the gateway's account, notify the operator",
    whoPays: 'no one',
  },
  ABORTED: {
    action: "nothing; the code is in the call's record",
    whoPays: "the app, for the platform's work; with an idempotency key also the wallet",
  },
  BAD_OUTPUT: {
    action: 'retry once, then change prompt, schema or model',
    whoPays: 'the app, exactly; each retry is a new call',
  },
  SERVER: {
    action: 'retry later',
    whoPays: 'no one, if the platform surely did not bill; otherwise the app, as an estimate',
  },
  TIMEOUT: {
    action:
      'retry with the same idempotency key to collect the response (except for embeddings), or request less output',
    whoPays:
      'the app, exactly if the platform responds, otherwise as an estimate; with an idempotency key and a response also the wallet',
  },
};

/** The caller's action after a response of the gateway. Nothing is charged. */
export const gatewayActions: Readonly<Record<GatewayErrorName, string>> = {
  BAD_REQUEST:
    'send one valid `host`, one `x-api-key`, one length, and no transfer coding except `chunked`',
  FORBIDDEN: 'check the key; the operator can see the reason',
  REQUEST_TIMEOUT: 'send it within 15 s, and its body within 2 s plus 1 s for each 64 KiB',
  REQUEST_TOO_LONG: 'send less than `limits.bodyBytes` (default: 4 MiB)',
  EXPECTATION_FAILED: 'remove the header',
  TOO_MANY_REQUESTS: 'wait for `retry-after`. Each MiB of rejected bodies counts as one request',
  LIMIT_EXCEEDED: 'wait until 00:00 UTC, or ask for a higher quota',
  HEADERS_TOO_LARGE: 'send less than 16 KB of headers',
  GATEWAY_TIMEOUT: 'retry with the same idempotency key to collect the response',
};
