import type { SoakApp, SoakModel } from './configuration.ts';

/** One kind of request of the mix. */
export interface Kind {
  readonly name: string;
  /** Its frequency, relative to the others. */
  readonly weight: number;
  readonly app: SoakApp | 'nobody';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The body of the request with this number; undefined for none. */
  readonly body?: (number: number) => unknown;
  readonly hasIdempotencyKey?: true;
  /** The same request is sent a second time: at once, or after the first response. */
  readonly isRepeated?: 'at once' | 'afterwards';
  /** The client disconnects after this time. */
  readonly leavesAfterMs?: number;
  /** The allowed statuses; any other status is a failure of the run. */
  readonly statuses: readonly number[];
}

const users = 500;
/** So many schemas that the cache must evict some. */
const schemas = 3_000;

/** Everything that the service does all day, and everything that it rejects. */
export const kinds: readonly Kind[] = [
  chat('chat', 30, 'sim-echo', [200]),
  chat('chat with credits', 15, 'sim-echo', [200], { app: 'tutor' }),
  chat('chat with reasoning', 4, 'sim-reasoning', [200]),
  chat('chat with a key', 8, 'sim-echo', [200], { hasIdempotencyKey: true }),
  chat('duplicate at once', 4, 'sim-echo', [200], {
    ...{ hasIdempotencyKey: true, isRepeated: 'at once' },
  }),
  chat('duplicate afterwards', 4, 'sim-echo', [200], {
    ...{ hasIdempotencyKey: true, isRepeated: 'afterwards' },
  }),
  object('object', 8, 'sim-echo', [200]),
  object('object that is not JSON', 2, 'sim-bad-json', [502]),
  agent('agent', 8, 'sim-echo', [200]),
  agent('wrong tool', 2, 'sim-wrong-tool', [502]),
  chat('client leaves', 4, 'sim-slow', [499], { leavesAfterMs: 300 }),
  chat('late answer', 3, 'sim-slow', [504]),
  chat('late answer, collected', 2, 'sim-slow', [504, 200], {
    ...{ hasIdempotencyKey: true, isRepeated: 'afterwards' },
  }),
  chat('no answer', 1, 'sim-timeout', [504]),
  chat('cut off', 2, 'sim-truncated', [422]),
  chat('no usage', 2, 'sim-no-usage', [200]),
  chat('fails once', 3, 'sim-flaky', [200, 502]),
  chat('throttled', 2, 'sim-throttled', [429, 502]),
  chat('down', 2, 'sim-down', [502]),
  chat('front end gave up', 1, 'sim-gateway-timeout', [502]),
  chat('reset', 1, 'sim-reset', [502]),
  chat('reset within', 1, 'sim-reset-mid-body', [502]),
  chat('no JSON', 1, 'sim-html', [502]),
  chat('rejected', 2, 'sim-rejects', [400]),
  chat('no budget', 3, 'sim-echo', [429], { app: 'poor' }),
  chat('over the plan', 3, 'sim-echo', [200, 429], { app: 'slow-plan' }),
  chat('model not allowed', 1, 'sim-reasoning', [403], { app: 'narrow' }),
  { ...chat('unknown key', 2, 'sim-echo', [403]), app: 'nobody' },
  { ...post('bad body', 2, '/v1/chat', [400]), body: () => ({ model: 'sim-echo', oops: 1 }) },
  { ...post('streaming', 1, '/v1/chat/stream', [501]), body: () => ({}) },
  { ...post('no such route', 1, '/v1/nothing', [404]), body: () => ({}) },
  get('usage', 2, '/v1/usage'),
  get('models', 2, '/v1/models'),
  { ...get('credits', 2, '/v1/credits/user-7'), app: 'tutor' },
];

type More = Partial<Pick<Kind, 'app' | 'hasIdempotencyKey' | 'isRepeated' | 'leavesAfterMs'>>;

function chat(
  name: string,
  weight: number,
  model: SoakModel,
  statuses: readonly number[],
  more: More = {},
): Kind {
  const user = (number: number) =>
    more.app === 'tutor' ? { userId: `user-${number % users}` } : {};
  return {
    ...post(name, weight, '/v1/chat', statuses),
    body: (number) => ({ ...conversation(model, number), ...user(number) }),
    ...more,
  };
}

function object(name: string, weight: number, model: SoakModel, statuses: readonly number[]): Kind {
  const body = (number: number) => ({
    ...conversation(model, number),
    schema: {
      type: 'object',
      properties: { [`field${number % schemas}`]: { type: 'string' }, count: { type: 'integer' } },
      required: ['count'],
    },
  });
  return { ...post(name, weight, '/v1/objects', statuses), body };
}

function agent(name: string, weight: number, model: SoakModel, statuses: readonly number[]): Kind {
  const body = (number: number) => ({
    ...conversation(model, number),
    tools: [
      {
        name: 'look_up',
        description: 'Looks something up.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ],
  });
  return { ...post(name, weight, '/v1/agents/run', statuses), body };
}

/** No two are equal: a simulator's model might fail only the first of equal requests. */
function conversation(model: SoakModel, number: number) {
  // The echo of the longest takes some 10,000 tokens.
  const maxTokens = model === 'sim-truncated' ? 64 : 16_384;
  const length = [100, 1_000, 8_000, 40_000][number % 4] ?? 100;
  const content = `Request ${number}. `.padEnd(length, 'All work and no play. ');
  return { model, maxTokens, messages: [{ role: 'user', content }] };
}

function post(name: string, weight: number, path: string, statuses: readonly number[]): Kind {
  return { name, weight, app: 'search', method: 'POST', path, statuses };
}

function get(name: string, weight: number, path: string): Kind {
  return { name, weight, app: 'search', method: 'GET', path, statuses: [200] };
}
