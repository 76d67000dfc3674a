import { embeddingsModel } from '../sides/side.ts';

/** The platform chooses its response by the model, since it reads nothing else of a body. */
export const models = {
  chat: 'fair-chat',
  object: 'fair-object',
  stream: 'fair-stream',
  slowStream: 'fair-slow-stream',
  waiting: 'fair-waiting',
  responses: 'fair-responses',
  messages: 'fair-messages',
  embeddings: embeddingsModel,
} as const;

/** The service's response to a call: `200`, or `400` that costs its caller nothing. */
export type Verdict = 'admitted' | 'rejected';

export interface AttackCall {
  readonly name: string;
  readonly path: string;
  readonly verdict: Verdict;
  readonly body: () => string;
}

/** The number of texts in an embeddings call; the platform returns a vector for each. */
export const embeddedTexts = 2_000;

const namesMax = 49_900;
const valuesMax = 199_000;
const bodyBytesMax = 4_194_304;

const objectSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const tool = { name: 'look', description: 'Looks something up.', inputSchema: objectSchema };

/** A body for a route, with a list of messages, items or texts. 0 tokens are rejected. */
type BodyOf = (list: readonly unknown[], tokens: number) => object;

interface Route {
  readonly path: string;
  readonly bodyOf: BodyOf;
}

const chatOf: BodyOf = (messages, maxTokens) => ({ model: models.chat, maxTokens, messages });
const embeddingsOf: BodyOf = (input, tokens) => {
  return { model: models.embeddings, input, ...(tokens === 0 ? { dimensions: 0 } : {}) };
};

/** Every route that takes a list, in each API format. */
const routes = {
  chat: { path: '/v1/chat', bodyOf: chatOf },
  objects: {
    path: '/v1/objects',
    bodyOf: (list, tokens) => ({
      ...chatOf(list, tokens),
      ...{ model: models.object, schema: objectSchema },
    }),
  },
  agents: {
    path: '/v1/agents/run',
    bodyOf: (list, tokens) => ({ ...chatOf(list, tokens), tools: [tool] }),
  },
  quote: {
    path: '/v1/quote',
    bodyOf: (list, tokens) => ({ operation: 'chat', request: chatOf(list, tokens) }),
  },
  embeddings: { path: '/v1/embeddings', bodyOf: embeddingsOf },
  completions: {
    path: '/openai/v1/chat/completions',
    bodyOf: (messages, max_tokens) => ({ model: models.chat, max_tokens, messages }),
  },
  responses: {
    path: '/openai/v1/responses',
    bodyOf: (input, max_output_tokens) => ({ model: models.responses, max_output_tokens, input }),
  },
  openaiEmbeddings: { path: '/openai/v1/embeddings', bodyOf: embeddingsOf },
  messages: {
    path: '/anthropic/v1/messages',
    bodyOf: (messages, max_tokens) => ({ model: models.messages, max_tokens, messages }),
  },
  countTokens: {
    path: '/anthropic/v1/messages/count_tokens',
    // This route rejects a body only for its size.
    bodyOf: (messages, tokens) => {
      const extra = tokens === 0 ? Array.from({ length: valuesMax }, () => 0) : [];
      return { model: models.messages, messages, extra };
    },
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof routes;

export const routeNames = Object.keys(routes).filter((name): name is RouteName => name in routes);

const routesOfTexts: readonly RouteName[] = ['embeddings', 'openaiEmbeddings'];

/** Lists with the maximum number of entries of a body. */
const lists = {
  messages: {
    name: '9,990 messages',
    list: () => Array.from({ length: 9_990 }, () => ({ role: 'user', content: 'a' })),
  },
  items: {
    name: '9,000 items',
    list: () => Array.from({ length: 9_000 }, () => ({ role: 'user', content: 'a' })),
  },
  parts: {
    name: '24,000 text parts',
    list: () => Array.from({ length: 3 }, () => ({ role: 'user', content: partsOf(8_000) })),
  },
  texts: {
    name: '2,000 texts',
    list: () => Array.from({ length: embeddedTexts }, (_, index) => `t${index}`),
  },
  long: { name: 'a text of 4 MiB', list: () => [{ role: 'user', content: '@' }] },
} as const;

/** A list, on a route, that the service admits or rejects. */
export function listCall(of: keyof typeof lists, route: RouteName, verdict: Verdict): AttackCall {
  const { name, list } = lists[of];
  const { path, bodyOf } = routes[route];
  const body = () => {
    const text = JSON.stringify(bodyOf(list(), verdict === 'admitted' ? 8 : 0));
    return text.replace('@', 'x'.repeat(bodyBytesMax - text.length));
  };
  return { name, path, verdict, body: of === 'long' ? body : () => body().replace('@', '') };
}

/** Values of a field that no route accepts: as many names or numbers as a body may have. */
const unknowns = {
  repeated: { name: '49,900 names, the last twice', json: () => namesOf(namesMax - 1, '"n0":1,') },
  names: { name: '49,900 names in an unknown field', json: () => namesOf(namesMax, '') },
  values: {
    name: '199,000 values in an unknown field',
    json: () => `[${'0,'.repeat(valuesMax).slice(0, -1)}]`,
  },
} as const;

/** A field that no route accepts. Only the route that counts tokens ignores it. */
export function unknownCall(of: keyof typeof unknowns, route: RouteName): AttackCall {
  const { name, json } = unknowns[of];
  const { path, bodyOf } = routes[route];
  const one = routesOfTexts.includes(route) ? 'hello' : { role: 'user', content: 'hello' };
  const body = () => JSON.stringify({ ...bodyOf([one], 8), extra: '@' }).replace('"@"', json());
  return { name, path, verdict: route === 'countTokens' ? 'admitted' : 'rejected', body };
}

/** Streams of a response that takes minutes, as long honest ones do. */
export const slowStreamCall: AttackCall = {
  name: 'streams of a token a second',
  path: '/v1/chat/stream',
  verdict: 'admitted',
  body: () => {
    const messages = [{ role: 'user', content: 'hello' }];
    return JSON.stringify({ model: models.slowStream, maxTokens: 200, messages });
  },
};

/**
 * Small bodies of many values, which wait for a slow platform. While it waits, each takes more
 * memory than any other body of its size.
 */
export const waitingCall: AttackCall = {
  name: '95,000 lists that wait for a slow platform',
  path: routes.chat.path,
  verdict: 'admitted',
  body: () => {
    const toolCall = { id: 'c', name: 'look', input: '@' };
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', toolCalls: [toolCall] },
      { role: 'tool', toolCallId: 'c', content: 'done' },
    ];
    const text = JSON.stringify({ model: models.waiting, maxTokens: 8, messages });
    return text.replace('"@"', `[${'[],'.repeat(95_000).slice(0, -1)}]`);
  },
};

function namesOf(count: number, last: string): string {
  const names = Array.from({ length: count }, (_, index) => `"n${index}":1`);
  return `{${last}${names.join(',')}}`;
}

function partsOf(count: number) {
  return Array.from({ length: count }, () => ({ type: 'text', text: 'a' }));
}
