import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { billed, expectSums, settled } from '../streams/support/books.ts';
import { billedUsd, expectClean, readAttempts, readCalls } from '../support/books.ts';
import { chatOf, meet, meetChat, prompted } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { startServer } from '../support/server.ts';
import { openStack } from '../support/stack.ts';
import { aliasStack, aliasYaml, openAliasStack } from './alias-stack.ts';

const answer = { kind: 'answer', text: 'one two three four' } as const;

/** The maximum cost of a chat with the most expensive model, computed without the service. */
function mostOfDear(body: { readonly maxTokens: number }): bigint {
  const inputTokens = BigInt(Buffer.byteLength(JSON.stringify(body)) + 1_024);
  return inputTokens * 1_375_000n + BigInt(body.maxTokens) * 6_600_000n;
}

describe.each(['sqlite', 'postgres'] as const)('an alias, %s', (kind) => {
  const house = aliasStack(kind);

  test('reserves for its most expensive model, and its rejection has the amount', async () => {
    const { stack, newApp, asked } = house();
    const most = mostOfDear(chatOf('both', prompted('held')));
    const tight = await newApp({ dailyBudgetPicoUsd: most - 1n });
    const refused = await meetChat(stack, tight, 'both', prompted('held'));
    expect(refused.error).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(refused.error?.message).toContain(`could cost $${usd(most)}`);
    expect(asked('held')).toEqual([]);
    const fitting = await newApp({ dailyBudgetPicoUsd: most });
    expect((await meetChat(stack, fitting, 'both', prompted('held'))).status).toBe(200);
  });

  test('stops where another reservation does not fit', async () => {
    const { stack, newApp, asked, plan } = house();
    const body = chatOf('down', prompted('no room'));
    const app = await newApp({
      dailyBudgetPicoUsd: mostOfDear(body) + maximumCostPicoUsd(body) - 1n,
    });
    plan('no room', { 'sim-cached': { ...answer, fault: { kind: 'raw', status: 200, body: '' } } });
    expect((await meetChat(stack, app, 'down', prompted('no room'))).error?.code).toBe('SERVER');
    expect(asked('no room')).toEqual(['sim-cached']);
    await expectSums(stack, app, await settled(stack, app));
    const roomy = await newApp({ dailyBudgetPicoUsd: mostOfDear(body) + maximumCostPicoUsd(body) });
    plan('room', { 'sim-cached': { ...answer, fault: { kind: 'raw', status: 200, body: '' } } });
    const second = chatOf('down', prompted('room'));
    expect(Buffer.byteLength(JSON.stringify(second))).toBeLessThan(JSON.stringify(body).length);
    expect((await meetChat(stack, roomy, 'down', prompted('room'))).status).toBe(200);
    const [call] = await settled(stack, roomy);
    expect(call).toMatchObject({ basis: 'mixed', usageModel: 'sim-echo' });
  });

  test('falls through all of its models, and ends with the failure of the last', async () => {
    const { stack, newApp, asked, plan } = house();
    await stack.clock.advance(11_000);
    const app = await newApp();
    const down = platformError(503);
    plan('all', { 'sim-echo': down, 'sim-slow': platformError(429), 'sim-cached': down });
    const failed = await meetChat(stack, app, 'three', prompted('all'));
    expect(failed.error?.code).toBe('SERVER');
    expect(failed.headers.get('x-served-by')).toBe('dear');
    expect(asked('all').map((id) => id.replace('sim-', ''))).toEqual([
      'echo',
      'echo',
      'slow',
      'slow',
      'cached',
      'cached',
      'cached',
    ]);
    expect(billed(stack, app)).toBe(0n);
    await expectSums(stack, app, await settled(stack, app));
  });

  test('does not wait for a throttle that is longer than our longest wait', async () => {
    const { stack, newApp, asked, plan } = house();
    await stack.clock.advance(11_000);
    const app = await newApp();
    plan('wait', { 'sim-echo': platformError(429, { 'retry-after': '9' }) });
    const before = stack.clock.monotonic();
    expect((await meetChat(stack, app, 'both', prompted('wait'))).status).toBe(200);
    expect(stack.clock.monotonic()).toBe(before);
    expect(asked('wait')).toEqual(['sim-echo', 'sim-cached']);
  });

  test('calls no other model once the call’s time is over', async () => {
    const { stack, newApp, asked, plan } = house();
    const app = await newApp();
    plan('late', { 'sim-echo': { kind: 'silence' } });
    expect((await meetChat(stack, app, 'both', prompted('late'))).error?.code).toBe('TIMEOUT');
    await settled(stack, app);
    expect(asked('late')).toEqual(['sim-echo']);
  });

  test('of streams falls back before the first delta, and never after it', async () => {
    const { stack, newApp, asked, plan } = house();
    await stack.clock.advance(11_000);
    const app = await newApp();
    const broken = (after: number) => ({
      ...answer,
      stream: { gapMs: 10, stop: { how: 'break', after } } as const,
    });
    plan('before', { 'sim-echo': broken(0) });
    const whole = await streamed(app, 'before');
    expect(whole.served).toBe('dear');
    expect(whole.text).toContain('event: finish');
    expect(asked('before')).toEqual(['sim-echo', 'sim-echo', 'sim-cached']);
    plan('behind', { 'sim-echo': broken(3) });
    const half = await streamed(app, 'behind');
    expect(half.served).toBe('sim-echo');
    expect(half.text).toContain('event: error');
    expect(asked('behind')).toEqual(['sim-echo']);
    await expectSums(stack, app, await settled(stack, app));

    async function streamed(name: string, prompt: string) {
      const chat = chatOf('both', prompted(prompt));
      const response = await stack.post(name, '/v1/chat/stream', chat);
      const text = await stack.clock.run(response.text());
      return { text, served: response.headers.get('x-served-by') };
    }
  });

  test('is replayed with the model that answered', async () => {
    const { stack, newApp, plan } = house();
    await stack.clock.advance(11_000);
    const app = await newApp();
    plan('again', { 'sim-echo': platformError(503) });
    const headers = { 'idempotency-key': 'k1' };
    const post = () => stack.post(app, '/v1/chat', chatOf('both', prompted('again')), { headers });
    const first = await post();
    const again = await post();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([first, again].map((each) => each.headers.get('x-served-by'))).toEqual(['dear', 'dear']);
    expect(await again.text()).toBe(await first.text());
  });

  test('suffices in an allow-list, and is priced or rejected', async () => {
    const { stack, newApp } = house();
    const app = await newApp({ models: ['both', 'unpriced'], unpriced: 'free' });
    expect((await meetChat(stack, app, 'both')).status).toBe(200);
    expect((await meetChat(stack, app, 'sim-echo')).error?.code).toBe('MODEL_NOT_ALLOWED');
    expect((await meetChat(stack, app, 'unpriced')).error?.code).toBe('MODEL_NOT_PRICED');
    const { body } = await meet(stack, app, (client) => client.models());
    expect(body).toEqual({
      models: [
        {
          id: 'both',
          priced: true,
          price: {
            inputUsdPerMillion: '1.1',
            cachedInputUsdPerMillion: '0.11',
            cacheWriteInputUsdPerMillion: '1.375',
            outputUsdPerMillion: '6.6',
          },
          contextTokens: 2_000_000,
          maxOutputTokens: 16_384,
          operations: ['chat', 'objects', 'agents'],
          images: false,
          streaming: true,
        },
      ],
    });
  });
});

