import type { TransportFailure } from '../http/transport.ts';
import type { AccountProblem } from '../model/account.ts';
import type { AttemptCode } from '../model/port.ts';

export interface OutcomeRule {
  readonly code: AttemptCode;
  readonly billed: 'no' | 'unknown';
  readonly isRetryable: boolean;
}

const failedUnbilled = { code: 'SERVER', billed: 'no', isRetryable: true } as const;
const maybeFinished = { code: 'SERVER', billed: 'unknown', isRetryable: true } as const;
const unbilledForGood = { code: 'SERVER', billed: 'no', isRetryable: false } as const;

export const unusable = { code: 'SERVER', billed: 'unknown', isRetryable: false } as const;

export const notEncodable = { code: 'BAD_REQUEST', billed: 'no', isRetryable: false } as const;

const throttled = { code: 'THROTTLED', billed: 'no', isRetryable: true } as const;
const unauthorized = { code: 'AUTH', billed: 'no', isRetryable: false } as const;

const byStatus: ReadonlyMap<number, OutcomeRule> = new Map<number, OutcomeRule>([
  [401, unauthorized],
  [402, unbilledForGood],
  [403, unauthorized],
  [404, { code: 'NOT_FOUND', billed: 'no', isRetryable: false }],
  // A conflict, or a request that was too early: the same request may succeed.
  [409, failedUnbilled],
  [425, failedUnbilled],
  [429, throttled],
  // Groq: a tier's capacity is exhausted.
  [498, throttled],
  // A front end timed out while the call might have finished.
  [408, maybeFinished],
  [424, maybeFinished],
  [502, maybeFinished],
  [504, maybeFinished],
]);

/** 2xx means an unusable body. Source: ledger, §4. */
export function ruleOfStatus(status: number): OutcomeRule {
  const rule = byStatus.get(status);
  if (rule !== undefined) return rule;
  if (status >= 300 && status < 400) return unbilledForGood;
  if (status >= 400 && status < 500) return notEncodable;
  return status >= 500 && status < 600 ? failedUnbilled : unusable;
}

/**
 * Like HTTP, with one exception: a front end's 502 lost the call, but a platform that names 502
 * failed.
 */
export function ruleOfNamed(named: number | undefined, errorCodes: readonly string[]): OutcomeRule {
  if (named === undefined) return { ...maybeFinished, isRetryable: !errorCodes.some(isLasting) };
  return named === 502 ? failedUnbilled : ruleOfStatus(named);
}

export function ruleOfAccount(problem: AccountProblem): OutcomeRule {
  if (problem === 'credit') return unbilledForGood;
  return problem === 'quota' ? { ...throttled, isRetryable: false } : unauthorized;
}

function isLasting(code: string): boolean {
  return /invalid|authent|permission|not_found|quota|billing|too_large|length|policy/.test(code);
}

/** Source: ledger, §4. */
export function ruleOfFailure({ kind, wasSent, answer }: TransportFailure): OutcomeRule {
  switch (kind) {
    case 'no-descriptors':
    case 'no-credentials':
      return unbilledForGood;
    case 'aborted':
      return wasSent ? unusable : unbilledForGood;
    case 'lost':
      return wasSent ? maybeFinished : failedUnbilled;
    case 'unusable':
      // The status decides, whatever the unread body contains.
      return answer === undefined ? unusable : ruleOfStatus(answer.status);
  }
}
