import { falselyBooked, falselyExact, needlessEstimates, shownBills } from './booking-verdict.ts';
import type { Account, BookedAttempt, BookedCall, Books, CallResult } from './books/books.ts';
import { isConclusive, sum } from './books/spent-caps.ts';
import { type BudgetVerdict, isSoundBudget, judgeBudgets } from './budget-verdict.ts';
import { type CallInBooks, isCut, lossOf } from './lost-calls.ts';
import { overspendOf } from './overspend.ts';
import { judgeScope, type ScopeVerdict } from './scope-verdict.ts';
import { chargedWithoutResponse, wrongPayments } from './user-verdict.ts';

export interface AccountVerdict {
  readonly name: string;
  readonly capPicoUsd: bigint;
  readonly requestedPicoUsd: bigint;
  readonly billedPicoUsd: bigint;
  readonly bookedPicoUsd: bigint;
  readonly overspendPicoUsd: bigint;
  readonly falseRefusals: number;
  readonly doubled: number;
  /** Billed or successful but not booked, or without a response. */
  readonly lost: number;
  readonly losses: readonly string[];
  /** Users whose wallets paid for responses that they neither received nor can collect. */
  readonly chargedWithoutResponse: number;
  /** Booked as exact though the platform's reports cannot show it. */
  readonly falseExact: number;
  /** Above the bill of a rejection, or exact with another amount. */
  readonly falseBookings: number;
  readonly heldPicoUsd: bigint;
}

export interface Verdict {
  readonly accounts: readonly AccountVerdict[];
  readonly scopes: readonly ScopeVerdict[];
  readonly budgets: readonly BudgetVerdict[];
  readonly broken: readonly string[];
  readonly isZero: boolean;
  readonly isClean: boolean;
  /** At least 95 % of the budgets were spent: below that, zeros prove little. */
  readonly isConclusive: boolean;
}

export function verdict(books: Books): Verdict {
  const accounts = books.accounts.map((account) =>
    judge(account, account.isRepeated === true ? byRequest(books) : books),
  );
  const scopes = books.scopes.map((scope) => judgeScope(scope, books));
  const budgets = judgeBudgets(books.budgets);
  const findings = budgets.flatMap((budget) => budget.findings.slice(0, 3));
  const broken = [
    ...books.broken,
    ...crowdsAbove(books),
    ...notCorrected(books),
    ...findings,
    ...needlessEstimates(books).slice(0, linesMax),
    ...wrongPayments(books.users ?? []).slice(0, linesMax),
    ...accounts.flatMap(({ losses }) => losses.slice(0, linesMax)),
  ];
  const isZero =
    budgets.every(isSoundBudget) &&
    accounts.every(
      ({ doubled, lost, heldPicoUsd, falseExact, falseBookings, chargedWithoutResponse }) =>
        heldPicoUsd === 0n &&
        doubled + lost + falseExact + falseBookings + chargedWithoutResponse === 0,
    ) &&
    [...accounts, ...scopes].every(
      ({ overspendPicoUsd, falseRefusals }) => overspendPicoUsd === 0n && falseRefusals === 0,
    );
  return {
    accounts,
    ...{ scopes, budgets, broken },
    isZero,
    isClean: isZero && broken.length === 0,
    isConclusive: [accounts, ...scopes.map((scope) => [scope])].every(isConclusive),
  };
}

const linesMax = 20;

function judge(account: Account, books: Books): AccountVerdict {
  const labels = labelsByIds(books);
  const isOwn = (row: { readonly account: string }) => row.account === account.name;
  const billed = books.billed.filter(isOwn);
  const booked = books.booked.filter(isOwn);
  const callResults = books.callResults.filter(isOwn);
  const calls = sortByLabel({ billed, booked, callResults }, labels);
  const crowds = books.crowds.filter(isOwn);
  const losses = calls.flatMap((call) => {
    const why = lossOf(call, account, books);
    return why === undefined ? [] : [`${call.label} was lost: ${why}`];
  });
  return {
    name: account.name,
    capPicoUsd: account.capPicoUsd,
    requestedPicoUsd: requestedOf(callResults),
    billedPicoUsd: sum(billed, ({ picoUsd }) => picoUsd),
    bookedPicoUsd: sum(booked, ({ picoUsd }) => picoUsd),
    overspendPicoUsd: overspendOf(account, {
      billed: shownBills(books, billed),
      booked,
      callResults,
    }),
    falseRefusals:
      callResults.filter((call) => call.kind === 'refused' && !isTrueRefusal(call.message)).length +
      crowds.reduce((total, { fits, admitted }) => total + Math.max(0, fits - admitted), 0),
    doubled: calls.filter(isDoubled).length,
    lost: losses.length,
    losses,
    chargedWithoutResponse: chargedWithoutResponse((books.users ?? []).filter(isOwn)),
    falseExact: falselyExact(books, booked).length,
    falseBookings: falselyBooked(books, booked).length,
    heldPicoUsd: sum(books.held.filter(isOwn), ({ picoUsd }) => picoUsd),
  };
}

