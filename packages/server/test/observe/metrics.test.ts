import { describe, expect, test } from 'vitest';
import { rollUp } from '../../src/ledger/rollups.ts';
import type { Store } from '../../src/store/port/port.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { chatOf, meet, meetChat, send } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { scrape } from './support/scrape.ts';

const requests = 'model_gateway_requests_total';

describe('requests', () => {
  test(
    'are counted by app, route, status and code',
    onStack(async (stack) => {
      await meetChat(stack, 'search', 'sim-echo');
      await meetChat(stack, 'search', 'sim-echo');
      await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 });
      await meetChat(stack, 'tutor', 'sim-echo');
      await meet(stack, 'search', (client) => client.usage());
      await meet(stack, 'tutor', (client) => client.credits('ada'));
      const headers = { 'x-api-key': await stack.key('search') };
      await send(stack, '/v1/chat/stream', { headers });
      await send(stack, '/v1/nothing', { headers });
      await send(stack, '/v1/chat', { method: 'POST' });
      await send(stack, '/health');
      stack.service.ingress.refuse('HEADERS_TOO_LARGE');
      const seen = await scrape(stack);
      const counted = seen.seriesOf(requests).map((series) => [series, seen.value(series)]);
      const row = (app: string, route: string, status: number, code: string, count: number) => [
        `${requests}{app="${app}",route="${route}",status="${status}",code="${code}"}`,
        count,
      ];
      expect(counted).toEqual([
        row('search', 'chat', 200, 'OK', 2),
        row('search', 'chat', 400, 'INVALID', 1),
        row('tutor', 'chat', 400, 'USER_REQUIRED', 1),
        row('search', 'usage', 200, 'OK', 1),
        row('tutor', 'credits', 200, 'OK', 1),
        row('search', 'stream', 501, 'NOT_IMPLEMENTED', 1),
        row('search', 'other', 404, 'NOT_FOUND', 1),
        row('-', 'chat', 403, 'FORBIDDEN', 1),
        row('-', 'other', 431, 'HEADERS_TOO_LARGE', 1),
      ]);
    }),
  );

  test(
    'are timed by stage, and visible while they run',
    onStack(async (stack) => {
      const client = await stack.client('search');
      const running = client.chat(chatOf('sim-slow'));
      await stack.clock.advance(1_000);
      const during = await scrape(stack);
      expect(during.value('model_gateway_in_flight')).toBe(1);
      expect(during.value('model_gateway_running_calls')).toBe(1);
      const bytes = during.value('model_gateway_body_bytes_in_flight');
      expect(bytes).toBeGreaterThan(50);
      const ofApp = (app: string) => `model_gateway_app_body_bytes_in_flight{app="${app}"}`;
      expect(during.value(ofApp('search'))).toBe(bytes);
      expect(during.value(ofApp('tutor'))).toBe(0);
      expect(during.value('model_gateway_body_bytes_max')).toBe(268_435_456);
      await stack.clock.run(running);
      const after = await scrape(stack);
      expect(after.value('model_gateway_in_flight')).toBe(0);
      for (const [stage, seconds] of [
        ['reserve', 0],
        ['model', 2],
        ['settle', 0],
        ['total', 2],
      ]) {
        const labels = `{route="chat",stage="${stage}"}`;
        expect(after.value(`model_gateway_stage_seconds_sum${labels}`)).toBe(seconds);
        expect(after.value(`model_gateway_stage_seconds_count${labels}`)).toBe(1);
      }
      expect(after.value('model_gateway_commit_operations_sum')).toBe(2);
      expect(after.value('model_gateway_commit_operations_count')).toBe(2);
    }),
  );

  test(
    'that are rejected at the entry are counted for their app, and named in the log',
    onStack(
      async (stack) => {
        await meetChat(stack, 'search', 'sim-echo');
        await meetChat(stack, 'search', 'sim-echo');
        const seen = await scrape(stack);
        const refused = `${requests}{app="search",route="chat",status="429",code="TOO_MANY_REQUESTS"}`;
        expect(seen.value(refused)).toBe(1);
        const line = stack.logLines.find(({ fields }) => fields.status === 429);
        expect(line?.fields).toMatchObject({ app: 'search', code: 'TOO_MANY_REQUESTS' });
      },
      {
        yaml: `
company: acme
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 1, burst: 1 } }
apps: [{ name: search }]
`,
      },
    ),
  );

  test(
    'have labels of few values, whatever callers write',
    onStack(async (stack) => {
      const apiKey = await stack.key('search');
      for (let index = 0; index < 20; index++) {
        const path = `/v1/credits/user-${index}`;
        await meetChat(stack, 'search', `any-model-${index}`);
        await send(stack, path, { headers: { 'x-api-key': apiKey } });
        await send(stack, `/v1/path-${index}`, { headers: { 'x-api-key': apiKey } });
        await send(stack, '/v1/usage', { headers: { 'x-api-key': `mgk_${index}` } });
        const odd = await stack.issueNamedKey(
          `llm::user::none-${index}::a@b.example`,
          `none-${index}`,
        );
        await send(stack, '/v1/usage', { headers: { 'x-api-key': odd.key } });
      }
      const seen = await scrape(stack);
      expect([...seen.valuesOf('app')].toSorted()).toEqual(['-', 'search', 'tutor']);
      expect([...seen.valuesOf('model')]).toEqual(['other']);
      expect([...seen.valuesOf('route')].toSorted()).toEqual(['chat', 'credits', 'other', 'usage']);
    }),
  );
});

