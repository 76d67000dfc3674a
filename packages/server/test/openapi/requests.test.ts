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
];

const rows = [
  ...refused.map((row) => ({ ...row, isTaken: false })),
  ...taken.map((row) => ({ ...row, isTaken: true })),
];

test.each(rows)(
  'the service and its description agree on $path $more: $isTaken',
  async ({ path, name, more, isTaken }) => {
    const { stack } = shared();
    const body = chatOf('sim-echo', more);
    const isDescribed = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    expect(isDescribed(body), ajv.errorsText(isDescribed.errors)).toBe(isTaken);
    const answer = await stack.post('search', path, body);
    expect(answer.status).toBe(isTaken ? 200 : 400);
    if (!isTaken) expect(await answer.json()).toMatchObject({ error: { code: 'INVALID' } });
  },
);