/** A retry with its key requests nothing more. */
function requestedOf(callResults: readonly CallResult[]): bigint {
  const mosts = new Map(
    callResults.map(({ label, maximumCostPicoUsd }) => [label, maximumCostPicoUsd]),
  );
  return sum([...mosts.values()], (maximumCostPicoUsd) => maximumCostPicoUsd);
}

function sortByLabel(
  { billed, booked, callResults }: Omit<CallInBooks, 'label'>,
  labels: ReadonlyMap<string, string>,
): readonly CallInBooks[] {
  const calls = new Map<string, CallInBooks>();
  for (const call of billed) at(call.label).billed.push(call);
  for (const call of booked) at(labelOf(call)).booked.push(call);
  for (const call of callResults) at(call.label).callResults.push(call);
  return [...calls.values()];

  function at(label: string): CallInBooks {
    const entry = calls.get(label) ?? { label, billed: [], booked: [], callResults: [] };
    calls.set(label, entry);
    return entry;
  }

  function labelOf(call: BookedCall): string {
    if (call.label !== undefined) return call.label;
    const [requestId = ''] = call.attempts.flatMap((attempt) => attempt.requestId ?? []);
    return labels.get(requestId) ?? labels.get(call.callId) ?? call.callId;
  }
}

function labelsByIds({ billed, callResults }: Books): ReadonlyMap<string, string> {
  return new Map([
    ...billed.map(({ requestId, label }) => [requestId, label] as const),
    ...callResults.flatMap(({ failedIds = [], label }) =>
      failedIds.map((id) => [id, label] as const),
    ),
  ]);
}

function isDoubled({ billed, booked, callResults }: CallInBooks): boolean {
  const attempts = booked.flatMap((call) => call.attempts);
  const named = attempts.filter(({ requestId }) => requestId !== undefined);
  const isBookedTwice = new Set(named.map(({ requestId }) => requestId)).size < named.length;
  const answers = booked.filter(({ code }) => code === 'OK');
  const callIds = new Set(
    callResults.flatMap((call) => (call.kind === 'answered' ? call.callId : [])),
  );
  // A second call is valid only after a lost response, which is booked as an estimate.
  const isBilledTwice =
    billed.length > 1 + booked.filter(isCut).length + attempts.filter(isLostOne).length;
  return (
    isBookedTwice || answers.length > 1 || callIds.size > 1 || isBilledTwice || isBookedAbove()
  );

  /** Booked as exact above its bill, or never billed. */
  function isBookedAbove(): boolean {
    const bills = new Map(billed.map(({ requestId, picoUsd }) => [requestId, picoUsd]));
    return attempts.some(
      ({ requestId, picoUsd, isEstimated }) =>
        !isEstimated && picoUsd > (bills.get(requestId ?? '') ?? 0n),
    );
  }
}

/** Its response was lost after it might have been billed. */
function isLostOne({ isAnswered, isEstimated }: BookedAttempt): boolean {
  return !isAnswered && isEstimated;
}

function crowdsAbove({ crowds }: Books): readonly string[] {
  return crowds.flatMap(({ account, fits, admitted }) =>
    admitted > fits ? `${account}: ${admitted} calls were admitted where ${fits} fit` : [],
  );
}

function notCorrected({ booked, corrections }: Books): readonly string[] {
  return booked.flatMap(({ callId, picoUsd }) => {
    const corrected = corrections.get(callId) ?? picoUsd;
    if (corrected === picoUsd) return [];
    return `${callId} was corrected to ${corrected} pico-USD, and is booked with ${picoUsd}`;
  });
}

/** Equal requests share a label: here each admitted one is a call under the platform's id. */
function byRequest(books: Books): Books {
  const requests = new Map(
    books.booked.map(({ callId, attempts }) => [callId, attempts[0]?.requestId ?? callId]),
  );
  return {
    ...books,
    billed: books.billed.map((call) => ({ ...call, label: call.requestId })),
    booked: books.booked.map((call) => ({ ...call, label: requests.get(call.callId) })),
    callResults: books.callResults.map((call) => {
      const label = call.kind === 'answered' ? requests.get(call.callId) : undefined;
      return { ...call, label: label ?? call.label };
    }),
  };
}

/** Callers do not see a group's amounts: the crowd shows whether it was full. */
const withoutAmounts =
  /^Budget exceeded: the (?:daily|monthly) budget of the group \S+ cannot cover this call/;

/**
 * Spent, reserved and needed must exceed the budget. The sentence has the amounts in this order:
 * budget, spent, reserved, needed.
 */
export function isTrueRefusal(message: string): boolean {
  if (withoutAmounts.test(message)) return true;
  const amounts = [...message.matchAll(/\$(\d+)(?:\.(\d+))?/g)].map(([, whole, fraction]) =>
    BigInt(`${whole}${(fraction ?? '').padEnd(12, '0')}`),
  );
  const [cap, spent, held, needed] = amounts;
  if (cap === undefined || spent === undefined || held === undefined) return false;
  return needed !== undefined && spent + held + needed > cap;
}
