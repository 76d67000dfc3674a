import { accountId } from '../lib/platform-error.ts';

const message = `Rejected for account ${accountId}.`;
const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const failed = (code: string) => ({
  ...{ id: 'resp_rejected', object: 'response', status: 'failed', output: [], usage: null },
  error: { code, message },
});
const anthropic = (type: string) => ({
  ...{ type: 'error', error: { type, message }, request_id: 'req_rejected' },
});

/** The status is 200 for all. */
const bodies = {
  /** 429, as OpenAI writes it. */
  openai: {
    error: { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  },
  /** 429; a retry does not help. */
  'openai-quota': { error: { message, type: 'insufficient_quota', code: 'insufficient_quota' } },
  /** 429, by `code`. */
  openrouter: { error: { message, code: 429, metadata: { provider_name: 'Sim' } }, user_id: 'u' },
  /** 429 of a choice without content. */
  'openrouter-choice': {
    ...{ id: 'gen-rejected', object: 'chat.completion', usage: none },
    choices: [
      {
        ...{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'error' },
        error: { message, code: 429 },
      },
    ],
  },
  /** 429 in a list, as Gemini writes it. */
  google: [{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } }],
  /** 503 by its word. */
  'google-busy': { error: { message, status: 'UNAVAILABLE' } },
  /** 400, without an `error`. */
  vllm: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 },
  /** 429. */
  dashscope: { code: 'Throttling.RateQuota', message, request_id: 'req-rejected' },
  /** 429, by its own number. */
  minimax: { id: 'rejected', choices: null, base_resp: { status_code: 1002, status_msg: message } },
  /** 429, by its own number as text. */
  zhipu: { error: { code: '1302', message } },
  /** 529 and others, as Anthropic writes them. */
  overloaded: anthropic('overloaded_error'),
  'rate-limited': anthropic('rate_limit_error'),
  invalid: anthropic('invalid_request_error'),
  /** 429 and 503 of a response. */
  failed: failed('rate_limit_exceeded'),
  'failed-busy': failed('server_is_overloaded'),
  /** 429 of a responses event without `error`. */
  flat: { type: 'error', code: 'rate_limit_exceeded', message, param: null },
} as const;

export type RejectionShape = keyof typeof bodies;

export const rejectionShapes = Object.keys(bodies).filter(isShape);

function isShape(name: string): name is RejectionShape {
  return Object.hasOwn(bodies, name);
}

export function rejectionOf(shape: RejectionShape): unknown {
  return bodies[shape];
}
