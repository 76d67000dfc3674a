import type { Finding } from './report.ts';

/** An expected finding, and the reason. */
export interface Listed {
  readonly why: string;
  readonly matches: (finding: Finding) => boolean;
}

/** A rejection of a request that fits its schema. */
function refused(code: string, message: RegExp, why: string): Listed {
  return {
    why,
    matches: (finding) =>
      finding.check === 'positive_data_acceptance' &&
      finding.code === code &&
      message.test(finding.message),
  };
}

/** All accepted findings. A finding that matches none of them is a surprise. */
export const listed: readonly Listed[] = [
  {
    why: 'a stream is 501 to every method where `streaming` is not switched on',
    matches: ({ check, status, code, operation }) =>
      check === 'not_a_server_error' &&
      status === 501 &&
      operation.endsWith('/stream') &&
      (code === 'NOT_IMPLEMENTED' || operation.startsWith('HEAD ')),
  },
  {
    why: 'nor is a method that no description can name 405 there',
    matches: ({ check, status, operation }) =>
      check === 'unsupported_method' && status === 501 && operation.endsWith('/stream'),
  },
  {
    why: 'an unknown method is specified as 404, not 405',
    matches: ({ check, status, code }) =>
      check === 'unsupported_method' && status === 404 && code === 'NOT_FOUND',
  },
  {
    why: 'without a key every method is 403, not 405',
    matches: ({ check, status, code }) =>
      check === 'unsupported_method' && status === 403 && code === 'Forbidden',
  },
  {
    why: 'what a model wrote and nobody can use is specified as 502',
    matches: ({ check, status, code }) =>
      check === 'not_a_server_error' && status === 502 && code === 'BAD_OUTPUT',
  },
  refused('INVALID', /^The idempotency-key was used/, 'one key identifies one request'),
  refused(
    'INVALID',
    /^messages.* (?:does not match an open tool call|must come after the result|end before the result|has the same id twice)/,
    'the order of a conversation is described in text, because JSON Schema cannot express it',
  ),
  refused(
    'INVALID',
    /^(?:toolChoice\.name does not match any tool|tools\[\d+\]\.name is given twice)/,
    'JSON Schema cannot require different names, or a name from another list',
  ),
  refused(
    'INVALID',
    /^(?:schema|tools\[\d+\]\.inputSchema)[.[ ]/,
    'a nested JSON Schema is described in text',
  ),
  refused(
    'INVALID',
    /does not accept images/,
    'GET /v1/models lists the models that accept images',
  ),
  refused(
    'USER_REQUIRED',
    /^userId is missing/,
    'no description lists the apps that meter credits',
  ),
  refused('MODEL_NOT_PRICED', /has no price/, 'GET /v1/models lists the models with prices'),
  refused('TRUNCATED', /cut off at maxTokens/, 'the output needed more tokens than maxTokens'),
];
