import type { UnclaimedPayment } from '../../books/unclaimed-payment.ts';
import { table } from './table.ts';

export const unclaimedPayments = table<UnclaimedPayment>(
  'unclaimed_payment',
  ['callId'],
  (row, as) => ({
    callId: as.text(row.callId),
    app: as.text(row.app),
    day: as.text(row.day),
    userId: as.text(row.userId),
    month: as.text(row.month),
    grantHeld: as.big(row.grantHeld),
    topupHeld: as.big(row.topupHeld),
    cost: as.big(row.cost),
    expiresAt: as.int(row.expiresAt),
    claimedBy: as.optionalText(row.claimedBy),
  }),
);

export const unclaimedChanges = ['grantHeld', 'topupHeld', 'claimedBy'] as const;
