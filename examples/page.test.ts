import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, start } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import {
  type StreamGateway,
  serveStreamGateway,
  words,
} from '../packages/sdk/test/stream-gateway.ts';
import { rootFolder } from './testing/markdown.ts';

let gateway: StreamGateway;
let program: Started;
let url: string;

beforeAll(async () => {
  gateway = await serveStreamGateway();
  const environment = {
    MODEL_GATEWAY_URL: gateway.baseUrl,
    MODEL_GATEWAY_KEY: 'mgk_page',
    PORT: '0',
  };
  program = start(process.execPath, [join(rootFolder, 'examples/page.ts')], { environment });
  [, url = ''] = await program.printed(/(\S+)\n/);
});

afterAll(() => {
  void program?.end();
  gateway?.close();
});

test('the example of a page serves it, without the key', async () => {
  const page = await (await fetch(url)).text();
  expect(page).toContain('new EventSource');
  expect(page).not.toContain('mgk_');
});

test('it sends the response to the page word by word', async () => {
  const response = await fetch(`${url}ask?text=hello`);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const texts = words.map((text) => `event: text\ndata: ${JSON.stringify({ text })}\n\n`);
  expect(await response.text()).toBe(`${texts.join('')}event: finish\ndata: {}\n\n`);
});

test('it answers useChat of the AI SDK', async () => {
  const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hello' }] }];
  const init = { method: 'POST', body: JSON.stringify({ messages }) };
  const response = await fetch(`${url}api/chat`, init);
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(await response.text()).toContain(`"type":"text-delta","id":"text","delta":"Hello, "`);
});

test('a disconnected page ends the call', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${url}ask?text=hang%202`, { signal: leaving.signal });
  await response.body?.getReader().read();
  const lastRequest = gateway.seen.at(-1);
  leaving.abort();
  await until(() => lastRequest?.isDisconnected === true);
});
