import { join } from 'node:path';
import { startOnPort } from '../../harness/server.ts';
import { installOnce } from '../others/install-once.ts';
import { isForOthers } from '../others/scenarios.ts';
import { scriptPath } from '../processes/script-path.ts';
import { platformCall } from './calls.ts';
import type { Side } from './side.ts';

const folder = scriptPath('data/.bifrost');
const program = join(folder, 'bifrost');
const sources = scriptPath('others/bifrost');

/**
 * The core of Bifrost, in Go, behind our own server (`others/bifrost/main.go`): Bifrost's own
 * server is not available as a module. No key, no limit, no money. Go fetches the version of itself
 * that builds it.
 */
export const bifrost: Side = {
  name: 'Bifrost core 1.2.0 behind net/http',
  isIn: (scenario) => scenario.operation === 'chat' && isForOthers(scenario),
  prepare: () =>
    installOnce({
      folder,
      workingFolder: sources,
      lockFile: join(sources, 'go.sum'),
      steps: [{ program: 'go', argv: ['build', '-mod=readonly', '-o', program, '.'] }],
    }),
  async start(scope, setting) {
    const { pid, url } = await startOnPort(scope, {
      readyPath: '/',
      command: (port) => ({
        program,
        argv: [String(port), setting.upstreamUrl],
        logFile: join(setting.folder, 'bifrost.log'),
      }),
    });
    const target = (prompt: string) => ({ url, headers: {}, ...platformCall(prompt) });
    return { pid, target };
  },
};
