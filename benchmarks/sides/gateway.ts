import { join } from 'node:path';
import type { Side } from './side.ts';
import { startGateway } from './start-gateway.ts';

/** This gateway on SQLite: every check, the durable reservation and settlement, the log. */
export const gatewayOnSqlite: Side = {
  name: 'gateway, SQLite',
  storesAnswers: true,
  start: (scope, setting) => startGateway(scope, setting, `sqlite:${join(setting.folder, file)}`),
};

const file = 'gateway.db';
