import { openStack } from '../support/stack.ts';
import type { Reader, Readers } from './reader.ts';
import { inPlaces } from './shapes.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000000, burst: 100000000, requestsPerDay: 1000000000 } }
apps: [{ name: search, dailyBudgetUsd: "5000000" }]
models:
  - { id: claude, platform: sandbox, upstreamModel: sim-told, pathFamily: anthropic-v1-messages, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: gpt, platform: sandbox, upstreamModel: sim-told, pathFamily: v1-responses, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: sim-echo, platform: sandbox, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
`;

/** A body of a route, with the places of `inPlaces`. */
interface Place {
  readonly name: string;
  readonly path: string;
  readonly body: object;
}

const user = { role: 'user', content: 'Hello @' };
const chat = { model: 'sim-echo', maxTokens: 5, messages: [user] };
const schema = { type: 'object', properties: { a: { const: '#' } } };
const agent = { ...chat, tools: [{ name: 'f', description: 'A tool.', inputSchema: schema }] };
const embeddings = { model: 'sim-embed', input: 'Hello @' };
const completion = { model: 'sim-echo', max_tokens: 5, messages: [user] };
const response = { model: 'gpt', max_output_tokens: 5, input: 'Hello @' };
const message = { model: 'claude', max_tokens: 5, messages: [user] };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '~' } };
const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '~' };
const use = { type: 'tool_use', id: 'c', name: 'f', input: '#' };
const ownCall = { role: 'assistant', toolCalls: [{ id: 'c', name: 'f', input: '#' }] };
const ownResult = { role: 'tool', toolCallId: 'c', content: 'done @' };

const chatPath = '/openai/v1/chat/completions';
const responsesPath = '/openai/v1/responses';
const messagesPath = '/anthropic/v1/messages';

/** Every route that reads a body, and every place in it that another reader parses. */
const places: readonly Place[] = [
  { name: 'chat', path: '/v1/chat', body: { ...chat, wild: '#' } },
  { name: 'chat: messages', path: '/v1/chat', body: { ...chat, messages: '#' } },
  {
    name: 'chat: input of a tool call',
    path: '/v1/chat',
    body: { ...chat, messages: [user, ownCall, ownResult] },
  },
  {
    name: 'chat: parts',
    path: '/v1/chat',
    body: { ...chat, maxTokens: 0, messages: [user, { role: 'user', content: '#' }] },
  },
  { name: 'streamed chat', path: '/v1/chat/stream', body: { ...chat, topP: '#' } },
  { name: 'object', path: '/v1/objects', body: { ...chat, schema } },
  { name: 'object: schema', path: '/v1/objects', body: { ...chat, schema: '#' } },
  { name: 'streamed object', path: '/v1/objects/stream', body: { ...chat, schema } },
  { name: 'agent', path: '/v1/agents/run', body: agent },
  { name: 'agent: tools', path: '/v1/agents/run', body: { ...chat, tools: '#' } },
  { name: 'streamed agent', path: '/v1/agents/stream', body: agent },
  {
    name: 'quote',
    path: '/v1/quote',
    body: { operation: 'chat', request: { ...chat, stop: '#' } },
  },
  { name: 'embeddings', path: '/v1/embeddings', body: { ...embeddings, dimensions: '#' } },
  { name: 'embeddings: texts', path: '/v1/embeddings', body: { ...embeddings, input: '#' } },
  { name: 'run', path: '/v1/runs', body: { maxCostUsd: '1', label: '@', expiresInMs: '#' } },
  { name: 'completion', path: chatPath, body: { ...completion, metadata: '#' } },
  { name: 'completion: messages', path: chatPath, body: { ...completion, messages: '#' } },
  {
    name: 'completion: arguments',
    path: chatPath,
    body: {
      ...completion,
      messages: [
        user,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
    },
  },
  { name: 'response', path: responsesPath, body: { ...response, metadata: '#' } },
  { name: 'response: input', path: responsesPath, body: { ...response, input: '#' } },
  {
    name: 'response: arguments',
    path: responsesPath,
    body: { ...response, input: [user, item, { ...item, type: 'function_call_output' }] },
  },
  {
    name: 'OpenAI embeddings',
    path: '/openai/v1/embeddings',
    body: { ...embeddings, dimensions: '#' },
  },
  { name: 'message', path: messagesPath, body: { ...message, metadata: '#' } },
  { name: 'message: messages', path: messagesPath, body: { ...message, messages: '#' } },
  {
    name: 'message: input of a tool',
    path: messagesPath,
    body: { ...message, messages: [user, { role: 'assistant', content: [use] }] },
  },
  {
    name: 'count of tokens',
    path: `${messagesPath}/count_tokens`,
    body: { ...message, tools: '#' },
  },
];

/** Every body, read by the whole service with a simulator and without a socket. */
export async function openBodyReaders(): Promise<Readers> {
  const stack = await openStack({ yaml });
  const headers = { authorization: `Bearer ${await stack.key('search')}` };
  const post = async (path: string, text: string) => {
    const answer = await stack.post('search', path, text, { headers });
    if ([404, 413, 429].includes(answer.status)) {
      throw new Error(`${path} answered ${answer.status}: the body was not read`);
    }
    await stack.clock.run(answer.text());
  };
  const readers = places.map(({ name, path, body }): Reader => {
    return {
      name,
      shapes: inPlaces(JSON.stringify(body)),
      read: (text) => post(path, String(text)),
    };
  });
  return { readers, close: () => stack.close() };
}