describe('calls', () => {
  test(
    'that are settled after their caller disconnected are counted at the settlement',
    onStack(async (stack) => {
      await meetChat(stack, 'search', 'sim-timeout');
      const calls = 'model_gateway_calls_total{model="sim-timeout",code="TIMEOUT"}';
      const during = await scrape(stack);
      expect(during.value(calls)).toBeUndefined();
      expect(during.value('model_gateway_detached_calls')).toBe(1);
      await stack.clock.advance(10_000);
      const after = await scrape(stack);
      expect(after.value(calls)).toBe(1);
      expect(after.value('model_gateway_detached_calls')).toBe(0);
      expect(after.value('model_gateway_detached_calls_total{basis="exact"}')).toBe(1);
      expect(after.value('model_gateway_stage_seconds_sum{route="chat",stage="model"}')).toBe(30);
    }),
  );

  test(
    'that are retried are counted by attempt, and a failing platform has a circuit',
    onStack(
      async (stack) => {
        for (let call = 0; call < 10; call++) await meetChat(stack, 'search', 'sim-echo');
        const seen = await scrape(stack);
        const attempts = seen.value(
          'model_gateway_attempts_total{model="sim-echo",outcome="SERVER"}',
        );
        const retries = seen.value('model_gateway_retries_total{platform="sandbox"}');
        expect(attempts).toBe(20);
        expect(retries).toBeGreaterThan(0);
        const circuit = 'model_gateway_circuit_state{platform="sandbox",model="sim-echo"}';
        expect(seen.value(circuit)).toBe(2);
        expect(seen.value('model_gateway_circuit_opened_total{platform="sandbox"}')).toBe(1);
        const refused = 'model_gateway_circuit_refused_total{platform="sandbox"}';
        expect(seen.value(refused)).toBeGreaterThan(0);
      },
      { script: () => platformError(500) },
    ),
  );
});

