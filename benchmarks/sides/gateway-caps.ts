import { join } from 'node:path';
import { isForOthers } from '../others/scenarios.ts';
import type { Side } from './side.ts';
import { startGateway } from './start-gateway.ts';

/** This gateway on SQLite with three budgets for each call in addition to the daily budget. */
export const gatewayWithCaps: Side = {
  name: 'gateway, 3 other budgets',
  storesAnswers: true,
  isIn: isForOthers,
  start(scope, setting) {
    const both = { apps: 'all', dailyUsd: '1000000', monthlyUsd: '1000000' };
    const month = { name: 'company', apps: 'all', monthlyUsd: '1000000' };
    const more = { ...setting.more, budgets: [{ name: 'services', ...both }, month] };
    const store = `sqlite:${join(setting.folder, 'gateway.db')}`;
    return startGateway(scope, { ...setting, more }, store);
  },
};
