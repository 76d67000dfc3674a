import { noUsage, together } from '../../evidence/merge.ts';
import { type FailedParts, failedAnswer } from '../../failures/failed-attempt.ts';
import type { AnswerHead } from '../../http/transport.ts';
import type { AttemptOutcome, ReportedUsage } from '../../model/port.ts';
import { hasContent } from '../../redaction/error-body.ts';
import type { Follower } from './follower.ts';

type FailedOutcome = Extract<AttemptOutcome, { kind: 'failed' }>;

export interface StoppedParts {
  readonly follower: Pick<Follower, 'hasContent' | 'hasShown' | 'wasHeldBack'>;
  readonly reported: ReportedUsage | undefined;
  readonly failed: FailedParts;
}

/** The call might have been billed, and a retry would produce another response. */
export function asBroken(
  { follower, reported }: StoppedParts,
  failed: FailedOutcome,
): FailedOutcome {
  return {
    ...failed,
    usage: withoutZeroInput(reported),
    isRetryable: failed.isRetryable && !follower.hasContent,
    broke: true,
    ...(follower.wasHeldBack ? { wasHeldBack: true } : {}),
  };
}

/**
 * An error object without content equals that HTTP status, and only counts before it are booked.
 * After content it is a break.
 */
export function stoppedByError(
  parts: StoppedParts,
  head: AnswerHead,
  { event, isLastEvent }: { readonly event: unknown; readonly isLastEvent: boolean },
): FailedOutcome {
  const { follower } = parts;
  const body = Buffer.from(JSON.stringify(event));
  const named = failedAnswer({ ...head, body }, undefined, parts.failed);
  const isAfterContent = follower.hasContent || hasContent(event);
  const failed = isAfterContent ? afterContent(named, follower.hasShown, head) : named;
  const isRetryable = failed.isRetryable && !follower.hasShown;
  if (isLastEvent) return { ...failed, isRetryable, usage: parts.reported };
  const reported = allReported(parts.reported, named.usage);
  const usage = withoutZeroInput(reported);
  const hasCounts = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) > 0;
  if (isAfterContent || (hasCounts && failed.billed === 'unknown')) {
    return { ...asBroken({ ...parts, reported }, failed), isRetryable };
  }
  return { ...failed, isRetryable, usage: hasCounts ? asPartial(usage) : undefined };
}

/** The call might have been billed. A caller that saw a part gets one error. */
function afterContent(
  named: FailedOutcome,
  hasShown: boolean,
  { status }: AnswerHead,
): FailedOutcome {
  const code = hasShown ? 'SERVER' : named.code;
  return { ...named, code, billed: 'unknown', status, namedStatus: named.status };
}

function allReported(
  before: ReportedUsage | undefined,
  last: ReportedUsage | undefined,
): ReportedUsage | undefined {
  return before === undefined || last === undefined ? (before ?? last) : together(before, last);
}

function asPartial(usage: ReportedUsage | undefined): ReportedUsage {
  return { ...noUsage, doubts: usage?.doubts ?? noUsage.doubts, atLeast: usage };
}

/** Some servers begin with an input of 0, which means unreported. */
function withoutZeroInput(usage: ReportedUsage | undefined): ReportedUsage | undefined {
  if (usage?.inputTokens !== 0) return usage;
  const { outputTokens } = usage;
  return outputTokens === 0 || outputTokens === undefined
    ? undefined
    : { ...usage, inputTokens: undefined };
}
