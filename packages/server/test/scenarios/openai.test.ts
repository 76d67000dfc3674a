import { type Client, LlmError } from '@model-gateway/sdk';
import { projectIdOf } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, heldBy, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { type SimulatedPlatform, startSimulatedPlatform } from '../support/simulated-platform.ts';

/** The platform's action, and the number of attempts of each call. */
const behaviours = [
  ['sim-echo', 1],
  ['sim-flaky', 2],
  ['sim-throttled-once', 2],
  ['sim-down', 3],
  ['sim-gateway-timeout', 3],
  ['sim-reset', 3],
  ['sim-reset-mid-body', 3],
  ['sim-html', 1],
  ['sim-quota', 1],
  ['sim-rejects', 1],
  ['sim-unauthorized', 1],
  ['sim-redirect', 1],
  ['sim-no-usage', 1],
] as const;

const surfaces = ['v1-chat', 'v1-responses'] as const;

const rows = surfaces.flatMap((family) =>
  behaviours.map(
    ([id]) =>
      `  - { id: ${family}-${id}, platform: real, upstreamModel: ${id}, pathFamily: ${family}, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60" }`,
  ),
);

const dear = surfaces.map(
  (family) =>
    `  - { id: dear-${family}, platform: real, upstreamModel: sim-echo, pathFamily: ${family}, inputUsdPerMillion: "0.15", outputUsdPerMillion: "100000" }`,
);

let openai: SimulatedPlatform;
beforeAll(async () => {
  openai = await startSimulatedPlatform({
    yaml: (url) => `
company: acme
store: sqlite:./gateway.db
platforms:
  real: { kind: openai, apiKey: sk-test-of-the-gateway, baseUrl: "${url}/v1" }
retry: { attempts: 3, baseMs: 1, capMs: 2 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
${[...rows, ...dear].join('\n')}
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: thrifty, dailyBudgetUsd: "1" }
  - { name: unbound, dailyBudgetUsd: "5" }
`,
    bound: ['search', 'thrifty'],
  });
});
afterAll(() => openai.close());

const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
} as const;
const tools = [{ name: 'look', inputSchema: { type: 'object' } }] as const;

const operations: readonly (readonly [
  string,
  (client: Client, model: string) => Promise<unknown>,
])[] = [
  ['a chat', (client, model) => client.chat(chatOf(model))],
  ['an object', (client, model) => client.object<unknown>({ ...chatOf(model), schema })],
  ['an agent turn', (client, model) => client.agent({ ...chatOf(model), tools })],
];

/** The platform's view of one call, and the call's end. */
async function seenOf(app: string, call: (client: Client) => Promise<unknown>) {
  const before = openai.seen.length;
  const client = await openai.server.client(app);
  const error: unknown = await call(client).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, seen: openai.seen.slice(before) };
}

async function expectSettled(app: string) {
  const { store, clock } = openai.server;
  expect(await heldBy(store, app)).toBe(0);
  await expectClean({ store, clock, simulator: openai.simulator.simulator });
  expect(openai.simulator.simulator.bill().storedCalls).toBe(0);
}

describe.each(surfaces)('on %s', (family) => {
  describe.each(operations)('%s', (_, call) => {
    test.each(behaviours)(
      'of %s names its app’s project in each of its attempts',
      async (...row) => {
        const [behaviour, attempts] = row;
        const { seen } = await seenOf('search', (client) => call(client, `${family}-${behaviour}`));
        const projectId = projectIdOf('prod-acme-core-search');
        const surface = family === 'v1-chat' ? 'chat' : 'responses';
        expect(seen.map((one) => [one.surface, one.projectId])).toEqual(
          Array(attempts).fill([surface, projectId]),
        );
        await expectSettled('search');
      },
    );

    test('of an app without a project is not called', async () => {
      const { error, seen } = await seenOf('unbound', (client) =>
        call(client, `${family}-sim-echo`),
      );
      expect(error).toMatchObject({ status: 500, code: 'INTERNAL' });
      expect(seen).toEqual([]);
    });
  });
});

test('every billed project belongs to an app', () => {
  const ids = ['search', 'thrifty'].map((app) => projectIdOf(`prod-acme-core-${app}`));
  const { projects, missingProjectCalls } = openai.simulator.simulator.bill();
  for (const { projectId } of projects) expect(ids).toContain(projectId);
  expect(missingProjectCalls).toBe(0);
});

describe('a maximum below the minimum of responses', () => {
  test('is sent as 16, reserved as 16, and paid as its usage', async () => {
    const chat = (client: Client) => client.chat(chatOf('v1-responses-sim-echo', { maxTokens: 1 }));
    const { error, seen } = await seenOf('search', chat);
    expect(error).toBeUndefined();
    expect(seen.map(({ request }) => request.maxOutputTokens)).toEqual([16]);
    const { store, clock } = openai.server;
    const call = (await readCalls(store, 'search', utcDayOf(clock.now()))).at(-1);
    const body = Buffer.byteLength(
      JSON.stringify(chatOf('v1-responses-sim-echo', { maxTokens: 1 })),
    );
    expect(call?.held).toBe(BigInt(body + 1_024) * 150_000n + 16n * 600_000n);
    expect(call?.cost).toBeLessThanOrEqual(call?.held ?? 0n);
  });

  test('is rejected if the budget covers the requested maximum, but not the sent one', async () => {
    // 0.1 USD a token: one fits into the budget of 1 USD, and 16 do not.
    const responses = await seenOf('thrifty', (client) =>
      client.chat(chatOf('dear-v1-responses', { maxTokens: 1 })),
    );
    expect(responses.error).toMatchObject({ status: 429, code: 'BUDGET_EXCEEDED' });
    expect(responses.error).toMatchObject({ message: expect.stringContaining('no maxTokens') });
    expect(responses.seen).toEqual([]);
    const chat = await seenOf('thrifty', (client) =>
      client.chat(chatOf('dear-v1-chat', { maxTokens: 1 })),
    );
    expect(chat.seen.map(({ request }) => request.maxOutputTokens)).toEqual([1]);
    await expectSettled('thrifty');
  });
});

test('a setting that responses do not have is rejected, and nothing is sent', async () => {
  const stop = ['END'];
  const { error, seen } = await seenOf('search', (client) =>
    client.chat(chatOf('v1-responses-sim-echo', { stop })),
  );
  expect(error).toBeInstanceOf(LlmError);
  expect(error).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  expect(seen).toEqual([]);
  const none = await seenOf('search', (client) =>
    client.chat(chatOf('v1-responses-sim-echo', { stop: [] })),
  );
  expect(none.error).toBeUndefined();
  await expectSettled('search');
});
