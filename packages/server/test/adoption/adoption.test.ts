import type { Outcome } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { expectSums, settled } from '../streams/support/books.ts';
import { billedUsd } from '../support/books.ts';
import { chatOf, prompted } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

const answer = { kind: 'answer', text: 'late or not' } as const;

describe.each(['sqlite', 'postgres'] as const)('a retry without a key, %s', (kind) => {
  const plans = new Map<string, Outcome>();
  let postgres: TestPostgres | undefined;
  let stack: Stack;
  let apps = 0;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    stack = await openStack({
      yaml: `
company: acme
store: "${(await postgres?.database()) ?? 'sqlite:./gateway.db'}"
limits: { modelCallMs: 2000, gatewayMs: 4000, drainMs: 20000 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5", adoptRetries: true }]
`,
      script: ({ request }) => plans.get(request.messages.at(-1)?.texts.join('') ?? ''),
    });
  });
  afterAll(async () => {
    await stack.close();
    await postgres?.close();
  });

  async function newApp(adoptRetries = true) {
    apps += 1;
    const name = `app-${apps}`;
    await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), adoptRetries });
    await stack.clock.run(stack.service.registry.refresh());
    return name;
  }

  /** Each test has its own prompt, which takes `delayMs`. */
  function plan(prompt: string, delayMs = 0) {
    plans.set(prompt, { ...answer, delayMs });
    return chatOf('sim-echo', prompted(prompt));
  }

  async function ask(app: string, body: object, retry = 0, more: Record<string, string> = {}) {
    const headers = { 'x-stainless-retry-count': String(retry), ...more };
    const response = await stack.post(app, '/v1/chat', body, { headers });
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    const id = response.headers.get('x-call-id');
    return { status: response.status, isReplayed, id, text: await response.text() };
  }

  async function booked(app: string) {
    const calls = await settled(stack, app);
    await expectSums(stack, app, calls);
    return calls.length;
  }

  test('collects a call that timed out: one charge, one response', async () => {
    const app = await newApp();
    const body = plan('timed out', 5_000);
    const first = await ask(app, body);
    expect(first.status).toBe(504);
    const second = await ask(app, body, 1);
    expect([second.status, second.isReplayed, second.id]).toEqual([200, true, first.id]);
    expect(JSON.parse(second.text)).toMatchObject({ text: 'late or not' });
    expect(await booked(app)).toBe(1);
    expect(JSON.parse(second.text).cost.usd).toBe(billedUsd(stack, app));
    // It was claimed, so nothing is left of it.
    const third = await ask(app, body, 2);
    expect([third.status, third.id === first.id]).toEqual([504, false]);
  });

  test('gets the response only once of two', async () => {
    const app = await newApp();
    const body = plan('two retries', 5_000);
    await ask(app, body);
    await stack.clock.advance(6_000);
    plan('two retries');
    const [one, other] = await Promise.all([ask(app, body, 1), ask(app, body, 1)]);
    expect([one, other].map(({ isReplayed }) => isReplayed).sort()).toEqual([false, true]);
    expect(one.id).not.toBe(other.id);
    expect(await booked(app)).toBe(2);
  });

  test('is a new call if the first one was answered', async () => {
    const app = await newApp();
    const body = plan('delivered');
    const first = await ask(app, body);
    const second = await ask(app, body, 1);
    expect([first.status, second.status, second.isReplayed]).toEqual([200, 200, false]);
    expect(second.id).not.toBe(first.id);
    expect(await booked(app)).toBe(2);
  });

  test('collects nothing from simultaneous equal bodies: two responses, two charges', async () => {
    const app = await newApp();
    const body = plan('at once', 1_500);
    const [one, other] = await Promise.all([ask(app, body), ask(app, body)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.id).not.toBe(other.id);
    expect(await booked(app)).toBe(2);
  });

  test('waits 1 s for a connected first call, and then is a new call', async () => {
    const app = await newApp();
    const body = plan('connected', 1_900);
    const key = await stack.key(app);
    const startedMs = stack.clock.monotonic();
    const [first, retry] = await Promise.all([ask(app, body), ask(app, body, 1)]);
    expect([first.status, retry.status]).toEqual([200, 200]);
    expect(first.id).not.toBe(retry.id);
    expect(stack.clock.monotonic() - startedMs).toBeGreaterThanOrEqual(2_900);
    expect(await booked(app)).toBe(2);
    expect(key).toBeDefined();
  });

  test('collects a call whose caller has disconnected while it runs', async () => {
    const app = await newApp();
    const body = plan('hung up', 1_800);
    const leaving = new AbortController();
    const first = stack.post(app, '/v1/chat', body, { signal: leaving.signal }).then(
      () => 'answered',
      () => 'left',
    );
    await stack.clock.advance(500);
    leaving.abort();
    const retry = await ask(app, body, 1);
    expect(await first).toBe('left');
    expect([retry.status, retry.isReplayed]).toEqual([200, true]);
    expect(await booked(app)).toBe(1);
  });

  test('finds nothing after 120 s, for another body or user, or in another app', async () => {
    const app = await newApp();
    const body = plan('old', 5_000);
    const first = await ask(app, body, 0, { 'x-user-id': 'ada' });
    await stack.clock.advance(6_000);
    plan('old');
    plan('other');
    const isOwn = async (retry: Promise<{ id: string | null }>) => (await retry).id === first.id;
    expect(await isOwn(ask(app, body, 1, { 'x-user-id': 'bob' }))).toBe(false);
    expect(await isOwn(ask(app, body, 1))).toBe(false);
    expect(await isOwn(ask(app, plan('other'), 1, { 'x-user-id': 'ada' }))).toBe(false);
    expect(await isOwn(ask(await newApp(), body, 1, { 'x-user-id': 'ada' }))).toBe(false);
    expect(await isOwn(ask(app, body, 0, { 'x-user-id': 'ada' }))).toBe(false);
    await stack.clock.advance(121_000);
    expect(await isOwn(ask(app, body, 1, { 'x-user-id': 'ada' }))).toBe(false);
  });

  test('finds nothing in an app without adoption, or with a key', async () => {
    const plain = await newApp(false);
    const body = plan('plain', 5_000);
    await ask(plain, body);
    await stack.clock.advance(6_000);
    plan('plain');
    expect((await ask(plain, body, 1)).isReplayed).toBe(false);
    expect(await booked(plain)).toBe(2);
    const app = await newApp();
    const slow = plan('keyed', 5_000);
    const first = await ask(app, slow);
    await stack.clock.advance(6_000);
    plan('keyed');
    const keyed = await ask(app, slow, 1, { 'idempotency-key': 'k' });
    expect([keyed.isReplayed, keyed.id === first.id]).toEqual([false, false]);
  });
});
