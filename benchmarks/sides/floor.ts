import { scriptPath, startServer } from '../processes/child.ts';
import { benchModel, outputTokensMax, type Side } from './side.ts';

/** The bare `node:http` + `undici` proxy that parses and rebuilds both bodies. */
export const floor: Side = {
  name: 'floor',
  async start(scope, { upstreamUrl, nodeOptions = [], environment = {} }) {
    const argv = [...nodeOptions, scriptPath('floor.ts'), upstreamUrl];
    const { pid, url } = await startServer(scope, { argv, environment });
    return {
      pid,
      target: (prompt) => ({ url, path: '/v1/chat', headers: {}, body: chatBody(prompt) }),
    };
  },
};

/** A call as our own API takes it. */
export function chatBody(prompt: string): string {
  return JSON.stringify({
    model: benchModel,
    maxTokens: outputTokensMax,
    messages: [{ role: 'user', content: prompt }],
  });
}
