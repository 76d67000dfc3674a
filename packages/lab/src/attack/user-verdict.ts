import { formatUsd } from '@model-gateway/server/lib/money';
import type { UserBook } from './books/books.ts';

/** Counts users with payments for responses that they can no longer collect. */
export function chargedWithoutResponse(users: readonly UserBook[]): number {
  return new Set(users.filter(isOvercharged).map(({ userId }) => userId)).size;
}

/** Too much or too little; one line per user, for the first wrong payment. */
export function wrongPayments(users: readonly UserBook[]): readonly string[] {
  const lines = new Map<string, string>();
  for (const user of users) {
    const line = wrongPayment(user);
    if (line !== undefined && !lines.has(user.userId)) lines.set(user.userId, line);
  }
  return [...lines.values()];
}

function wrongPayment(user: UserBook): string | undefined {
  const { account, userId, when, paidPicoUsd } = user;
  const paid = `${account}: the wallet of ${userId} has paid $${formatUsd(paidPicoUsd)} ${when}`;
  if (isOvercharged(user)) {
    const most = formatUsd(user.maximumCostPicoUsd);
    return `${paid}, for responses of $${most} that it received or can still collect`;
  }
  if (paidPicoUsd >= user.leastPicoUsd) return undefined;
  return `${paid}, and received responses of $${formatUsd(user.leastPicoUsd)}`;
}

function isOvercharged({ paidPicoUsd, maximumCostPicoUsd }: UserBook): boolean {
  return paidPicoUsd > maximumCostPicoUsd;
}
