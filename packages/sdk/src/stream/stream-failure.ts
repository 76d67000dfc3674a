import type { Cost, Usage } from '@model-gateway/contract';
import { readHead } from '../answer-head.ts';
import { describeApiError, type Failure, isRecord } from '../failure.ts';
import { isError } from '../is-error.ts';
import { isUsd } from '../usd.ts';

/** The failure that an `error` event is: the stream's last one, after it had begun. */
export function eventFailure(
  headers: Headers,
  body: Readonly<Record<string, unknown>>,
  partialText: string,
): Failure {
  const usage = isUsage(body.usage) ? body.usage : undefined;
  const cost = isCost(body.cost) ? body.cost : undefined;
  return {
    ...describeApiError(body.error, 'BAD_RESPONSE'),
    status: 200,
    // Text has been shown already: another answer would not go on from it.
    refusesRetry: true,
    head: readHead(headers),
    found: { usage, cost, partialText },
  };
}

/** The failure that a stream is whose connection broke, or whose end never came. */
export function brokenFailure(headers: Headers, cause: unknown, partialText: string): Failure {
  const reason = isError(cause) ? cause.message : 'it ended before its last event';
  return {
    status: 0,
    code: 'NETWORK',
    message: `the stream broke off: ${reason}; final() collects the answer by its idempotencyKey`,
    isApiError: false,
    refusesRetry: false,
    cause,
    head: readHead(headers),
    found: { partialText },
  };
}

function isUsage(value: unknown): value is Usage {
  return isRecord(value) && typeof value.outputTokens === 'number';
}

function isCost(value: unknown): value is Cost {
  return isRecord(value) && (value.usd === null || isUsd(value.usd));
}
