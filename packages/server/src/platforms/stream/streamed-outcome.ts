import { readErrorBody } from '../error-body.ts';
import { type FailedParts, failedAnswer, failedExchange } from '../failed-attempt.ts';
import type { AttemptOutcome, Finish, ModelContent, ReportedUsage } from '../port.ts';
import { requestIdOf } from '../request-id.ts';
import { type AnswerHead, isFailure, type SendOutcome } from '../transport.ts';
import type { AnswerStream, StreamEnd } from './answer-stream.ts';
import type { EventJson, Fold } from './fold.ts';
import type { Follower } from './follower.ts';

type Failed = Extract<AttemptOutcome, { kind: 'failed' }>;

/** What an answer says. */
interface Read {
  readonly content: readonly ModelContent[];
  readonly finish: Finish;
  readonly finishRaw: string | undefined;
}

/** What a stream's outcome is made from. */
export interface StreamedParts {
  readonly stream: AnswerStream;
  readonly follower: Follower;
  readonly fold: Fold;
  readonly sent: SendOutcome;
  /** Reads what the events come to, as it would be read at once. */
  readonly decode: (answer: EventJson) => Read | undefined;
  readonly failed: FailedParts;
}

/**
 * What an attempt came to whose answer was a stream; undefined where it was none. One that ended
 * with its last event is read like an answer that came at once.
 */
export function streamedOutcome(parts: StreamedParts): AttemptOutcome | undefined {
  const { stream, follower, sent } = parts;
  const { head } = stream;
  if (head === undefined) return undefined;
  const end = stream.end(!isFailure(sent));
  if (end.kind !== 'whole') return brokenOff(parts, head, end);
  const answer = parts.fold.answer();
  const read = parts.decode(answer);
  if (read === undefined) return withCounts(failedAs(parts, head, oddAnswer), parts);
  // What no piece had of it is told with the end.
  const news = read.content.filter(({ type }) => type === 'text' && !follower.hasToldText);
  for (const part of news) follower.tell(part);
  follower.tellCalls(read.content);
  const usage = parts.fold.final();
  const requestId = requestIdOf(head.headers, answer);
  const body = stream.lastEvents;
  const answered = { kind: 'answered', ...read, usage, requestId } as const;
  return body === undefined ? answered : { ...answered, body };
}

const oddAnswer = 'the answer is of another shape';
const endedEarly = 'the stream ended before the answer did';

/** It may have been billed; asked again, the platform would say other words than were told. */
function brokenOff(parts: StreamedParts, head: AnswerHead, end: StreamEnd): Failed {
  const { follower } = parts;
  const isLastEvent = end.kind === 'failed' && end.isLastEvent;
  const counted = withCounts(failureOf(parts, head, end), parts);
  const failed = isLastEvent ? counted : { ...counted, usage: statedSoFar(counted.usage) };
  return {
    ...failed,
    isRetryable: failed.isRetryable && !follower.hasTold,
    ...(isLastEvent ? {} : { broke: true }),
    ...(!isLastEvent && follower.wasHeldBack ? { wasHeldBack: true } : {}),
  };
}

function failureOf(parts: StreamedParts, head: AnswerHead, end: StreamEnd): Failed {
  const { sent } = parts;
  if (isFailure(sent)) return failedExchange(sent, parts.failed);
  if (end.kind !== 'failed') return { ...failedAs(parts, head, endedEarly), isRetryable: true };
  const body = JSON.stringify(end.event);
  const { codes } = readErrorBody(body);
  const failed = failedAnswer({ ...head, body: Buffer.from(body) }, undefined, parts.failed);
  return { ...failed, isRetryable: !codes.some(isLasting) };
}

/** Whether a code says that another attempt would fare no better. */
function isLasting(code: string): boolean {
  return /invalid|authent|permission|not_found|quota|billing|too_large|length|policy/.test(code);
}

function failedAs({ failed }: StreamedParts, head: AnswerHead, wrong: string): Failed {
  return failedAnswer({ ...head, body: Buffer.alloc(0) }, wrong, failed);
}

/** Some servers begin with an input of 0, which no request has: it is not stated yet. */
function statedSoFar(usage: ReportedUsage | undefined): ReportedUsage | undefined {
  if (usage?.inputTokens !== 0) return usage;
  const { outputTokens } = usage;
  return outputTokens === 0 || outputTokens === undefined
    ? undefined
    : { ...usage, inputTokens: undefined };
}

function withCounts(failed: Failed, { fold }: StreamedParts): Failed {
  return { ...failed, usage: fold.stated() };
}
