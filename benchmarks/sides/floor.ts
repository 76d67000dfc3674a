import { startServer } from '../../harness/server.ts';
import { scriptPath } from '../processes/script-path.ts';
import { ownCall } from './calls.ts';
import type { Side } from './side.ts';

/** The bare `node:http` + `undici` proxy that parses and rebuilds both bodies. */
export const floor: Side = {
  name: 'floor',
  async start(scope, { upstreamUrl, operation, nodeOptions = [], environment = {} }) {
    const argv = [...nodeOptions, scriptPath('floor.ts'), upstreamUrl];
    const { pid, url } = await startServer(scope, { argv, environment });
    return {
      pid,
      target: (prompt) => ({ url, headers: {}, ...ownCall(prompt, operation) }),
    };
  },
};
