import type { CreditsAnswer } from '@model-gateway/contract';
import type { CreditsConfig } from '../../domain/credits.ts';
import { creditsIn } from '../../domain/registered-app.ts';
import { walletsClosedAt } from '../../domain/restore.ts';
import { creditsAnswer, creditsReport, readWallet } from '../../ledger/credits-report.ts';
import { isoSeconds, utcMonthOf } from '../../lib/clock.ts';
import { formatCredits, parseDecimal, picoUsdMax } from '../../lib/money.ts';
import { pseudonymOf, pseudonymsOf } from '../../lib/pseudonym.ts';
import { isUserId, userIdRule } from '../../registry/user-id.ts';
import { selectTopup } from '../../store/queries/ledger.ts';
import { selectWalletEntry } from '../../store/queries/references.ts';
import { openWallets, selectRestore } from '../../store/queries/restores.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { WalletsReopened } from '../documents/wallets.ts';
import { findClosed, writeOpening } from '../restores/restores.ts';

export interface WalletOwner {
  readonly app: string;
  readonly userId: string;
}

export interface WalletChange extends WalletOwner {
  /** Exact decimal, above 0, at most 6 decimals. */
  readonly credits: string;
  /** A reference acts once; undefined: an independent change. */
  readonly reference: string | undefined;
}

/** Throws an AdminError for an app without credits. */
export async function findWallet(
  context: AdminContext,
  owner: WalletOwner,
): Promise<CreditsAnswer> {
  const credits = await creditsOf(context, owner);
  return creditsReport(context.store, { ...owner, credits }, context.clock.now());
}

/** The money carries over until it is spent. */
export async function topUpWallet(
  context: AdminContext,
  change: WalletChange,
): Promise<CreditsAnswer> {
  // No call could spend the credits.
  if (!isUserId(change.userId)) throw wrongUserId();
  return applyChange(context, change, 1n);
}

/** Takes only unspent top-up money. */
export function debitWallet(context: AdminContext, change: WalletChange): Promise<CreditsAnswer> {
  return applyChange(context, change, -1n);
}

/** The audit log keeps its lines, so the subject must not contain the user's name. */
export function walletSubject(
  { store: { ring } }: Pick<AdminContext, 'store'>,
  { app, userId }: WalletOwner,
): string {
  return `${app}/${pseudonymOf(ring, app, userId)}`;
}

/** True after a call that a wallet pays for, or a top-up. */
export async function isKnownUser(
  { store }: AdminContext,
  { app, userId }: WalletOwner,
): Promise<boolean> {
  return (await store.read(selectTopup(app, userId))) !== undefined;
}

/** True: repeating the change does nothing. */
export async function isKnownReference(
  { store }: AdminContext,
  { app, userId, reference }: Pick<WalletChange, 'app' | 'userId' | 'reference'>,
): Promise<boolean> {
  if (reference === undefined) return false;
  return (await store.read(selectWalletEntry(app, userId, reference))) !== undefined;
}

/** Throws an AdminError as the change does; a used reference has no effect. */
export async function planWalletChange(
  context: AdminContext,
  change: WalletChange,
  sign: 1n | -1n,
): Promise<CreditsAnswer> {
  if (sign > 0n && !isUserId(change.userId)) throw wrongUserId();
  const credits = await creditsOf(context, change);
  const amount = sign * amountOf(change.credits, credits.picoUsdPerCredit);
  await refuseErasedReference(context, change);
  const { app, userId, reference } = change;
  const before =
    reference === undefined
      ? undefined
      : await context.store.read(selectWalletEntry(app, userId, reference));
  if (before !== undefined && before !== amount) {
    throw new AdminError(
      `the wallet was not changed: reference ${reference} was already used for a different amount`,
    );
  }
  const nowMs = context.clock.now();
  const wallet = await readWallet(context.store, { app, userId, credits }, utcMonthOf(nowMs));
  const { topup, month } = wallet;
  const restore = await context.store.read(selectRestore);
  const closedAt = restore && walletsClosedAt(restore, month.month);
  const available = topup.added - topup.spent - topup.held;
  const added = topup.added + (before === undefined ? amount : 0n);
  if (before === undefined && available + amount < 0n) {
    throw notEnough(available, credits.picoUsdPerCredit);
  }
  return creditsAnswer({ month, topup: { ...topup, added } }, nowMs, closedAt);
}

function notEnough(available: bigint, picoUsdPerCredit: bigint): AdminError {
  const remaining = formatCredits(available, picoUsdPerCredit);
  return new AdminError(
    `only ${remaining} top-up credits are unspent; a debit can remove only top-up credits`,
  );
}

