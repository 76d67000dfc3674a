import type { AnyRoute } from '../route.ts';
import { appChanges } from './app-changes.ts';
import { moneyChanges } from './money-changes.ts';

/** Every route that changes what operators set. */
export const changeRoutes: readonly AnyRoute[] = [...appChanges, ...moneyChanges];
