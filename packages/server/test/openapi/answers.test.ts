import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { createBrokenStore } from '../support/broken-store.ts';
import { findUndescribed } from '../support/described.ts';
import { chatOf, meet, meetChat, meetWithKey, send, sendBody } from '../support/exchange.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

/** The responses of a stack, by its log; its close fails if one differs from the description. */
async function codesOf(stack: Stack): Promise<readonly string[]> {
  await stack.clock.advance(120_000);
  const lines = stack.logLines.filter(({ message }) => message === 'answered');
  await stack.close();
  return lines.map(({ fields }) => String(fields.code ?? 'OK'));
}

const tightYaml = `${defaultYaml.replace('apps:', 'limits: { bodyBytes: 4096 }\napps:')}
  - { name: poor, dailyBudgetUsd: "0" }
  - { name: broke, credits: { monthlyGrant: "0.0001", usdPerCredit: "0.01" } }
  - { name: picky, models: [sim-echo] }
  - { name: off, enabled: false }
  - { name: rare, plans: { user: { requestsPerDay: 1 } } }
  - { name: slow, plans: { user: { burst: 1, ratePerSecond: 0.01 } } }
`;

async function ofRequests(): Promise<readonly string[]> {
  const stack = await openStack({ yaml: tightYaml });
  const ada = { userId: 'ada' };
  await meetChat(stack, 'search', 'sim-echo');
  await meetChat(stack, 'search', 'sim-unpriced');
  await meet(stack, 'tutor', (client) => client.usage());
  await meet(stack, 'search', (client) => client.usage());
  await meet(stack, 'search', (client) => client.models());
  await meet(stack, 'tutor', (client) => client.credits('ada'));
  await send(stack, '/');
  await send(stack, '/health');
  await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 });
  await meetChat(stack, 'tutor', 'sim-echo');
  await meetChat(stack, 'tutor', 'sim-unpriced', ada);
  await meetChat(stack, 'broke', 'sim-echo', ada);
  await meet(stack, 'search', (client) => client.credits('ada'));
  await meetChat(stack, 'poor', 'sim-echo');
  await meetChat(stack, 'picky', 'sim-slow');
  await meetChat(stack, 'off', 'sim-echo');
  const headers = { 'x-api-key': await stack.key('search') };
  await send(stack, '/v1/nothing', { headers });
  await send(stack, '/v1/chat', { headers, method: 'DELETE' });
  await send(stack, '/v1/chat/stream', { headers, method: 'POST' });
  await send(stack, '/v1/usage');
  await sendBody(stack, 'search', { filler: 'a'.repeat(5_000) });
  for (const [name, customer] of [
    ['odd', 'search'],
    ['llm::user::nobody::a@b.example', 'nobody'],
  ]) {
    const { key } = await stack.issueNamedKey(name ?? '', customer ?? '');
    await meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));
  }
  for (const app of ['rare', 'rare', 'slow', 'slow']) await meetChat(stack, app, 'sim-echo');
  return codesOf(stack);
}

async function ofModels(): Promise<readonly string[]> {
  const stack = await openStack();
  const models = [
    'sim-rejects',
    'sim-denied',
    'sim-missing',
    'sim-truncated',
    'sim-throttled-hint',
  ];
  for (const model of [...models, 'sim-down', 'sim-timeout', 'sim-no-usage', 'sim-stop']) {
    await meetChat(stack, 'search', model);
  }
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
  const tools = [{ name: 'look_up', inputSchema: schema }];
  for (const model of ['sim-echo', 'sim-bad-json']) {
    await stack.post('search', '/v1/objects', chatOf(model, { schema }));
    await stack.post('search', '/v1/agents/run', chatOf(model, { tools }));
  }
  const again = { 'idempotency-key': 'once' };
  for (let call = 0; call < 2; call++) await sendBody(stack, 'search', chatOf('sim-echo'), again);
  await leave(stack, 'sim-slow', 1_000);
  await leave(stack, 'sim-echo', 0);
  return codesOf(stack);
}

/** A caller that disconnects: only the log has the response. */
async function leave(stack: Stack, model: string, afterMs: number) {
  const controller = new AbortController();
  const headers = { 'x-api-key': await stack.key('search'), 'content-type': 'application/json' };
  const body = JSON.stringify(chatOf(model));
  const request = { method: 'POST', headers, body, signal: controller.signal };
  const gone = expect(stack.fetch('http://gateway.test/v1/chat', request)).rejects.toThrow();
  if (afterMs > 0) await stack.clock.advance(afterMs);
  controller.abort();
  await gone;
  await stack.clock.settle();
}

async function ofTroubles(): Promise<readonly string[]> {
  const broken = createBrokenStore();
  let isLocked = false;
  const locked = (store: Store): Store => ({
    ...store,
    commit: (batch) =>
      isLocked
        ? Promise.resolve(batch.map(() => ({ ok: false, kind: 'conflict', error: 'locked' })))
        : store.commit(batch),
  });
  const stack = await openStack({ wrapStore: (store) => locked(broken.wrap(store)) });
  await stack.key('search');
  isLocked = true;
  await meetChat(stack, 'search', 'sim-echo');
  isLocked = false;
  broken.disappear();
  await meetChat(stack, 'search', 'sim-echo');
  await meet(stack, 'search', (client) => client.usage());
  broken.mend();
  broken.fail(['settle']);
  await meetChat(stack, 'search', 'sim-echo');
  broken.mend();
  stack.service.ingress.drain();
  await send(stack, '/health');
  return codesOf(stack);
}

test('every error of the contract matches its description', async () => {
  const codes = new Set([...(await ofRequests()), ...(await ofModels()), ...(await ofTroubles())]);
  const fromSockets = ['BAD_REQUEST', 'REQUEST_TIMEOUT', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE'];
  const gateway = Object.keys(gatewayErrors).filter((name) => !fromSockets.includes(name));
  expect([...codes].toSorted()).toEqual([...Object.keys(apiErrors), ...gateway, 'OK'].toSorted());
});

test('invalid requests on a socket are answered as described', async () => {
  const stack = await openStack();
  const { ingress } = stack.service;
  for (const name of ['BAD_REQUEST', 'REQUEST_TIMEOUT', 'EXPECTATION_FAILED'] as const) {
    expect(findUndescribed('POST', '/v1/chat', ingress.refuse(name))).toBeUndefined();
  }
  const tooLarge = ingress.refuse('HEADERS_TOO_LARGE');
  expect(findUndescribed('GET', '/v1/credits/ada', tooLarge)).toBeUndefined();
  await stack.close();
});
