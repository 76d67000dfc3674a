import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/ingress/openapi/document.ts';
import { chatOf } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack();
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
ajv.addSchema(JSON.parse(JSON.stringify(openApiDocument('0.0.0-test'))), 'openapi');

const chat = (more: object) => ({ path: '/v1/chat', name: 'ChatRequest', more });
const object = (more: object) => ({ path: '/v1/objects', name: 'ObjectRequest', more });
const turn = (more: object) => ({ path: '/v1/agents/run', name: 'AgentRequest', more });
const run = (more: object) => ({
  ...{ path: '/v1/runs', name: 'RunRequest' },
  ...{ whole: { maxCostUsd: '1', expiresInMs: 60_000, ...more } },
});
const tools = [{ name: 'look', inputSchema: {} }];
const said = (message: object) => ({ messages: [{ role: 'user', content: 'a' }, message] });
const call = { id: 'c', name: 'look', input: null };

const refused = [
  chat(said({ role: 'assistant' })),
  chat(said({ role: 'assistant', toolCalls: [] })),
  chat(said({ role: 'assistant', toolCalls: [{ id: 'c', name: 'look' }] })),
  chat({ userId: '' }),
  chat({ userId: '.' }),
  chat({ userId: '..' }),
  chat({ userId: 'a/b' }),
  object({}),
  object({ schema: {} }),
  object({ schema: { type: 'array' } }),
  object({ schema: { type: ['object'] } }),
  object({ schema: { type: 'object' }, schemaName: 'a b' }),
  turn({}),
  turn({ tools: [] }),
  turn({ tools, toolChoice: 'none' }),
  turn({ tools, toolChoice: {} }),
  turn({ tools, toolChoice: { name: '' } }),
  turn({ tools, toolChoice: { name: 'a b' } }),
  turn({ tools, toolChoice: { name: 'n'.repeat(65) } }),
  turn({ tools, more: 1 }),
  run({ maxCostUsd: undefined }),
  ...['0', '0.00', '-1', '1e3', '1.', '.5', '1000000', '0.0000000000001', 1].map((maxCostUsd) =>
    run({ maxCostUsd }),
  ),
  ...[999, 86_400_001, 1_000.5, '60000', undefined].map((expiresInMs) => run({ expiresInMs })),
  run({ models: [] }),
  run({ models: Array(129).fill('sim-echo') }),
  run({ userId: '..' }),
  run({ label: '' }),
  run({ label: 'a\nb' }),
  run({ label: 'l'.repeat(129) }),
  run({ more: 1 }),
];

const taken = [
  chat(said({ role: 'assistant', content: '' })),
  chat(said({ role: 'assistant', content: '', toolCalls: [] })),
  chat({ userId: '...' }),
  chat({ userId: '.a' }),
  object({ schema: { type: 'object', anything: [1] } }),
  turn({ tools, toolChoice: { name: 'look' } }),
  turn({
    ...{ tools, toolChoice: 'auto' },
    messages: [
      { role: 'assistant', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c', content: '' },
    ],
  }),
  run({}),
  run({ maxCostUsd: '0.000000000001', expiresInMs: 1_000, label: 'é'.repeat(128) }),
  run({ maxCostUsd: '999999.999999999999', expiresInMs: 86_400_000, models: ['sim-echo'] }),
  run({ maxCostUsd: '007', userId: 'ada' }),
];

/** The request: a chat and more, or a body of another kind. */
type Row = (typeof refused)[number] | (typeof taken)[number];
const bodyOf = (row: Row): object =>
  JSON.parse(JSON.stringify('whole' in row ? row.whole : chatOf('sim-echo', row.more)));

const rows = [
  ...refused.map((row) => ({ ...row, body: bodyOf(row), isTaken: false })),
  ...taken.map((row) => ({ ...row, body: bodyOf(row), isTaken: true })),
];

test.each(rows)(
  'the service and its description agree on $path $body: $isTaken',
  async ({ path, name, body, isTaken }) => {
    const { stack } = shared();
    const isDescribed = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    expect(isDescribed(body), ajv.errorsText(isDescribed.errors)).toBe(isTaken);
    const answer = await stack.post('search', path, body);
    expect(answer.ok, String(answer.status)).toBe(isTaken);
    if (isTaken) return;
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'INVALID' } });
  },
);
