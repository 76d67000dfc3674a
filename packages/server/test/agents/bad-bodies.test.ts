import { describe, expect, test } from 'vitest';
import { sendTo } from '../objects/ask.ts';
import { expectBooks } from '../support/books.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { agentOf, searchTool } from './ask.ts';

const shared = sharedStack();

const { inputSchema, ...nameless } = searchTool;
const many = Array.from({ length: 129 }, (_, index) => ({ ...searchTool, name: `t${index}` }));

const bodies: readonly { readonly says: string; readonly more: object }[] = [
  { says: 'tools is missing', more: { tools: undefined } },
  { says: 'tools must be a list; it is an object', more: { tools: {} } },
  { says: 'tools needs at least 1 entry; it has none', more: { tools: [] } },
  { says: 'tools takes at most 128 entries; it has 129', more: { tools: many } },
  { says: 'tools[0].name is missing', more: { tools: [{ inputSchema }] } },
  { says: 'tools[0].inputSchema is missing', more: { tools: [nameless] } },
  { says: 'tools[0].name must not be empty', more: { tools: [{ ...searchTool, name: '' }] } },
  {
    says: 'tools[0].name takes at most 64 characters; it has 65',
    more: { tools: [{ ...searchTool, name: 'n'.repeat(65) }] },
  },
  {
    says: 'tools[0].name must be a word of ASCII letters, digits, "_" and "-"; it is "a b"',
    more: { tools: [{ ...searchTool, name: 'a b' }] },
  },
  { says: 'tools[1].name is given twice: "search"', more: { tools: [searchTool, searchTool] } },
  {
    says: 'tools[0].description must be a string; it is 1',
    more: { tools: [{ ...searchTool, description: 1 }] },
  },
  {
    says: 'tools[0].strict is an unknown field; write one of name, description, inputSchema',
    more: { tools: [{ ...searchTool, strict: true }] },
  },
  {
    says: 'tools[0].inputSchema must be an object; it is true',
    more: { tools: [{ ...searchTool, inputSchema: true }] },
  },
  {
    says: 'tools[1].inputSchema.properties.a.type must be array, boolean',
    more: { tools: [searchTool, { name: 'b', inputSchema: { properties: { a: { type: 'x' } } } }] },
  },
  {
    says: 'tools[0].inputSchema.$ref points outside the schema, to "http://a.test/b"',
    more: { tools: [{ name: 'b', inputSchema: { $ref: 'http://a.test/b' } }] },
  },
  {
    says: 'toolChoice must be "auto" or "required" or an object; it is "none"',
    more: { toolChoice: 'none' },
  },
  { says: 'toolChoice.name is missing', more: { toolChoice: {} } },
  { says: 'toolChoice.name does not match any tool: "no"', more: { toolChoice: { name: 'no' } } },
  { says: 'toolChoice.name must not be empty', more: { toolChoice: { name: '' } } },
  {
    says: 'toolChoice.name must be a word of ASCII letters',
    more: { toolChoice: { name: 'a b' } },
  },
  {
    says: 'toolChoice.type is an unknown field; write one of name',
    more: { toolChoice: { name: 'search', type: 'tool' } },
  },
  { says: 'schema is an unknown field', more: { schema: {} } },
];

const call = { id: 'c1', name: 'search', input: { query: 'q' } };
const asks = { role: 'assistant', toolCalls: [call] };
const result = { role: 'tool', toolCallId: 'c1', content: 'r' };
const user = { role: 'user', content: 'Hello' };

const conversations = [
  { says: 'messages[0].toolCallId does not match an open tool call', messages: [result] },
  { says: 'messages[2].toolCallId does not match an open tool', messages: [asks, result, result] },
  {
    says: 'messages[2].toolCallId does not match an open tool call',
    messages: [user, asks, { ...result, toolCallId: 'c2' }],
  },
  { says: 'messages[1] must come after the result of the tool call', messages: [asks, user] },
  { says: 'messages end before the result of the tool call "c1"', messages: [user, asks] },
  { says: 'messages[0] has neither content nor toolCalls', messages: [{ role: 'assistant' }] },
  {
    says: 'messages[0] has neither content nor toolCalls',
    messages: [{ role: 'assistant', toolCalls: [] }],
  },
  {
    says: 'messages[0].toolCalls has the same id twice',
    messages: [{ role: 'assistant', toolCalls: [call, call] }],
  },
  {
    says: 'messages[0].toolCalls[0].input is missing',
    messages: [{ role: 'assistant', toolCalls: [{ id: 'c', name: 'n' }] }],
  },
  {
    says: 'messages[0].toolCalls[0].id must not be empty',
    messages: [{ role: 'assistant', toolCalls: [{ ...call, id: '' }] }],
  },
  { says: 'messages[0].content is missing', messages: [{ role: 'tool', toolCallId: 'c1' }] },
];

const rows = [
  ...bodies,
  ...conversations.map(({ says, messages }) => ({ says, more: { messages } })),
];

describe('a bad turn is rejected with the path of the fault, before any reservation', () => {
  test.each(rows)('$says', async ({ says, more }) => {
    const { stack } = shared();
    const refused = await sendTo(stack, '/v1/agents/run', { ...agentOf('sim-echo'), ...more });
    expectError(refused, { status: 400, code: 'INVALID', says: [says] });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });
});

describe('a valid conversation', () => {
  test.each([
    [[asks, result]],
    [[user, asks, result, user]],
    [[{ ...asks, content: 'I look.' }, result]],
    [[asks, result, asks, result]],
  ])('%j', async (messages) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const answer = await stack.post(app, '/v1/agents/run', { ...agentOf('sim-echo'), messages });
    expect(answer.status).toBe(200);
  });
});
