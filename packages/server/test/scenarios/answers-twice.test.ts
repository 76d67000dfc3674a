import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { readScrape } from '../observe/support/scrape.ts';
import {
  answerText,
  type ScriptedServer,
  startScriptedServer,
} from '../platforms/support/scripted-server.ts';
import { chatOf, prompted } from '../support/exchange.ts';
import { startServer, type TestServer } from '../support/server.ts';

let platform: ScriptedServer;
let server: TestServer;
beforeAll(async () => {
  // Repeats its input, and repeats it again up to 10 ms later.
  let copies = 0;
  platform = await startScriptedServer((socket, { body }) => {
    const { messages } = JSON.parse(body);
    const message = { role: 'assistant', content: messages[0].content };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, finish_reason: 'stop', message }];
    const text = answerText(200, JSON.stringify({ choices, usage }));
    socket.write(text);
    copies += 1;
    pause(copies % 11).then(() => socket.destroyed || socket.write(text));
  });
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { local: { kind: openai-compatible, baseUrl: "${platform.url}/v1", apiKey: none } }
defaultPlatform: local
retry: { attempts: 1 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
apps:
  - { name: search, unpriced: free }
  - { name: tutor, unpriced: free }
`,
  });
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

test('a platform that responds twice returns no app’s content to another', async () => {
  const texts = new Map<string, string[]>();
  const caller = async (app: string) => {
    const client = await server.client(app);
    for (let call = 0; call < 40; call++) {
      const request = chatOf('any', prompted(`${app} ${call}`));
      const answer = await client.chat(request).catch(() => undefined);
      if (answer !== undefined) texts.set(app, [...(texts.get(app) ?? []), answer.text]);
    }
  };
  await Promise.all(['search', 'tutor', 'search', 'tutor'].map(caller));
  for (const app of ['search', 'tutor']) {
    expect(texts.get(app)?.length).toBeGreaterThan(10);
    for (const text of texts.get(app) ?? []) expect(text.split(' ')[0]).toBe(app);
  }
  const page = await server.service.monitor.pages['/metrics']?.();
  const counted = readScrape(page?.text ?? '').value(
    'model_gateway_upstream_unsolicited_total{platform="local"}',
  );
  expect(counted).toBeGreaterThan(0);
});
