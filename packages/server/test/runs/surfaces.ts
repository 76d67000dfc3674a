import { type StoreKind, sharedOn, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const rates = 'inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.6"';
const cached = 'cachedInputUsdPerMillion: "0.075", cacheWriteInputUsdPerMillion: "0.1875"';

const yamlOn = (store: string) => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: other, platform: sandbox, upstreamModel: sim-echo, ${rates}, ${cached} }
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${rates}, ${cached} }
  - { id: other-claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${rates}, ${cached} }
  - { id: answers, platform: sandbox, upstreamModel: sim-echo, pathFamily: openai-v1-responses, ${rates}, ${cached} }
  - { id: embed, platform: sandbox, upstreamModel: sim-embed, kind: embeddings, inputUsdPerMillion: "0.02" }
`;

/** The whole service on a store, with every route. */
export function openSurfaces(kind: StoreKind) {
  return sharedOn(kind, async (store) => withApps(await openStack({ yaml: yamlOn(store) })));
}

/** A route that a run may call, and its request. */
export interface Surface {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of its response. */
  readonly says: string;
  /** BUDGET_EXCEEDED in its protocol; undefined if nothing is paid. */
  readonly refusedWith: { readonly status: number; readonly says: string } | undefined;
  /** Whether it reads the user and the purpose from its body; an estimate of tokens does not. */
  readonly isRead: boolean;
  body(more: object): object;
  /** Its field for a user. */
  as(user: string): { readonly body: object; readonly headers: Record<string, string> };
}

const messages = [{ role: 'user', content: 'Hello, gateway!' }];
const inBody = (user: string) => ({ body: { userId: user }, headers: {} });
const inHeader = (user: string) => ({ body: {}, headers: { 'x-user-id': user } });
const inMetadata = (user: string) => ({ body: { metadata: { user_id: user } }, headers: {} });
const inUser = (user: string) => ({ body: { user }, headers: {} });

const chat = { model: 'sim-echo', maxTokens: 50, messages };
const operations = {
  chat: ['/v1/chat', chat],
  objects: ['/v1/objects', { ...chat, schema: { type: 'object' } }],
  agents: ['/v1/agents/run', { ...chat, tools: [{ name: 'look', inputSchema: {} }] }],
  embeddings: ['/v1/embeddings', { model: 'embed', input: ['Hello'] }],
} as const;

function own([name, [path, body]]: [string, readonly [string, object]]): readonly Surface[] {
  const refusedWith = { status: 429, says: '"BUDGET_EXCEEDED"' };
  const base = { name, method: 'POST', as: inBody, isRead: true } as const;
  const whole: Surface = {
    ...{ ...base, path, says: '"cost"', refusedWith },
    body: (more) => ({ ...body, ...more }),
  };
  const quote: Surface = {
    ...{ ...base, name: `a quote of ${name}`, path: '/v1/quote', says: '"fits":true' },
    refusedWith: undefined,
    body: (more) => ({ operation: name, request: whole.body(more) }),
  };
  if (name === 'embeddings') return [whole, quote];
  const streamed = { name: `${name}, streamed`, path: `${path.replace('/run', '')}/stream` };
  return [whole, { ...whole, ...streamed, says: 'event: finish' }, quote];
}

function compatible(
  path: string,
  body: object,
  { says, end, as }: { readonly says: string; readonly end?: string; readonly as: Surface['as'] },
): readonly Surface[] {
  const refused = path.startsWith('/openai') ? '"insufficient_quota"' : '"billing_error"';
  const refusedWith = { status: 402, says: refused };
  const base = { name: path, method: 'POST', path, says, as, refusedWith, isRead: true } as const;
  const whole: Surface = { ...base, body: (more) => ({ ...body, ...more }) };
  if (end === undefined) return [whole];
  const streamed = { name: `${path}, streamed`, says: end };
  return [whole, { ...whole, ...streamed, body: (more) => ({ ...body, stream: true, ...more }) }];
}

function list(path: string): Surface {
  const says = path.startsWith('/anthropic') ? '"other-claude"' : '"other"';
  const base = { name: path, method: 'GET', path, says, as: inHeader, isRead: false } as const;
  return { ...base, refusedWith: undefined, body: () => ({}) };
}

const claude = { model: 'claude', messages };
const counted = compatible('/anthropic/v1/messages/count_tokens', claude, {
  ...{ says: '"input_tokens"', as: inHeader },
});

/** All of them, complete and streamed. */
export const surfaces: readonly Surface[] = [
  ...Object.entries(operations).flatMap(own),
  ...compatible(
    '/openai/v1/chat/completions',
    { model: 'sim-echo', max_completion_tokens: 50, messages },
    { says: '"usage"', end: '[DONE]', as: inHeader },
  ),
  ...compatible(
    '/openai/v1/responses',
    { model: 'answers', max_output_tokens: 50, input: 'Hello' },
    { says: '"completed"', end: 'response.completed', as: inUser },
  ),
  ...compatible(
    '/openai/v1/embeddings',
    { model: 'embed', input: 'Hello' },
    { says: '"embedding"', as: inUser },
  ),
  ...compatible(
    '/anthropic/v1/messages',
    { ...claude, max_tokens: 50 },
    { says: '"usage"', end: 'message_stop', as: inMetadata },
  ),
  ...counted.map((surface) => ({ ...surface, refusedWith: undefined, isRead: false })),
  ...['/v1/models', '/openai/v1/models', '/anthropic/v1/models'].map(list),
];
