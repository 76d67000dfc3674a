import type { WalletEntry, WalletMonth } from '../../books/rows.ts';
import { formatCredits } from '../../lib/money.ts';
import { selectEntries, selectMonths } from '../../store/queries/wallet-history.ts';
import { listLines } from '../audit-log/audit-log.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { LineDocument } from '../documents/audit-log.ts';
import type { WalletHistory } from '../documents/wallets.ts';
import { creditsOf, type WalletOwner } from './wallets.ts';

/** More audit lines than a wallet gets in years. */
const linesMax = 10_000;

/**
 * Returns the months, and each top-up and debit with actor and reason. Throws an AdminError for an
 * app without credits.
 */
export async function walletHistory(
  operator: AdminContext,
  owner: WalletOwner,
): Promise<WalletHistory> {
  const context = withOperatorReads(operator);
  const { app, userId } = owner;
  const { picoUsdPerCredit } = await creditsOf(context, owner);
  const months = await context.store.read(selectMonths(app, userId));
  const entries = await context.store.read(selectEntries(app, userId));
  const search = { subject: `${app}/${userId}`, actor: undefined, since: undefined };
  const lines = await listLines(context, { ...search, limit: linesMax });
  return {
    ...{ app, userId, months: months.map(monthOf) },
    changes: entries.map((entry) => changeOf(entry, lineOf(lines, entry), picoUsdPerCredit)),
  };
}

function monthOf({ month, granted, spentGrant, spentTopup, picoUsdPerCredit }: WalletMonth) {
  const credits = (amount: bigint) => formatCredits(amount, picoUsdPerCredit);
  return {
    ...{ period: month, granted: credits(granted) },
    ...{ spentGrant: credits(spentGrant), spentTopUp: credits(spentTopup) },
  };
}

/** The audit line of a change ends with its reference, even a generated one. */
function lineOf(lines: readonly LineDocument[], { reference }: WalletEntry) {
  return lines.find(({ after }) => after?.endsWith(` credits, reference ${reference}`) === true);
}

function changeOf(
  { at, amount, reference }: WalletEntry,
  line: LineDocument | undefined,
  picoUsdPerCredit: bigint,
) {
  const size = formatCredits(amount < 0n ? -amount : amount, picoUsdPerCredit);
  return {
    at: new Date(at).toISOString(),
    credits: amount < 0n ? `-${size}` : size,
    reference,
    actor: line?.actor ?? null,
    reason: line?.reason ?? null,
  };
}
