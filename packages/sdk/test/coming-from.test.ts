import { readFileSync } from 'node:fs';
import { generateText, jsonSchema, Output, tool } from 'ai';
import { expect, test } from 'vitest';
import { createModelGateway } from '../src/ai.ts';
import { metaOf } from '../src/index.ts';
import { createFakeClient } from '../src/testing.ts';

const page = readFileSync(new URL('../../../docs/coming-from.md', import.meta.url), 'utf8');
/** The AI SDK's setting and the client's field in each row of the first table. */
const rows = [...page.matchAll(/^\| `[a-z_]+` \| `([\w.]+)`[^|]*\| `(\w+)`/gm)];

const modelGateway = { userId: 'u1' };
const settings: Readonly<Record<string, object>> = {
  model: {},
  messages: {},
  maxOutputTokens: { maxOutputTokens: 7 },
  temperature: { temperature: 0.5 },
  topP: { topP: 0.5 },
  stopSequences: { stopSequences: ['.'] },
  'providerOptions.modelGateway.userId': { providerOptions: { modelGateway } },
  tools: { tools: { clock: tool({ inputSchema: jsonSchema({ type: 'object' }) }) } },
  toolChoice: { tools: { clock: tool({ inputSchema: jsonSchema({ type: 'object' }) }) } },
  output: { output: Output.json() },
};

test('the first table of fields has each setting', () => {
  expect(rows.map(([, field]) => field)).toEqual(expect.arrayContaining(Object.keys(settings)));
});

test.each(Object.keys(settings))('%s of the AI SDK maps to the field on the page', async (name) => {
  const field = rows.find(([, setting]) => setting === name)?.[2] ?? 'no row';
  const step = name === 'output' ? { object: {} } : { text: 'Hi' };
  const client = createFakeClient([step]);
  const model = createModelGateway({ client })('m');
  await generateText({ model, prompt: 'Hi', ...settings[name] });
  expect(client.calls[0]?.request).toHaveProperty(field);
});

test('its fields of a response, of its meta and of an error exist', async () => {
  const client = createFakeClient([{ text: 'Hi', costUsd: '0.5' }, { error: 'TRUNCATED' }]);
  const request = {
    model: 'm',
    maxTokens: 9,
    messages: [{ role: 'user' as const, content: 'Hi' }],
  };
  const answer = await client.chat(request);
  expect(answer).toMatchObject({ text: 'Hi', finishReason: 'stop', cost: { usd: '0.5' } });
  expect(metaOf(answer)).toMatchObject({ gatewayRequestId: 'fake-request-1', costUsd: '0.5' });
  await expect(client.chat(request)).rejects.toMatchObject({ code: 'TRUNCATED' });
});