describe('report rollups', () => {
  test(
    'have the age of their last hour, and none before the first',
    onStack(async (stack) => {
      const age = 'model_gateway_rollup_age_seconds';
      stack.clock.set(Date.UTC(2026, 10, 23, 12, 20));
      await meetChat(stack, 'search', 'sim-echo');
      expect((await scrape(stack)).seriesOf(age)).toEqual([]);
      await rollUp(stack.admin);
      await stack.clock.advance(5_000);
      expect((await scrape(stack)).value(age)).toBe(20 * 60 + 5);
      stack.clock.set(Date.UTC(2026, 10, 23, 14, 2));
      await rollUp(stack.admin);
      await stack.clock.advance(5_000);
      expect((await scrape(stack)).value(age)).toBe(62 * 60 + 5);
    }),
  );
});

describe('money', () => {
  test(
    'is shown for each app, as the store has it',
    onStack(async (stack) => {
      await meetChat(stack, 'search', 'sim-echo');
      const client = await stack.client('search');
      const running = client.chat(chatOf('sim-slow'));
      await stack.clock.advance(1_000);
      const { body } = await meet(stack, 'search', (caller) => caller.usage());
      const seen = await scrape(stack);
      const usd = (name: string) => seen.value(`model_gateway_${name}{app="search"}`);
      expect(body).toMatchObject({
        budget: {
          capUsd: String(usd('budget_cap_usd')),
          heldUsd: String(usd('budget_held_usd')),
        },
      });
      expect(usd('budget_spent_usd')).toBe(0.000006);
      expect(usd('budget_estimated_usd')).toBe(0);
      expect(usd('budget_overrun_usd')).toBe(0);
      expect(usd('open_holds')).toBe(1);
      expect(usd('open_holds_usd')).toBe(usd('budget_held_usd'));
      expect(seen.value('model_gateway_budget_cap_usd{app="tutor"}')).toBe(5);
      expect(seen.value('model_gateway_budget_spent_usd{app="tutor"}')).toBe(0);
      await stack.clock.run(running);
    }),
  );

  test('is read from the store once in 5 s', async () => {
    let reads = 0;
    const counting = (store: Store): Store => ({
      ...store,
      read(query) {
        if (/from budget_day/.test(query.sql)) reads += 1;
        return store.read(query);
      },
    });
    const run = onStack(
      async (stack) => {
        const atStart = reads;
        for (let look = 0; look < 5; look++) await scrape(stack);
        expect(reads - atStart).toBe(1);
        await stack.clock.advance(5_000);
        await scrape(stack);
        expect(reads - atStart).toBe(2);
      },
      { wrapStore: counting },
    );
    await run();
  });

  test('is missing while the store is unreachable, and only that is missing', async () => {
    const broken = createBrokenStore();
    const run = onStack(
      async (stack) => {
        broken.disappear();
        const during = await scrape(stack);
        expect(during.value('model_gateway_store_up')).toBe(0);
        expect(during.seriesOf('model_gateway_budget_cap_usd')).toEqual([]);
        expect(during.value('model_gateway_in_flight')).toBe(0);
        broken.mend();
        const after = await scrape(stack);
        expect(after.value('model_gateway_store_up')).toBe(1);
        expect(after.seriesOf('model_gateway_budget_cap_usd')).toHaveLength(2);
      },
      { wrapStore: broken.wrap },
    );
    await run();
  });
});

test(
  'the process’s use of machine resources is shown',
  onStack(async (stack) => {
    stack.service.monitor.watchProcess();
    const seen = await scrape(stack);
    for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes']) {
      expect(seen.value(name)).toBeGreaterThan(1_000_000);
    }
    expect(seen.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(seen.names).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(seen.seriesOf('model_gateway_info')).toEqual([
      expect.stringMatching(/^model_gateway_info\{version="0.0.0-test",config="[0-9a-f]{12}"\}$/),
    ]);
  }),
);

test.runIf(process.platform === 'linux')(
  'Linux reports the descriptors',
  onStack(async (stack) => {
    stack.service.monitor.watchProcess();
    const seen = await scrape(stack);
    const open = seen.value('process_open_fds') ?? 0;
    expect(open).toBeGreaterThan(0);
    expect(seen.value('process_max_fds')).toBeGreaterThan(open);
  }),
);