test('a model with an open circuit is skipped, and only the next is booked', async () => {
  const { stack, newApp, asked, plan } = await openAliasStack();
  const app = await newApp();
  plan('fail', { 'sim-echo': platformError(503) });
  for (let chat = 0; chat < 7; chat++) await meetChat(stack, app, 'sim-echo', prompted('fail'));
  const other = await newApp();
  const passed = await meetChat(stack, other, 'both', prompted('pass'));
  expect(passed.status).toBe(200);
  expect(passed.headers.get('x-served-by')).toBe('dear');
  expect(asked('pass')).toEqual(['sim-cached']);
  const calls = await settled(stack, other);
  expect(calls).toMatchObject([{ basis: 'exact', model: 'both', usageModel: 'dear' }]);
  expect(calls[0]?.cost).toBe(billed(stack, other));
  const kept = await meetChat(stack, other, 'throttled', prompted('kept'));
  expect(kept.error).toMatchObject({ code: 'SERVER', model: 'throttled' });
  expect(asked('kept')).toEqual([]);
  await expectSums(stack, other, await settled(stack, other));
  await stack.close();
});

test('a refused connection is followed by the next model', async () => {
  const server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
retry: { attempts: 3, baseMs: 1, capMs: 2 }
platforms:
  away: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  sandbox: { kind: simulator }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: gone, platform: away, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
  - { id: alias, route: [gone, sim-echo], fallbackOn: [server] }
`,
  });
  const client = await server.client('search');
  const answered = await client.chat(chatOf('alias'));
  expect(answered).toMatchObject({ model: 'alias', text: 'Hello, gateway!' });
  const [call] = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  expect(call).toMatchObject({ basis: 'exact', usageModel: 'sim-echo' });
  const attempts = await readAttempts(server.store, call);
  expect(attempts.map(({ model }) => model)).toEqual(['gone', 'gone', 'sim-echo']);
  expect(answered.cost.usd).toBe(billedUsd(server, 'search'));
  await expectClean(server);
  await server.close();
});

describe('the configuration', () => {
  const problemsOf = async (row: string) => {
    const yaml = aliasYaml('sqlite:./gateway.db', `  - ${row}\n`);
    const loaded = loadConfig({ file: '/x/gateway.yaml', environment: {}, readFile: () => yaml });
    if ('problems' in loaded) return loaded.problems.join('\n');
    return openStack({ yaml }).then(
      (stack) => stack.close().then(() => 'none'),
      (error: Error) => error.message,
    );
  };

  test.each([
    ['{ id: both, route: [sim-echo] }', 'is already used at models[2].id'],
    ['{ id: new, route: [] }', 'models[13].route: is empty'],
    ['{ id: new, route: [sim-echo, sim-echo] }', 'is already used at models[13].route[0]'],
    ['{ id: new, route: sim-echo }', 'must be a list'],
    ['{ id: new, route: [sim-echo], platform: sandbox }', 'platform: is an unknown key'],
    ['{ id: new, route: [sim-echo], fallbackOn: [timeout] }', 'must be one of throttled, server'],
    ['{ id: new, route: [a, b, c, d, e, f, g, h, i] }', 'takes at most 8 models; it has 9'],
    ['{ id: new, route: [both] }', 'the alias new includes the alias both'],
    ['{ id: new, route: [nobody] }', 'the alias new includes nobody, which no row'],
    ['{ id: sim-down, route: [sim-echo] }', 'the alias sim-down has the id of a built-in model'],
    [
      '{ id: vectors, platform: sandbox, kind: embeddings }\n  - { id: new, route: [dear, vectors] }',
      'the alias new includes text models and embedding models',
    ],
    ['{ id: new, route: [sim-echo] }', 'none'],
  ])('%s: %s', async (row, words) => {
    expect(await problemsOf(row)).toContain(words);
  });
});
