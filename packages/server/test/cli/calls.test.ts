import type { ChatRequest } from '@model-gateway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultYaml, type Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

let stack: Stack;
let desk: Desk;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(defaultYaml));
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

function chatOf(model: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { model, maxTokens: 100, messages: [{ role: 'user', content: 'Hello!' }], ...more };
}

const iso = expect.stringMatching(/^2026-11-21T12:\d\d:\d\d\.\d{3}Z$/);

/** The id of the app's only key, as the operator sees it. */
async function keyOfSearch(): Promise<unknown> {
  const keys = await desk.records(['keys', 'list']);
  return keys.find(({ customerId }) => customerId === 'search')?.id;
}

test('a finished call is shown with its money, its price and its attempt', async () => {
  const client = await stack.client('search');
  const answer = await stack.clock.run(client.chat(chatOf('sim-echo')));
  expect(await desk.json(['calls', 'show', answer.id])).toEqual({
    id: answer.id,
    gatewayRequestId: answer.id.replace('call_', 'req_'),
    app: 'search',
    keyId: await keyOfSearch(),
    ...{ remote: null, platform: 'sandbox', instanceId: expect.stringMatching(/^instance_/) },
    corrections: [],
    day: '2026-11-21',
    userId: null,
    route: 'chat',
    model: 'sim-echo',
    state: 'finished',
    code: 'OK',
    usage: answer.usage,
    costUsd: answer.cost.usd,
    estimatedUsd: '0',
    estimateReason: null,
    basis: 'exact',
    heldUsd: expect.stringMatching(/^0\.\d+$/),
    wallet: null,
    price: {
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
      inputUsdPerMillion: '0.15',
      cachedInputUsdPerMillion: '0.075',
      cacheWriteInputUsdPerMillion: '0.1875',
      outputUsdPerMillion: '0.6',
    },
    requestId: answer.requestId,
    attempts: [
      {
        startedAt: iso,
        tookMs: expect.any(Number),
        outcome: 'answered',
        status: 200,
        requestId: answer.requestId,
        model: 'sim-echo',
        priceVersion: expect.stringMatching(/^[0-9a-f]{16}$/),
        usage: answer.usage,
        costUsd: answer.cost.usd,
        estimated: false,
        estimateReason: null,
      },
    ],
    startedAt: iso,
    endedAt: iso,
    ...{ tookMs: 0, firstMs: null },
  });
});

test('every attempt of a call is shown, including failed ones', async () => {
  const client = await stack.client('search');
  const { id } = await stack.clock.run(client.chat(chatOf('sim-flaky')));
  const call = await desk.record(['calls', 'show', id]);
  expect(call.attempts).toMatchObject([
    { outcome: 'SERVER', status: 503, costUsd: '0', estimated: false },
    { outcome: 'answered', status: 200, costUsd: call.costUsd },
  ]);
  const { out } = await desk.run(['calls', 'show', id, '--config', desk.file]);
  expect(out.filter((line) => /^[12] +(SERVER|answered)/.test(line))).toHaveLength(2);
});

test('a call that a wallet paid shows the amount', async () => {
  const client = await stack.client('tutor');
  const paid = client.chat(chatOf('sim-echo', { userId: 'user-1' }));
  const { id, cost } = await stack.clock.run(paid);
  expect(await desk.json(['calls', 'show', id])).toMatchObject({
    userId: 'user-1',
    // A credit is worth 0.01 USD.
    wallet: { grantUsd: cost.usd, topUpUsd: '0', credits: { grant: '0.00045', topUp: '0' } },
  });
  const { out } = await desk.run(['calls', 'show', id, '--config', desk.file]);
  const credits = '0.00045 credits of the grant, 0 of top-ups';
  const usd = `($${cost.usd} of the grant, $0 of top-ups)`;
  expect(out.find((line) => line.startsWith('wallet'))).toContain(`${credits} ${usd}`);
});

test('a call of a model without a price shows its reserved highest price', async () => {
  const client = await stack.client('search');
  const { id } = await stack.clock.run(client.chat(chatOf('sim-unpriced')));
  const call = await desk.record(['calls', 'show', id]);
  expect(call).toMatchObject({
    price: { version: expect.stringMatching(/^dearest-[0-9a-f]{16}$/) },
    basis: 'estimated',
    estimatedUsd: call.costUsd,
  });
});

