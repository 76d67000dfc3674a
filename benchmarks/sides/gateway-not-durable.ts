import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptPath } from '../processes/script-path.ts';
import { durabilityIsOff } from './not-durable/notice.ts';
import type { Side } from './side.ts';
import { logFileOf, startGateway } from './start-gateway.ts';

/**
 * This gateway on SQLite without waiting for the disk: the comparison with the durable side shows
 * the cost of a durable reservation. No option of the gateway does this. A file that Node loads
 * first replaces one statement of SQLite.
 */
export const gatewayNotDurable: Side = {
  name: 'gateway, not durable',
  storesAnswers: true,
  isIn: ({ operation, prompt, isUpstreamTls }) =>
    operation === 'chat' && prompt === 'short' && !isUpstreamTls,
  async start(scope, setting) {
    const preload = pathToFileURL(scriptPath('sides/not-durable/preload.ts')).href;
    const nodeOptions = [...(setting.nodeOptions ?? []), '--import', preload];
    const store = `sqlite:${join(setting.folder, 'gateway.db')}`;
    const running = await startGateway(scope, { ...setting, nodeOptions }, store);
    // If the wording of the statement changed, this side would be durable without any sign of it.
    if (!readFileSync(logFileOf(setting), 'utf8').includes(durabilityIsOff)) {
      throw new Error('the gateway never ran the statement that makes its commits durable');
    }
    return running;
  },
};
