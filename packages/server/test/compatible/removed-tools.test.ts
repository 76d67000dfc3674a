import { describe, expect, it } from 'vitest';
import { messageShape } from '../../src/ingress/dialects/anthropic/message-shape.ts';
import { responseShape } from '../../src/ingress/dialects/openai/response-shape.ts';
import { inspect } from '../../src/ingress/dialects/relay/inspect.ts';
import { withoutRemovedTools } from '../../src/ingress/dialects/relay/removed-tools.ts';
import { editJson } from '../../src/lib/json-text.ts';

// Platforms reject a choice, or a setting, of a tool that a request does not have.

const shapes = { messages: messageShape, responses: responseShape };
const search = { type: 'web_search' };
const mcp = { type: 'mcp', server_label: 'files', server_url: 'https://files.test' };
const fn = { type: 'function', name: 'look', parameters: {} };
const apis = { type: 'namespace', name: 'apis', tools: [{ ...fn, name: 'inner' }] };
const claudeSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
const own = { name: 'look', input_schema: { type: 'object' } };
const thinking = 'reasoning.encrypted_content';
const sources = 'web_search_call.action.sources';

type Fields = Readonly<Record<string, unknown>>;

const rows: readonly [keyof typeof shapes, Fields, Fields][] = [
  ['messages', { tools: [claudeSearch] }, {}],
  ['messages', { tools: [claudeSearch], tool_choice: { type: 'tool', name: 'web_search' } }, {}],
  ['messages', { tools: [claudeSearch], tool_choice: { type: 'any' } }, {}],
  [
    'messages',
    { tools: [claudeSearch, own], tool_choice: { type: 'tool', name: 'web_search' } },
    { tools: [own] },
  ],
  [
    'messages',
    { tools: [own, claudeSearch], tool_choice: { type: 'tool', name: 'look' } },
    { tools: [own], tool_choice: { type: 'tool', name: 'look' } },
  ],
  [
    'messages',
    { tools: [own, claudeSearch], tool_choice: { type: 'any' } },
    { tools: [own], tool_choice: { type: 'any' } },
  ],
  ['responses', { tools: [search], tool_choice: search }, {}],
  [
    'responses',
    {
      ...{ tools: [search, mcp], tool_choice: 'required', parallel_tool_calls: true },
      ...{ max_tool_calls: 3, include: [sources, thinking] },
    },
    { include: [thinking] },
  ],
  ['responses', { tools: [search, fn], tool_choice: search, include: [sources] }, { tools: [fn] }],
  [
    'responses',
    { tools: [fn, mcp], tool_choice: { type: 'mcp', server_label: 'files' } },
    { tools: [fn] },
  ],
  [
    'responses',
    { tools: [fn, search], tool_choice: { type: 'function', name: 'look' } },
    { tools: [fn], tool_choice: { type: 'function', name: 'look' } },
  ],
  [
    'responses',
    { tools: [apis, search], tool_choice: { type: 'function', name: 'inner' } },
    { tools: [apis], tool_choice: { type: 'function', name: 'inner' } },
  ],
  [
    'responses',
    {
      tools: [fn, search],
      tool_choice: {
        ...{ type: 'allowed_tools', mode: 'required' },
        tools: [search, { type: 'function', name: 'look' }],
      },
    },
    {
      tools: [fn],
      tool_choice: {
        ...{ type: 'allowed_tools', mode: 'required' },
        tools: [{ type: 'function', name: 'look' }],
      },
    },
  ],
  [
    'responses',
    { tools: [fn, search], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [search] } },
    { tools: [fn] },
  ],
  ['responses', { tools: [fn], include: [sources] }, { tools: [fn], include: [sources] }],
];

describe('without the platform’s tools, a request loses the fields that name them', () => {
  it.each(rows)('%s: %j', (api, body, left) => {
    const kept = { unknownFields: 'refuse', unboundedInput: 'refuse' } as const;
    const rules = { ...kept, serverTools: 'remove' } as const;
    const { edits } = inspect(shapes[api], body, rules);
    const text = editJson(JSON.stringify(body), withoutRemovedTools(body, edits));
    expect(JSON.parse(text)).toEqual(left);
  });
});
