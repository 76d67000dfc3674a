import { describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
import { codeBlocks, readRepositoryFile } from './testing/markdown.ts';

const readme = readRepositoryFile('README.md');
const said = 'Hello, gateway!';

/** Sends what the README shows for one app, to a service with the configuration of `npm start`. */
async function withSample(use: (server: TestServer, key: string) => Promise<void>) {
  const server = await startServer({ yaml: readRepositoryFile('gateway.yaml') });
  try {
    await use(server, await server.key('search'));
  } finally {
    await server.close();
  }
}

// The lines for Node.js and Python are run with the real packages by `npm run check:clients`.
describe('the first screen of the README', () => {
  test('shows a curl line that the sample configuration answers', async () => {
    const [line = ''] = codeBlocks(readme, 'sh');
    const [, path] = /127\.0\.0\.1:8787(\S+)/.exec(line) ?? [];
    const [, body] = / -d '(.*)'/.exec(line) ?? [];
    await withSample(async (server, key) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: body ?? '' };
      const response = await fetch(`${server.url}${path}`, init);
      expect(await response.json()).toMatchObject({ choices: [{ message: { content: said } }] });
      expect(response.headers.get('x-cost-usd')).toBe('0.000006');
    });
  });

  test('shows a model that answers on the wire of each client', async () => {
    const [js = ''] = codeBlocks(readme, 'js');
    const [python = ''] = codeBlocks(readme, 'python');
    expect(js).toContain("baseURL: 'http://127.0.0.1:8787/openai/v1'");
    expect(python).toContain('base_url="http://127.0.0.1:8787/anthropic"');
    const [, model] = /model="(\S+)"/.exec(python) ?? [];
    await withSample(async (server, key) => {
      const messages = [{ role: 'user', content: said }];
      const response = await fetch(`${server.url}/anthropic/v1/messages`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': key, 'anthropic-version': '2023-06-01' },
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model, max_tokens: 100, messages }),
      });
      expect(await response.json()).toMatchObject({ content: [{ text: said }] });
    });
  });
});
