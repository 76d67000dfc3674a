import { describe, expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

const openai = 'the base URL of the OpenAI client ends in /openai/v1';
const anthropic = 'the base URL of the Anthropic client ends in /anthropic, without /v1';
const own = "the base URL of the gateway's own client ends in /v1";

/** Paths of clients with a wrong base URL, and the messages that they get. */
const wrong = [
  ['/v1/chat/completions', [openai]],
  ['/chat/completions', [openai]],
  ['/v1/v1/chat/completions', [openai]],
  ['/openai/chat/completions', [openai]],
  ['/openai/v1/v1/chat/completions', [openai]],
  ['/openai/v1/openai/v1/responses', [openai]],
  ['/anthropic/v1/chat/completions', [openai]],
  ['//v1//chat/completions', [openai]],
  ['/v1/responses', [openai]],
  ['/v1/responses/resp_1', [openai]],
  ['/responses', [openai]],
  ['/v1/completions', [openai]],
  ['/v1/embeddings', [openai]],
  ['/embeddings', [openai]],
  ['/openai/embeddings', [openai]],
  ['/openai/models', [openai]],
  ['/v1/messages', [anthropic]],
  ['/v1/messages/count_tokens', [anthropic]],
  ['/messages', [anthropic]],
  ['/anthropic/messages', [anthropic]],
  ['/anthropic/v1/v1/messages', [anthropic]],
  ['/anthropic/anthropic/v1/messages', [anthropic]],
  ['/openai/v1/messages', [anthropic]],
  ['/openai/v1/v1/messages', [anthropic]],
  ['/models', [own, openai, anthropic]],
  ['/v1/v1/models', [own, openai, anthropic]],
  ['/v1/v1/chat', [own]],
  ['/chat', [own]],
  ['/usage', [own]],
  ['/v1/v1/agents/run', [own]],
] as const;

/** Paths that no client uses: they get the routes. */
const other = [
  '/v1/chat/completion',
  '/v1/usages',
  '/v1',
  '/openai/v1/files',
  '/openai/v1/chat',
  '/anthropic/v1/usage',
  '/v1/v1/v1/v1/v1/chat/completions',
  `/v1/chat/completions/${'a'.repeat(300)}`,
  '/__proto__',
  '/v1/constructor',
];

const on = { yaml: `${defaultYaml}ingress: { openai: true, anthropic: true }\n` };

/** The message for a caller with a key. A caller without one gets no message. */
async function sentenceAt(stack: Stack, path: string, host = 'gateway.test') {
  const headers = { 'x-api-key': await stack.key('search'), host };
  const answer = await send(stack, path, { method: 'POST', headers });
  expect(answer.status).toBe(404);
  const { error } = Object(answer.body);
  expect(error.message).toContain(`The route POST ${path.slice(0, 100)}`);
  return String(error.message);
}

describe('with both APIs on', () => {
  test.each(wrong)('%s gets the correct base URL', (path, sentences) =>
    onStack(async (stack) => {
      const message = await sentenceAt(stack, path, 'evil.example');
      expect(message).toContain(`; ${sentences.join('; ')}. Here the routes are `);
      expect(message).not.toContain('evil.example');
      // As their clients send it.
      const authorization = `Bearer ${await stack.key('search')}`;
      const asked = await send(stack, path, { method: 'POST', headers: { authorization } });
      expect(asked.status).toBe(404);
      const stranger = await send(stack, path, { method: 'POST' });
      expect([401, 403]).toContain(stranger.status);
      expect(stranger.text).not.toContain('base URL');
    }, on)(),
  );

  test.each(other)('%s gets the routes', (path) =>
    onStack(async (stack) => {
      const message = await sentenceAt(stack, path);
      expect(message).toContain('; the routes are ');
      expect(message).not.toContain('base URL');
    }, on)(),
  );

  test(
    'each tree answers in its own format',
    onStack(async (stack) => {
      const headers = { 'x-api-key': await stack.key('search') };
      const bodyOf = async (path: string) => (await send(stack, path, { headers })).body;
      const message = expect.stringContaining('base URL');
      expect(await bodyOf('/v1/messages')).toEqual({ error: { code: 'NOT_FOUND', message } });
      expect(await bodyOf('/openai/chat/completions')).toEqual({
        error: { message, type: 'invalid_request_error', param: null, code: 'unknown_url' },
      });
      expect(await bodyOf('/anthropic/messages')).toMatchObject({
        ...{ type: 'error', error: { type: 'not_found_error', message } },
      });
    }, on),
  );
});

describe('with both APIs off', () => {
  test.each([
    ['/v1/chat/completions', 'openai'],
    ['/chat/completions', 'openai'],
    ['/openai/v1/chat/completions', 'openai'],
    ['/openai/v1/files', 'openai'],
    ['/openai', 'openai'],
    ['/v1/messages', 'anthropic'],
    ['/anthropic/v1/messages', 'anthropic'],
  ])('%s names the setting of %s', (path, api) =>
    onStack(async (stack) => {
      const headers = { 'x-api-key': await stack.key('search') };
      expectError(await send(stack, path, { method: 'POST', headers }), {
        ...{ status: 404, code: 'NOT_FOUND' },
        says: ['API is off', `\`ingress: { ${api}: true }\``, `ends in /${api}`],
      });
      expectGateway(await send(stack, path, { method: 'POST' }), 'FORBIDDEN');
    })(),
  );
});

test(
  'with one API on, the other one is off',
  onStack(
    async (stack) => {
      expect(await sentenceAt(stack, '/v1/chat/completions')).toContain(openai);
      const message = await sentenceAt(stack, '/v1/messages');
      expect(message).toContain('`ingress: { anthropic: true }`');
    },
    { yaml: `${defaultYaml}ingress: { openai: true }\n` },
  ),
);
