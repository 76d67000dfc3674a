import type { CarriedOutput } from '../../../domain/carry.ts';
import type { Vector } from '../../../domain/vector.ts';
import { type FailedParts, failedAnswer, failedExchange } from '../../failures/failed-attempt.ts';
import { type AnswerHead, isFailure, requestIdOf, type SendOutcome } from '../../http/transport.ts';
import type { ModelContent } from '../../model/content.ts';
import type { AttemptOutcome } from '../../model/port.ts';
import type { Finish } from '../../statements/finish-reasons.ts';
import type { EventJson, Fold } from '../codec/fold.ts';
import type { AnswerStream, StreamEnd } from './answer-stream.ts';
import type { Follower } from './follower.ts';
import { asBroken, stoppedByError } from './stopped-by-error.ts';

type FailedOutcome = Extract<AttemptOutcome, { kind: 'failed' }>;

interface GeneratedAnswer {
  readonly content: readonly ModelContent[];
  readonly finish: Finish;
  readonly finishRaw: string | undefined;
  readonly vectors?: readonly Vector[];
  readonly carried?: CarriedOutput | undefined;
}

export interface StreamedParts {
  readonly stream: AnswerStream;
  readonly follower: Follower;
  readonly fold: Fold;
  readonly sent: SendOutcome;
  readonly decode: (answer: EventJson) => GeneratedAnswer | undefined;
  readonly failed: FailedParts;
}

export function streamedOutcome(parts: StreamedParts): AttemptOutcome | undefined {
  const { stream, follower, sent } = parts;
  const { head } = stream;
  if (head === undefined) return undefined;
  const end = stream.end(!isFailure(sent));
  if (end.kind !== 'whole') return brokenOutcome(parts, head, end);
  const answer = parts.fold.answer();
  const read = parts.decode(answer);
  if (read === undefined || (hasNoContent(read) && parts.fold.reportedSoFar() === undefined))
    return withCounts(failedAs(parts, head, unexpectedShape), parts);
  if (read.content.length === 0 && read.finish === 'error') {
    return brokenOutcome(parts, head, { kind: 'failed', event: answer, isLastEvent: true });
  }
  // Texts that no delta contained are sent with the end.
  const unsentTexts = read.content.filter(({ type }) => type === 'text' && !follower.hasText);
  for (const part of unsentTexts) follower.emit(part);
  follower.emitCalls(read);
  const usage = parts.fold.final();
  const requestId = requestIdOf(head.headers, answer);
  const body = stream.lastEvents;
  const answered = { kind: 'answered', ...read, usage, requestId } as const;
  return body === undefined ? answered : { ...answered, body };
}

export function hasNoContent({ content, finishRaw, vectors }: GeneratedAnswer): boolean {
  return content.length === 0 && finishRaw === undefined && vectors === undefined;
}

const unexpectedShape = 'the response has an unexpected shape';
const endedEarly = 'the stream ended before the response was complete';

/** A break without an error object might have been billed. */
function brokenOutcome(parts: StreamedParts, head: AnswerHead, end: StreamEnd): FailedOutcome {
  const { sent, follower, fold, failed } = parts;
  const stopped = { follower, reported: fold.reportedSoFar(), failed };
  if (end.kind === 'failed') {
    const { event, isLastEvent } = end;
    return stoppedByError(stopped, head, { event, isLastEvent });
  }
  if (isFailure(sent)) return asBroken(stopped, failedExchange(sent, failed));
  return asBroken(stopped, { ...failedAs(parts, head, endedEarly), isRetryable: true });
}

function failedAs({ failed }: StreamedParts, head: AnswerHead, wrong: string): FailedOutcome {
  return failedAnswer({ ...head, body: Buffer.alloc(0) }, wrong, failed);
}

function withCounts(failed: FailedOutcome, { fold }: StreamedParts): FailedOutcome {
  return { ...failed, usage: fold.reportedSoFar() };
}
