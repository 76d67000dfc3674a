import { join } from 'node:path';
import { formatUsd } from '@model-gateway/server/lib/money';
import { dollars, tableLines } from '@model-gateway/server/operations/description/text-lines';
import type { StageResult } from './arena/stage.ts';
import { billedWithin } from './books/spent-caps.ts';
import type { BudgetVerdict } from './budget-verdict.ts';
import { type Findings, totalOf } from './findings.ts';
import type { ScopeVerdict } from './scope-verdict.ts';
import type { AccountVerdict } from './verdict.ts';

export function reportLines(findings: Findings): readonly string[] {
  const { verdict, stages } = findings;
  const total = totalOf(verdict);
  const requested = new Map(
    verdict.accounts.map((account) => [account.name, account.requestedPicoUsd]),
  );
  return [
    ...tableLines(
      ['stage', 'attempt', 'requested', 'admitted'],
      stages.map((stage) => stageRow(stage, requested.get(stage.name))),
      '',
    ),
    '',
    ...tableLines(head, [...verdict.accounts, total].map(accountRow), ''),
    '',
    ...tableLines(scopeHead, verdict.scopes.map(scopeRow), ''),
    '',
    ...tableLines(budgetHead, verdict.budgets.map(budgetRow), ''),
    '',
    ...legend,
    '',
    ...verdict.broken.map((line) => `Broken: ${line}`),
    judgement(findings, total),
    ...howToCheck(findings),
  ];
}

function stageRow(
  { name, line, crowd }: StageResult,
  requestedPicoUsd: bigint | undefined,
): readonly string[] {
  const requested = requestedPicoUsd === undefined ? '' : inCents(requestedPicoUsd);
  const admitted = crowd === undefined ? '' : `${crowd.admitted} of ${crowd.fits} that fit`;
  return [name, line, requested, admitted];
}

const head = [
  'app',
  'cap',
  'billed',
  'of cap',
  'booked',
  'overspend',
  'falsely rejected',
  'twice',
  'lost',
  'charged',
  'exact',
  'false',
  'held',
];

const legend = [
  "billed: by the platform's bill; booked: by the gateway's ledger; reported: to the callers.",
  'twice: calls billed, booked or reported twice. lost: billed or reported but not booked, or never answered.',
  'charged: users who paid for a response that they did not receive and cannot collect.',
  'exact: calls booked as exact although their platform reported two different counts, other',
  'terms, a higher cost or zeros. false: calls booked above the bill of a rejection, or as exact with',
  'another amount than billed.',
  'kills: a call that a kill interrupted is booked in full, whether the platform billed it or not.',
  'overstated: its platform bills more than requested. So its last call passes the budget, and is',
  'booked in full; a call that is admitted after it would be overspend.',
  'reported: its platform bills other terms in addition to the reported counts, which are booked.',
  'served: its platform chooses tier and region, and bills up to twice the standard price.',
  'members: budgets whose members change; their counts are compared with the calls by plain SQL.',
  'scopes: nested budgets, filled one after the other by calls of the four apps above midnight.',
];

/** The rows of the apps above include these budgets' calls. */
const scopeHead = ['scope', ...head.slice(1, 7)];

function scopeRow(scope: ScopeVerdict): readonly string[] {
  return [
    scope.name,
    dollars(formatUsd(scope.capPicoUsd)),
    dollars(formatUsd(scope.billedPicoUsd)),
    percent(scope.billedPicoUsd, scope.capPicoUsd),
    dollars(formatUsd(scope.bookedPicoUsd)),
    dollars(formatUsd(scope.overspendPicoUsd)),
    String(scope.falseRefusals),
  ];
}

const budgetHead = ['budget', 'checks', 'lost', 'doubled', 'wrongly reserved'];

function budgetRow(budget: BudgetVerdict): readonly string[] {
  return [
    budget.name,
    String(budget.checks),
    dollars(formatUsd(budget.lostPicoUsd)),
    dollars(formatUsd(budget.doubledPicoUsd)),
    dollars(formatUsd(budget.wronglyHeldPicoUsd)),
  ];
}

function accountRow(account: AccountVerdict): readonly string[] {
  const { capPicoUsd, billedPicoUsd } = account;
  return [
    account.name,
    dollars(formatUsd(capPicoUsd)),
    dollars(formatUsd(billedPicoUsd)),
    percent(billedPicoUsd, capPicoUsd),
    dollars(formatUsd(account.bookedPicoUsd)),
    dollars(formatUsd(account.overspendPicoUsd)),
    String(account.falseRefusals),
    String(account.doubled),
    String(account.lost),
    String(account.chargedWithoutResponse),
    String(account.falseExact),
    String(account.falseBookings),
    dollars(formatUsd(account.heldPicoUsd)),
  ];
}

/** Two decimals, rounded down: only the full amount is 100.00 %. */
function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? '–' : `${hundredths((part * 10_000n) / whole)} %`;
}

function inCents(picoUsd: bigint): string {
  return dollars(hundredths(picoUsd / 10_000_000_000n));
}

function hundredths(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
}

function judgement({ verdict }: Findings, total: AccountVerdict): string {
  if (!verdict.isZero)
    return 'THE LEDGERS DISAGREE, OR A BUDGET WAS EXCEEDED. See the values that are not 0.';
  if (!verdict.isClean) return 'A PROMISE WAS BROKEN. See the lines above.';
  const { requestedPicoUsd, capPicoUsd } = total;
  const within = percent(billedWithin(verdict.accounts), capPicoUsd);
  const spent = `${inCents(requestedPicoUsd)} were requested of budgets of ${inCents(capPicoUsd)}, and ${within} of the budgets were spent`;
  if (!verdict.isConclusive) return `TOO LITTLE WAS SPENT to prove anything: ${spent}.`;
  return `No budget was exceeded: ${spent}. Bill, ledger and callers agree on every call.`;
}

function howToCheck({ seed, store, keep }: Findings): readonly string[] {
  const again = `To repeat the same choices: attack --seed ${seed}`;
  const replicas =
    store === 'sqlite'
      ? [
          'Not shown: two services on one store, which requires PostgreSQL: attack --store postgres://…',
        ]
      : [];
  if (keep === undefined) {
    return [
      ...replicas,
      again,
      'The ledgers are deleted. To check them by hand: attack --keep FOLDER',
    ];
  }
  const config = `--config ${join(keep, 'gateway.yaml')}`;
  return [
    ...replicas,
    again,
    `The ledger's sums:   model-gateway audit ${config}`,
    `What an app spent:   model-gateway usage crowd ${config}`,
    `The platform's bill: ${join(keep, 'bill.json')}`,
  ];
}
