import type { CreditsAnswer } from '@model-gateway/contract';
import { listedNames } from '../../lib/nearest.ts';
import type { ReopenedWallets } from '../budgets/reopen-budgets.ts';
import { factLines, tableLines } from '../text-lines.ts';
import type { WalletHistory } from './wallet-history.ts';

/** A user's credits of this month. */
export function walletLines(wallet: CreditsAnswer): readonly string[] {
  return factLines([
    ['user', wallet.userId],
    ['period', wallet.period],
    ['granted', wallet.granted],
    ['topped up', wallet.toppedUp],
    ['spent', wallet.spent],
    ['held', wallet.held],
    ['available', wallet.available],
    ['resets', wallet.resetsAt],
    ...closedFacts(wallet),
  ]);
}

function closedFacts({ closedAt }: CreditsAnswer): readonly (readonly [string, string])[] {
  if (closedAt === undefined) return [];
  const opens = '"wallets reopen --all" opens it';
  return [['closed', `since the store was restored at ${closedAt}; ${opens}`]];
}

/** What `wallets reopen` asks about. */
export function reopeningLines({ restoredAt, apps }: ReopenedWallets): readonly string[] {
  return [
    `The store was restored at ${restoredAt}, so wallets might be missing spent credits.`,
    `This opens the wallets of ${apps.length === 0 ? 'every app' : listedNames(apps)}: users spend what the store knows as left.`,
  ];
}

/** What it has opened. */
export function reopenedLines({ apps }: ReopenedWallets): readonly string[] {
  return [`The wallets of ${apps.length === 0 ? 'every app' : listedNames(apps)} are open.`];
}

/** What a wallet was granted and has spent, and its top-ups. */
export function historyLines({ months, changes }: WalletHistory): readonly string[] {
  return [
    ...tableLines(
      ['month', 'granted', 'spent of it', 'spent of top-ups'],
      months.map((month) => [month.period, month.granted, month.spentGrant, month.spentTopUp]),
      'No call was paid by this wallet.',
      ['granted', 'spent of it', 'spent of top-ups'],
    ),
    '',
    ...tableLines(
      ['at', 'credits', 'by', 'reference', 'why'],
      changes.map(({ at, credits, actor, reference, reason }) => [
        ...[at, credits, actor ?? 'unknown', reference, reason ?? 'not said'],
      ]),
      'There was no top-up and no debit.',
      ['credits'],
    ),
  ];
}
