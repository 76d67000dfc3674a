import type { ClaimedScope, LockedKeys, WalletKey } from '../../books/locked-keys.ts';
import { type ScopeKey, scopeKeyOf } from '../../books/scope.ts';
import type { Columns } from './pipeline/pipeline.ts';

export type StoredKey = Pick<LockedKeys['idempotency'][number], 'app' | 'keyHash'>;
type Topup = LockedKeys['topups'][number];
type Wallet = Pick<WalletKey, 'app' | 'userId' | 'month'>;

const budget: Columns<LockedKeys['budgets'][number]> = [(key) => key.app, (key) => key.day];
const newScope: Columns<ClaimedScope> = [
  (key) => key.scope,
  (key) => key.period,
  (key) => key.cap,
  (key) => key.mode,
  (key) => key.revision,
];
const scope: Columns<ScopeKey> = [(key) => key.scope, (key) => key.period];
/** The id of a call, a claimed key, or an app's day. */
const scopeSource: Columns<string | ClaimedScope | LockedKeys['budgets'][number]> = [
  (source) => (typeof source === 'string' ? source : null),
  (source) => (typeof source === 'object' && 'scope' in source ? scopeKeyOf(source) : null),
  (source) => (typeof source === 'object' && 'app' in source ? source.app : null),
  (source) => (typeof source === 'object' && 'app' in source ? source.day : null),
];
const topup: Columns<Topup> = [(key) => key.app, (key) => key.userId];
const wallet: Columns<Wallet> = [...topup, (key) => key.month];
const newWallet: Columns<WalletKey> = [
  ...wallet,
  (key) => key.created?.granted ?? null,
  (key) => key.created?.picoUsdPerCredit ?? null,
];
const idempotency: Columns<StoredKey> = [(key) => key.app, (key) => key.keyHash];
const entry: Columns<LockedKeys['entries'][number]> = [...topup, (key) => key.reference];
const callId: Columns<string> = [(id) => id];

export const keyColumns = {
  ...{ budget, newScope, scope, scopeSource, topup, wallet, newWallet },
  ...{ idempotency, entry, callId },
};
