import { join } from 'node:path';
import { startOnPort } from '../../harness/server.ts';
import { installOnce } from '../others/install-once.ts';
import { isForOthers } from '../others/scenarios.ts';
import { scriptPath } from '../processes/script-path.ts';
import { platformCall } from './calls.ts';
import type { Side } from './side.ts';

/** Portkey's gateway, from npm: no key, no limit, no money; no retry and no cache, its defaults. */
export const portkey: Side = {
  name: 'Portkey 1.15.2',
  // It appends to the headers of a fetched response that it forwards, which Node does not allow.
  isIn: (scenario) => scenario.operation === 'chat' && isForOthers(scenario),
  prepare: () => {
    const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    return installOnce({
      folder: scriptPath('node_modules'),
      workingFolder: scriptPath('.'),
      lockFile: scriptPath('package-lock.json'),
      steps: [{ program: 'npm', argv }],
    });
  },
  async start(scope, { upstreamUrl, operation, folder }) {
    const script = scriptPath('node_modules/@portkey-ai/gateway/build/start-server.js');
    const { pid, url } = await startOnPort(scope, {
      readyPath: '/',
      command: (port) => ({
        argv: [script, '--headless', `--port=${port}`],
        logFile: join(folder, 'portkey.log'),
        environment: { NODE_ENV: 'production' },
      }),
    });
    const headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstreamUrl}/v1`,
      authorization: 'Bearer none',
    };
    const target = (prompt: string) => ({ url, headers, ...platformCall(prompt, operation) });
    return { pid, target };
  },
};
