import Type from 'typebox';
import { credits, type Document, instant, month, nullable } from '../shapes.ts';

/** A user's credits of the month that runs. */
export const CreditsDocument = Type.Object({
  userId: Type.String(),
  period: month,
  granted: credits,
  toppedUp: credits,
  spent: credits,
  held: credits,
  available: credits,
  resetsAt: instant,
});
export type CreditsDocument = Document<typeof CreditsDocument>;

/** Why a user has the credits that they have. */
export const WalletHistory = Type.Object({
  app: Type.String(),
  userId: Type.String(),
  months: Type.Array(
    Type.Object({ period: month, granted: credits, spentGrant: credits, spentTopUp: credits }),
  ),
  changes: Type.Array(
    Type.Object({
      at: instant,
      credits,
      reference: Type.String(),
      actor: nullable(Type.String()),
      reason: nullable(Type.String()),
    }),
  ),
});
export type WalletHistory = Document<typeof WalletHistory>;

/** `GET /apps/:app/wallets/:user`. */
export const WalletPage = Type.Object({ wallet: CreditsDocument, history: WalletHistory });
export type WalletPage = Document<typeof WalletPage>;
