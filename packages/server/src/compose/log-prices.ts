import type { Log } from '../lib/log.ts';
import type { PriceDifference } from '../operations/documents/config.ts';

/** Per log line: a new gateway version may change every price. */
const modelsMax = 50;

export function logPrices(log: Log, changed: readonly PriceDifference[]): void {
  if (changed.length === 0) return;
  const changes = changed
    .slice(0, modelsMax)
    .map(({ model, store: from, file: to }) => ({ model, from, to }));
  log.info({ changes, count: changed.length }, 'prices have changed for calls from now on');
}
