import { join } from 'node:path';
import type { Scenario } from '../rounds/scenario.ts';
import type { Side } from './side.ts';
import { startGateway } from './start-gateway.ts';

/** This gateway on SQLite, with so many threads that answer requests. */
export function gatewayWithThreads(threads: number): Side {
  return {
    name: `gateway, ${threads} threads`,
    storesAnswers: true,
    isIn: hasManyCallers,
    start(scope, setting) {
      const more = { ...setting.more, threads };
      return startGateway(scope, { ...setting, more }, `sqlite:${join(setting.folder, file)}`);
    },
  };
}

const file = 'gateway.db';

/** One caller is served by one thread, however many there are. */
function hasManyCallers({ pace, isUpstreamTls, upstreamMs }: Scenario): boolean {
  return pace.kind === 'closed' && pace.connections > 1 && !isUpstreamTls && upstreamMs === 0;
}