async function applyChange(context: AdminContext, change: WalletChange, sign: 1n | -1n) {
  const { app, userId } = change;
  const credits = await creditsOf(context, change);
  const amount = sign * amountOf(change.credits, credits.picoUsdPerCredit);
  const reference = change.reference ?? context.ids.next('topup');
  await refuseErasedReference(context, change);
  const now = context.clock.now();
  const { picoUsdPerCredit } = credits;
  const action = sign > 0n ? 'wallet.top-up' : 'wallet.debit';
  const note = auditNote(context, { action, subject: walletSubject(context, change) });
  const line = { ...note, reference: change.reference, picoUsdPerCredit };
  const outcome = await context.queue
    .submit({ kind: 'top-up', app, userId, amount, reference, now, line })
    .catch((cause: Error) => {
      throw new AdminError(`the wallet was not changed: ${cause.message}`);
    });
  if (outcome?.kind === 'not-enough') {
    throw notEnough(outcome.available, picoUsdPerCredit);
  }
  if (outcome?.kind === 'too-much') {
    const remaining = formatCredits(outcome.remaining, picoUsdPerCredit);
    throw new AdminError(
      `${change.credits} credits exceed the wallet limit of ${userId}; at most ${remaining} more can be added, counting everything it ever received`,
    );
  }
  return findWallet(context, change);
}

/** A reference acts once, even after the user of its change was erased. */
async function refuseErasedReference(
  { store }: AdminContext,
  { app, userId, reference }: WalletChange,
): Promise<void> {
  if (reference === undefined) return;
  for (const pseudonym of pseudonymsOf(store.ring, app, userId)) {
    if (pseudonym === userId) continue;
    if ((await store.read(selectWalletEntry(app, pseudonym, reference))) !== undefined) {
      throw new AdminError(
        `nothing was changed: reference ${reference} was used before this user was erased`,
      );
    }
  }
}

function wrongUserId(): AdminError {
  return new AdminError(`the user id ${userIdRule}`, { isBadValue: true, field: 'user' });
}

/** Throws an AdminError for an app without metering. */
export async function creditsOf(
  context: AdminContext,
  { app }: Pick<WalletOwner, 'app'>,
): Promise<CreditsConfig> {
  const row = await appRow(context, app);
  const credits = creditsIn(row, utcMonthOf(context.clock.now()));
  if (credits === undefined) {
    throw new AdminError(`the app ${app} does not meter credits; its users have no wallets`);
  }
  return credits;
}

const decimalsMax = 6;

function amountOf(credits: string, picoUsdPerCredit: bigint): bigint {
  const micro = parseDecimal(credits, decimalsMax);
  if (micro === undefined || micro === 0n) {
    throw wrongCredits(
      `"${credits}" is not a valid number of credits; use a decimal above 0 with at most ${decimalsMax} decimals, for example 100 or 0.5`,
    );
  }
  const scaled = micro * picoUsdPerCredit;
  const scale = 10n ** BigInt(decimalsMax);
  if (scaled % scale !== 0n) {
    throw wrongCredits(
      `${credits} credits have more than the 12 decimals of an amount in USD; use fewer decimals`,
    );
  }
  const amount = scaled / scale;
  if (amount > picoUsdMax) {
    throw wrongCredits(`${credits} credits exceed the limit of a wallet`);
  }
  return amount;
}

function wrongCredits(message: string): AdminError {
  return new AdminError(message, { isBadValue: true, field: 'credits' });
}

/** Throws an AdminError where no wallet is closed. */
export async function planReopenWallets(context: AdminContext): Promise<WalletsReopened> {
  const closed = await findClosed(context);
  if (closed?.closesWallets !== true) {
    throw new AdminError('no wallet is closed');
  }
  return { restoredAt: isoSeconds(closed.restore.atMs), apps: closed.walletApps };
}

export async function reopenWallets(context: AdminContext): Promise<WalletsReopened> {
  const planned = await planReopenWallets(context);
  const closed = await findClosed(context);
  if (closed !== undefined) {
    const { restore } = closed;
    await writeOpening(context, openWallets(restore, context.clock.now()), 'wallets', restore.atMs);
  }
  return planned;
}

const referenceMax = 255;

/** Throws an AdminError for an invalid reference. */
export function checkReference(reference: string | undefined) {
  if (reference === undefined || (reference !== '' && reference.length <= referenceMax)) return;
  const rule = `the reference must be 1–${referenceMax} characters`;
  throw new AdminError(rule, { isBadValue: true });
}

export function otherAmount(reference: string, was: string): AdminError {
  return new AdminError(
    `nothing was changed: reference ${JSON.stringify(reference)} was already used for $${was}; use a new reference for a different amount`,
  );
}
