import { expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
streaming: true
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
apps:
  - { name: search, dailyBudgetUsd: "500" }
  - { name: tutor, dailyBudgetUsd: "500" }
  - { name: batch, dailyBudgetUsd: "500" }
`;

const many = (count: number) => Array.from({ length: count });

async function opener(stack: Stack, app: string) {
  const headers = { 'x-api-key': await stack.key(app), 'content-type': 'application/json' };
  return (model: string) =>
    stack.fetch('http://gateway.test/v1/chat/stream', {
      ...{ method: 'POST', headers, body: JSON.stringify(chatOf(model)) },
    });
}

/** Opens streams of an app that run for seconds; returns the number of rejections so far. */
async function openSlow(stack: Stack, app: string, count: number) {
  const open = await opener(stack, app);
  const answers: Response[] = [];
  const all = many(count).map(async () => void answers.push(await open('sim-slow')));
  // Rejections need no time; an admitted stream waits for its platform.
  await stack.clock.advance(0);
  return { answers, all: Promise.all(all) };
}

test(
  'an app above the maximum of streams leaves others theirs',
  onStack(
    async (stack) => {
      const slow = await openSlow(stack, 'search', 1_050);
      // A permit for each of the two others, and a tenth for them.
      expect(stack.service.concurrency.load().requests).toBe(898);
      const refused = slow.answers;
      expect(refused.map(({ status }) => status)).toEqual(many(152).map(() => 429));
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      expect(await refused[0]?.json()).toEqual({ message: 'Too Many Requests' });
      const others = await openSlow(stack, 'tutor', 14);
      const third = await openSlow(stack, 'batch', 14);
      expect([...others.answers, ...third.answers]).toEqual([]);
      expect(stack.service.concurrency.load().requests).toBe(926);
      await stack.clock.run(Promise.all([slow.all, others.all, third.all]));
      const statuses = [...others.answers, ...third.answers].map(({ status }) => status);
      expect(statuses).toEqual(many(28).map(() => 200));
      expect(slow.answers.filter(({ status }) => status === 200)).toHaveLength(898);
    },
    { yaml },
  ),
);

test(
  'an app above its equal share gets none while another one lacks some',
  onStack(
    async (stack) => {
      const first = await openSlow(stack, 'search', 10);
      expect(first.answers).toHaveLength(2);
      const second = await openSlow(stack, 'tutor', 10);
      // One permit is reserved for the third app.
      expect(second.answers).toHaveLength(9);
      const third = await openSlow(stack, 'batch', 1);
      expect(third.answers).toHaveLength(0);
      await stack.clock.run(Promise.all([first.all, second.all, third.all]));
      const again = await openSlow(stack, 'search', 10);
      expect(again.answers).toHaveLength(7);
      const rest = await openSlow(stack, 'tutor', 10);
      expect(rest.answers.length).toBeLessThanOrEqual(7);
      await stack.clock.run(Promise.all([again.all, rest.all]));
    },
    { yaml: `${yaml}streams: { inFlight: 10 }\n` },
  ),
);
