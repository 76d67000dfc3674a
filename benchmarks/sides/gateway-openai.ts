import { join } from 'node:path';
import { isForOthers } from '../others/scenarios.ts';
import { platformCall } from './calls.ts';
import type { Side } from './side.ts';
import { startGateway } from './start-gateway.ts';

/** This gateway on SQLite with OpenAI's clients. */
export const gatewayForOpenAi: Side = {
  name: 'gateway, /openai',
  isIn: isForOthers,
  async start(scope, setting) {
    const more = { ...setting.more, ingress: { openai: true } };
    const store = `sqlite:${join(setting.folder, 'gateway.db')}`;
    const running = await startGateway(scope, { ...setting, more }, store);
    return {
      ...running,
      target(prompt) {
        const { url, headers } = running.target(prompt);
        const { path, body } = platformCall(prompt, setting.operation);
        return { url, path: `/openai${path}`, headers, body };
      },
    };
  },
};
