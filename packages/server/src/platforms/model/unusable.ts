import type { AnswerHead } from '../http/transport.ts';

export const unusableCauses = {
  compressed: 'the responses are compressed although not requested; turn off compression',
  html: 'the responses are HTML; check the baseUrl, and any proxy or login page in front of it',
  empty: 'the responses are empty; check the baseUrl, and any proxy in front of it',
  'not-json': 'the responses are not JSON; check the baseUrl and the kind of the platform',
  'other-shape':
    'the responses contain no answer; check upstreamModel, the baseUrl and the platform kind',
  'no-stream': 'the responses are not streams, although streams are requested',
  malformed: 'the responses end early, or their length does not match content-length',
} as const;

export type UnusableCause = keyof typeof unusableCauses;

export function causeOf(
  wrong: string,
  { status, headers }: AnswerHead,
  body: Buffer,
): UnusableCause | undefined {
  if (status < 200 || status >= 300) return undefined;
  const start = body.toString('utf8', 0, 64).trimStart();
  if (/html/i.test(headers['content-type'] ?? '') || start.startsWith('<')) return 'html';
  if (wrong.endsWith('shape')) return 'other-shape';
  if (wrong.endsWith('not a stream') && start.startsWith('{')) return 'no-stream';
  return body.length === 0 ? 'empty' : 'not-json';
}

/**
 * For a response that was not read to its end. Its size and complexity may be due to the caller's
 * request, so they are no evidence against the platform.
 */
export function causeOfCode(
  code: string,
  answer: Pick<AnswerHead, 'status'> | undefined,
): UnusableCause | undefined {
  if (answer === undefined || answer.status < 200 || answer.status >= 300) return undefined;
  if (code === 'ANSWER_ENCODED') return 'compressed';
  const isMalformed = code === 'ANSWER_ODD_EVENT' || code === 'ANSWER_LENGTH';
  return isMalformed ? 'malformed' : undefined;
}
