import Type from 'typebox';
import { changed, credits, type Document, instant, month, nullable } from './shapes.ts';

export const CreditsDocument = Type.Object({
  userId: Type.String(),
  period: month,
  granted: credits,
  toppedUp: credits,
  spent: credits,
  held: credits,
  available: credits,
  resetsAt: instant,
  closedAt: Type.Optional(instant),
});
export type CreditsDocument = Document<typeof CreditsDocument>;

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

const isNewUser = Type.Boolean({
  description: 'Whether the user is new; check that the id is correct',
});

export const WalletPage = Type.Object({
  wallet: CreditsDocument,
  history: WalletHistory,
  isNewUser,
});
export type WalletPage = Document<typeof WalletPage>;

export const WalletEntered = Type.Object({
  wallet: CreditsDocument,
  isRepeated: Type.Boolean({
    description: 'Whether the reference was already used for this change',
  }),
  isNewUser,
});

export const WalletChanged = changed(WalletEntered);
export type WalletChanged = Document<typeof WalletChanged>;

export const WalletsReopened = Type.Object({
  restoredAt: instant,
  apps: Type.Array(Type.String()),
});
export type WalletsReopened = Document<typeof WalletsReopened>;

export const UserErased = Type.Object({
  app: Type.String(),
  userId: Type.String(),
  pseudonym: Type.String({ description: 'Pseudonym that replaces the name' }),
  calls: nullable(
    Type.Integer({ description: 'Number of records changed; null before the change' }),
  ),
  namedUntil: nullable(Type.String({ description: 'Time at which current records lose the name' })),
});
export type UserErased = Document<typeof UserErased>;
