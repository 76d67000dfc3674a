import type { AnyRoute } from '../route.ts';
import { forgettingChanges } from './forgetting.ts';
import { moneyChanges } from './money-changes.ts';
import { operatorChanges } from './operator-changes.ts';
import { reconcileChanges } from './reconcile-changes.ts';
import { walletChanges } from './wallet-changes.ts';

/** Every route that changes what operators set. */
export const changeRoutes: readonly AnyRoute[] = [
  ...walletChanges,
  ...moneyChanges,
  ...forgettingChanges,
  ...operatorChanges,
  ...reconcileChanges,
];
