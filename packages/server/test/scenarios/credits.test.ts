import { expect, test } from 'vitest';
import { chatOf, meet, meetChat, send, sendBody } from '../support/exchange.ts';
import { expectError, expectHeaders } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a new user has the full grant of the month',
  onStack(async (stack) => {
    const answer = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(answer.status).toBe(200);
    expectHeaders(answer, { shouldRetry: true });
    expect(answer.body).toEqual({
      userId: 'ada',
      period: '2026-11',
      ...{ granted: '100', toppedUp: '0', spent: '0', held: '0', available: '100' },
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
  }),
);

test(
  'a running call reserves its maximum cost, and then has its actual cost',
  onStack(async (stack) => {
    const apiKey = await stack.key('tutor');
    const running = meetChat(stack, 'tutor', 'sim-slow', { userId: 'ada' });
    await stack.clock.settle();
    const now = await stack.fetch('http://gateway.test/v1/credits/ada', {
      headers: { 'x-api-key': apiKey },
    });
    const most = maximumCostPicoUsd(chatOf('sim-slow', { userId: 'ada' }));
    expect(await now.json()).toEqual({
      ...{ userId: 'ada', period: '2026-11', granted: '100', toppedUp: '0', spent: '0' },
      ...{ held: usd(most * 100n), available: usd(100_000_000_000_000n - most * 100n) },
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    await running;
    const { body } = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(body).toMatchObject({ spent: '0.0006', held: '0', available: '99.9994' });
  }),
);

test(
  'a user may have any name except a path or a control character',
  onStack(async (stack) => {
    const headers = { 'x-api-key': await stack.key('tutor') };
    for (const userId of ['a b', 'ü', '😀'.repeat(128), '...', '%', '?', 'a@b.example', '0', '-']) {
      const answer = await send(stack, `/v1/credits/${encodeURIComponent(userId)}`, { headers });
      expect(answer.status, userId).toBe(200);
      expect(answer.body).toMatchObject({ userId, available: '100' });
      const paid = await sendBody(stack, 'tutor', chatOf('sim-echo', { userId }));
      expect(paid.status, userId).toBe(200);
    }
    const rows = ['a%2Fb', '%00', '%0A', '%7F', '%C2%85', 'a'.repeat(129), '%ZZ', '%', '%ED%A0%80'];
    for (const path of rows) {
      const answer = await send(stack, `/v1/credits/${path}`, { headers });
      expect(answer.status, path).toBe(400);
      expectError(answer, { status: 400, code: 'INVALID', says: [] });
    }
  }),
);
