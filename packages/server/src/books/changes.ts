import type { AuditLine } from './audit-line.ts';
import type { MonthCorrection } from './month-correction.ts';
import type {
  AnswerRow,
  Attempt,
  BudgetDay,
  CallRecord,
  Hold,
  IdempotencyRow,
  ResultRow,
  UsageDay,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from './rows.ts';
import type { BudgetMember, BudgetScope } from './scope.ts';
import type { CallSplit } from './splits.ts';
import type { UnclaimedPayment } from './unclaimed-payment.ts';

export interface Changes {
  readonly budgets: readonly BudgetDay[];
  readonly scopes: readonly BudgetScope[];
  readonly members: readonly BudgetMember[];
  readonly wallets: readonly WalletMonth[];
  readonly topups: readonly WalletTopup[];
  readonly holdsStarted: readonly Hold[];
  readonly holdsChanged: readonly Hold[];
  readonly holdsEnded: readonly string[];
  readonly callsAdded: readonly CallRecord[];
  readonly callsReplaced: readonly CallRecord[];
  readonly attemptsAdded: readonly Attempt[];
  readonly attemptsChanged: readonly Attempt[];
  readonly usage: readonly UsageDay[];
  readonly adjustments: readonly CallSplit[];
  readonly monthCorrections: readonly MonthCorrection[];
  readonly idempotency: readonly IdempotencyRow[];
  readonly idempotencyRemoved: readonly IdempotencyRow[];
  readonly unclaimedAdded: readonly UnclaimedPayment[];
  readonly unclaimedChanged: readonly UnclaimedPayment[];
  readonly unclaimedEnded: readonly string[];
  readonly answers: readonly AnswerRow[];
  readonly results: readonly ResultRow[];
  readonly entries: readonly WalletEntry[];
  readonly lines: readonly AuditLine[];
}
