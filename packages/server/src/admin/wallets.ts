import type { CreditsAnswer } from '@model-gateway/contract';
import type { CreditsConfig } from '../config/config.ts';
import { creditsReport } from '../ledger/credits-report.ts';
import { selectTopup } from '../ledger/queries.ts';
import { createLedgerQueue } from '../ledger/queue.ts';
import { utcMonthOf } from '../lib/clock.ts';
import { formatCredits, parseDecimal, picoUsdMax } from '../lib/money.ts';
import { creditsIn } from '../registry/app.ts';
import { isUserId, isWalletOwner, userIdRule } from '../registry/user-id.ts';
import { appRow } from './apps.ts';
import { auditNote, type Office, OfficeError } from './office.ts';
import { checkReference } from './references.ts';

/** Whose wallet. */
export interface WalletOwner {
  readonly app: string;
  readonly userId: string;
}

/** A change of a wallet's top-up money. */
export interface WalletChange extends WalletOwner {
  /** Exact decimal credits, above 0, with at most 6 decimals. */
  readonly credits: string;
  /** The same reference acts once; undefined for a change of its own. */
  readonly reference: string | undefined;
}

/** The document of the credits route. Throws an OfficeError for an app without credits. */
export async function showWallet(office: Office, owner: WalletOwner): Promise<CreditsAnswer> {
  const credits = await creditsOf(office, owner);
  return creditsReport(office.store, { ...owner, credits }, office.clock.now());
}

/** Adds money that carries over until it is spent. */
export async function topUpWallet(office: Office, change: WalletChange): Promise<CreditsAnswer> {
  // No call could spend it.
  if (!isUserId(change.userId)) throw wrongUserId();
  return applyChange(office, change, 1n);
}

/** Takes unspent top-up money back. */
export function debitWallet(office: Office, change: WalletChange): Promise<CreditsAnswer> {
  return applyChange(office, change, -1n);
}

/** Whether anything is known of a user: a call that a wallet pays for, or a top-up. */
export async function isKnownUser(
  { store }: Office,
  { app, userId }: WalletOwner,
): Promise<boolean> {
  return (await store.read(selectTopup(app, userId))) !== undefined;
}

/** Whether a wallet was changed under a reference before: the same change then does nothing. */
export async function isKnownReference(
  { store }: Office,
  { app, userId, reference }: Pick<WalletChange, 'app' | 'userId' | 'reference'>,
): Promise<boolean> {
  if (reference === undefined) return false;
  return store.read({
    sql: 'select 1 from wallet_entry where app = $1 and user_id = $2 and reference = $3',
    values: [app, userId, reference],
    map: (rows) => rows.length > 0,
  });
}

async function applyChange(office: Office, change: WalletChange, sign: 1n | -1n) {
  const { app, userId } = change;
  const credits = await creditsOf(office, change);
  const amount = sign * amountOf(change.credits, credits.picoUsdPerCredit);
  const reference = change.reference ?? office.ids.next('topup');
  checkReference(reference);
  const queue = createLedgerQueue({ store: office.store, clock: office.clock, batchMax: 1 });
  const now = office.clock.now();
  const { picoUsdPerCredit } = credits;
  const action = sign > 0n ? 'wallet.top-up' : 'wallet.debit';
  const note = auditNote(office, { action, subject: `${app}/${userId}` });
  const line = { ...note, reference: change.reference, picoUsdPerCredit };
  const outcome = await queue
    .submit({ kind: 'top-up', app, userId, amount, reference, now, line })
    .catch((cause: Error) => {
      throw new OfficeError(`the wallet was not changed: ${cause.message}`);
    });
  if (outcome?.kind === 'not-enough') {
    const left = formatCredits(outcome.available, picoUsdPerCredit);
    throw new OfficeError(
      `only ${left} credits of top-ups are unspent: a debit takes back top-up money alone`,
    );
  }
  if (outcome?.kind === 'too-much') {
    const room = formatCredits(outcome.room, picoUsdPerCredit);
    throw new OfficeError(
      `${change.credits} credits are more than the wallet of ${userId} can still count: at most ${room} with all that it was ever given`,
    );
  }
  return showWallet(office, change);
}

function wrongUserId(): OfficeError {
  return new OfficeError(`the user id ${userIdRule}`, { isBadValue: true });
}

async function creditsOf(office: Office, { app, userId }: WalletOwner): Promise<CreditsConfig> {
  const row = await appRow(office, app);
  const credits = creditsIn(row, utcMonthOf(office.clock.now()));
  if (credits === undefined) {
    throw new OfficeError(`the app ${app} does not meter credits, so its users have no wallets`);
  }
  if (!isWalletOwner(userId)) throw wrongUserId();
  return credits;
}

/** Decimals that a top-up may have. */
const decimalsMax = 6;

function amountOf(credits: string, picoUsdPerCredit: bigint): bigint {
  const micro = parseDecimal(credits, decimalsMax);
  if (micro === undefined || micro === 0n) {
    throw new OfficeError(
      `"${credits}" is no amount of credits: write a decimal above 0 with at most ${decimalsMax} decimals, such as 100 or 0.5`,
      { isBadValue: true },
    );
  }
  const scaled = micro * picoUsdPerCredit;
  const scale = 10n ** BigInt(decimalsMax);
  if (scaled % scale !== 0n) {
    throw new OfficeError(
      `${credits} credits are no whole number of pico-USD; use fewer decimals`,
      {
        isBadValue: true,
      },
    );
  }
  const amount = scaled / scale;
  if (amount > picoUsdMax) {
    throw new OfficeError(`${credits} credits are more than a wallet can hold`, {
      isBadValue: true,
    });
  }
  return amount;
}