test('a running call is shown by its reservation, and listed with its owner', async () => {
  const client = await stack.client('search');
  const call = client.chat(chatOf('sim-stuck')).catch(() => undefined);
  await stack.clock.settle();
  const holds = await desk.records(['holds', 'list']);
  expect(holds).toEqual([
    {
      id: expect.stringMatching(/^call_/),
      gatewayRequestId: expect.stringMatching(/^req_/),
      app: 'search',
      keyId: await keyOfSearch(),
      ...{ remote: null, platform: 'sandbox' },
      day: '2026-11-21',
      userId: null,
      route: 'chat',
      model: 'sim-stuck',
      state: 'running',
      heldUsd: expect.stringMatching(/^0\.\d+$/),
      wallet: null,
      extensions: 0,
      instanceId: expect.stringMatching(/^instance_/),
      startedAt: iso,
      expiresAt: iso,
    },
  ]);
  expect(await desk.json(['calls', 'show', String(holds[0]?.id)])).toEqual(holds[0]);
  expect(await desk.json(['holds', 'list', '--app', 'search'])).toEqual(holds);
  expect(await desk.json(['holds', 'list', '--app', 'tutor'])).toEqual([]);
  const usage = await desk.record(['usage', 'search']);
  expect(usage).toMatchObject({ budget: { heldUsd: holds[0]?.heldUsd } });
  const { out } = await desk.run(['holds', 'list', '--config', desk.file]);
  expect(out).toHaveLength(2);
  await stack.clock.run(call);
});

test('usage of one app is the document of its route, and usage of all is a list', async () => {
  const client = await stack.client('search');
  const ofRoute = await stack.clock.run(client.usage());
  expect(await desk.json(['usage', 'search'])).toEqual(ofRoute);
  expect(await desk.json(['usage', 'search', '--day', '2026-11-21'])).toEqual(ofRoute);
  const all = await desk.records(['usage']);
  expect(all.map(({ app }) => app)).toEqual(['search', 'tutor']);
  expect(all[0]).toEqual(ofRoute);
  const [before] = await desk.records(['usage', '--day', '2026-11-20']);
  expect(before).toMatchObject({ day: '2026-11-20', totals: { calls: 0, costUsd: '0' } });
  // The budget of that day is not recorded, so the report does not show today's in its place.
  expect(before).toMatchObject({ app: 'search', budget: null });
  const { out } = await desk.run(['usage', 'search', '--config', desk.file]);
  expect(out.some((line) => line.startsWith('sim-echo'))).toBe(true);
});

test('unknown ids are rejected', async () => {
  for (const [words, sentence] of [
    [['calls', 'show', 'call_x'], /^unknown call "call_x"\. The call id is /],
    [['usage', 'nobody'], /^unknown app nobody; /],
    [['holds', 'list', '--app', 'nobody'], /^unknown app nobody; /],
  ] as const) {
    const result = await desk.run([...words, '--config', desk.file]);
    expect(result).toMatchObject({ code: 1, out: [] });
    expect(result.errors.join('\n')).toMatch(sentence);
  }
});

test('the audit is clean, and a breach has exit code 1 and a name', async () => {
  const clean = await desk.record(['audit']);
  expect(Object.keys(clean)).toEqual(['clean', 'checks']);
  expect(clean.clean).toBe(true);
  const checks = Array.isArray(clean.checks) ? clean.checks : [];
  expect(checks.length).toBeGreaterThan(5);
  for (const check of checks) expect(Object.keys(check)).toEqual(['id', 'ok', 'figure']);

  const bend = (by: number) =>
    stack.store.write([
      { sql: 'update budget_day set spent = spent + $1 where app = $2', values: [by, 'search'] },
    ]);
  await bend(1);
  const broken = await desk.run(['audit', '--json', '--config', desk.file]);
  const table = await desk.run(['audit', '--config', desk.file]);
  await bend(-1);
  expect(broken.code).toBe(1);
  expect(broken.out).toHaveLength(1);
  expect(JSON.parse(broken.out[0] ?? '')).toMatchObject({ clean: false });
  expect(broken.out[0]).toContain('{"id":"I4-budget","ok":false,"figure":1}');
  expect(broken.errors.join('\n')).toMatch(/^ledger rules broken: I4-budget; /);
  expect(table.code).toBe(1);
  expect(table.out.find((line) => line.startsWith('I4-budget'))).toMatch(/NO +1 /);
});
