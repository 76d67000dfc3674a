import type { ReportedUsage } from '../model/outcome.ts';
import type { Produced } from '../model/produce.ts';
import type { TokenCounts } from '../model/usage.ts';
import type { AnswerParts } from './surface.ts';

export function wholeResponse(
  answer: AnswerParts,
  id: string,
  output: readonly unknown[],
  usage: unknown,
) {
  const reason = incompleteReason(answer.produced);
  const status = reason === undefined ? 'completed' : 'incomplete';
  const details = reason === undefined ? null : { reason };
  return { ...responseOf(answer, id, { status, details, error: null }), output, usage };
}

const none: readonly unknown[] = [];

/** Without output and usage. */
export function responseOf(
  { model, createdAtSeconds }: AnswerParts,
  id: string,
  state: { readonly status: string; readonly details: unknown; readonly error: unknown },
) {
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    status: state.status,
    error: state.error,
    incomplete_details: state.details,
    model,
    output: none,
    previous_response_id: null,
  };
}

/** The wire has no reason for a stop: a whole response is `completed`. */
export function incompleteReason({ finish }: Pick<Produced, 'finish'>): string | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'content-filter' ? 'content_filter' : undefined;
}

/** Undefined leaves it out. */
export function responsesUsage(usage: TokenCounts, reported: AnswerParts['reportedUsage']) {
  if (reported === 'absent') return undefined;
  if (reported === undefined) return trueUsage(usage);
  return responsesCounts(reported);
}

export function responsesCounts({ inputTokens, outputTokens }: ReportedUsage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}

function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const cached = { cached_tokens: cachedInputTokens };
  const written = { cache_write_tokens: cacheWriteInputTokens };
  return {
    input_tokens: inputTokens,
    input_tokens_details: cacheWriteInputTokens > 0 ? { ...cached, ...written } : cached,
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
