import Type from 'typebox';
import { changed, confirming, reference } from '../change-shapes.ts';
import { type Document, instant } from '../shapes.ts';
import { CreditsDocument } from './documents.ts';

/** `POST /apps/:app/wallets/:user/entries`; `confirm` is the user's id where credits are taken. */
export const WalletEntry = confirming({
  credits: Type.String({
    pattern: '^-?\\d{1,30}(\\.\\d{1,30})?$',
    rule: 'a decimal number of credits, such as "100" or "-0.5"',
    description: 'Exact decimal credits: "100" adds them, "-100" takes unspent top-ups back',
  }),
  reference,
});
export type WalletEntry = Document<typeof WalletEntry>;

/** `POST /wallets/reopen`; `confirm` is `all`. */
export const WalletsReopening = confirming({});
export type WalletsReopening = Document<typeof WalletsReopening>;

/** The apps whose users' wallets it opens, and when the store was restored. */
export const WalletsReopened = changed(
  Type.Object({ restoredAt: instant, apps: Type.Array(Type.String()) }),
);
export type WalletsReopened = Document<typeof WalletsReopened>;

/** The wallet after it. */
export const WalletChanged = changed(
  Type.Object({
    wallet: CreditsDocument,
    isRepeated: Type.Boolean({ description: 'The reference was used for this before' }),
    isNewUser: Type.Boolean({ description: 'Nothing was known of this user: is the id right?' }),
  }),
);
export type WalletChanged = Document<typeof WalletChanged>;
