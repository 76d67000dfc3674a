import type { ModelCall } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { chatOf, type Exchange, meetChat, send } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { asPrompted } from '../support/platform-outcomes.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer } from '../support/server.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

/** The one line of a request. */
function lineOf(stack: Stack, { headers }: Exchange) {
  const requestId = headers.get('x-request-id');
  const lines = stack.logLines.filter(({ fields }) => fields.requestId === requestId);
  expect(lines).toHaveLength(1);
  return lines[0]?.fields;
}

test(
  'a request is one line, with its facts, its result, and the duration of each stage',
  onStack(async (stack) => {
    const answer = await meetChat(stack, 'search', 'sim-slow');
    expect(lineOf(stack, answer)).toMatchObject({
      ...{ method: 'POST', path: '/v1/chat', status: 200, code: 'OK', app: 'search' },
      ...{ model: 'sim-slow', attempts: 1, inputTokens: 24, outputTokens: 4 },
      ...{ costUsd: '0.000006', estimated: false, tookMs: 2_000, modelMs: 2_000 },
      ...{ callId: expect.stringMatching(/^call_/), reserveMs: 0, settleMs: 0 },
      keyId: (await stack.key('search')).slice(4, 16),
      instance: expect.stringMatching(/^instance_/),
    });
    const refused = await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 });
    expect(lineOf(stack, refused)).toMatchObject({ status: 400, code: 'INVALID', app: 'search' });
    const forbidden = await send(stack, '/v1/chat', { method: 'POST' });
    expect(lineOf(stack, forbidden)).toMatchObject({ status: 403, path: '/v1/chat' });
  }),
);

test(
  'the platform’s message is in it if operators enable that, without quotations',
  onStack(
    async (stack) => {
      const messages = [{ role: 'user', content: 'status 400' }];
      const answer = await meetChat(stack, 'search', 'sim-echo', { messages });
      const line = lineOf(stack, answer);
      expect(line).toMatchObject({ status: 400, code: 'BAD_REQUEST', attempts: 1 });
      expect(line?.cause).toContain('status 400 some_error some_error: account 111122223333');
    },
    { script: asPrompted(), yaml: `${defaultYaml}\nlogPlatformErrors: true\n` },
  ),
);

/** A platform that quotes the prompt and the credential, as some do. */
async function quoted(stack: Stack, prompt: string) {
  const messages = [{ role: 'user', content: prompt }];
  const answer = await meetChat(stack, 'search', 'sim-echo', { messages });
  expect(answer.status).toBe(400);
  return String(lineOf(stack, answer)?.cause);
}

const privateWords = 'My medical history: none of your business, dear platform.';
const quoting = {
  script: ({ request }: ModelCall) => {
    const said = JSON.stringify(request.messages.at(-1)?.texts.join(''));
    const error = { status: 400, code: 'invalid_prompt', type: said, message: `You said: ${said}` };
    return { kind: 'error' as const, error };
  },
};

test(
  'a prompt that a platform quotes is not in the log',
  onStack(async (stack) => {
    expect(await quoted(stack, privateWords)).toBe('status 400 invalid_prompt');
    expect(JSON.stringify(stack.logLines)).not.toMatch(/medical|business/);
  }, quoting),
);

test(
  'not even if its messages are logged',
  onStack(
    async (stack) => {
      expect(await quoted(stack, privateWords)).toBe('status 400 invalid_prompt: You said: "[…]"');
      expect(JSON.stringify(stack.logLines)).not.toMatch(/medical|business/);
    },
    { ...quoting, yaml: `${defaultYaml}\nlogPlatformErrors: true\n` },
  ),
);

test(
  'no prompt, response or key is ever in it',
  onStack(async (stack) => {
    const secret = 'the-words-of-a-user';
    const messages = [{ role: 'user', content: secret }];
    const key = await stack.key('search');
    for (const model of ['sim-echo', 'sim-rejects', 'sim-html', 'sim-half-json', 'sim-truncated']) {
      await meetChat(stack, 'search', model, { messages, maxTokens: 10 });
    }
    await meetChat(stack, 'search', secret, { messages: [{ role: secret }] });
    await send(stack, '/v1/chat', { method: 'POST', headers: { 'x-api-key': `${key}x` } });
    const body = JSON.stringify({ ...chatOf('sim-echo'), [secret]: 1 });
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    await send(stack, '/v1/chat', { method: 'POST', headers, body });
    const log = JSON.stringify(stack.logLines);
    expect(log).not.toContain(secret);
    expect(log).not.toContain(key.slice(8));
  }),
);

test.each([
  ['', 'the network of the socket', '127.0.0.0/24', 'timeout=5'],
  ['trustedProxies: [127.0.0.1]', 'what a trusted proxy says', '198.51.100.0/24', 'timeout=75'],
])('a caller over a socket is identified by its key and network: %s, %s', async (more, ...told) => {
  const [, remote, keepAlive] = told;
  const server = await startServer({ yaml: `${defaultYaml}${more}\n` });
  const key = await server.key('search');
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
  const asked = requestText('GET /v1/usage', { ...forwarded, 'x-api-key': key });
  expect((await exchangeRaw(server.port, asked)).status).toBe(200);
  const foreign = await exchangeRaw(server.port, requestText('GET /v1/usage', forwarded));
  expect([foreign.status, foreign.headers.get('keep-alive')]).toEqual([403, keepAlive]);
  const lines = server.logLines.filter(({ message }) => message === 'answered');
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    { status: 200, remote, keyId: key.slice(4, 16) },
    { status: 403, remote },
  ]);
  const log = JSON.stringify(server.logLines);
  for (const address of ['127.0.0.1', '198.51.100.7']) expect(log).not.toContain(address);
  await server.close();
});

test(
  'its path is the route’s, which names no user',
  onStack(async (stack) => {
    const headers = { 'x-api-key': await stack.key('tutor', 'admin') };
    const credits = await send(stack, '/v1/credits/jane.doe', { headers });
    expect(lineOf(stack, credits)).toMatchObject({ status: 200, path: '/v1/credits/:userId' });
    const nothing = await send(stack, '/v1/creditz/jane.doe', { headers });
    expect(lineOf(stack, nothing)).toMatchObject({ status: 404, path: 'other' });
    expect(JSON.stringify(stack.logLines)).not.toContain('jane.doe');
  }),
);
