import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

test(
  'an app that meters credits must name the user whose wallet pays',
  onStack(async (stack) => {
    const refused = await meetChat(stack, 'tutor', 'sim-echo');
    expectError(refused, {
      status: 400,
      code: 'USER_REQUIRED',
      says: ['userId is missing', 'the app tutor meters credits', 'must name the user'],
    });
    await expectBooks(stack, 'tutor', { calls: [], billedUsd: '0' });
  }),
);

test(
  'an app with a budget for each user must name the user',
  onStack(
    async (stack) => {
      const refused = await meetChat(stack, 'personal', 'sim-echo');
      expectError(refused, {
        status: 400,
        code: 'USER_REQUIRED',
        says: ['userId is missing', 'a daily budget per user'],
      });
      await expectBooks(stack, 'personal', { calls: [], billedUsd: '0' });
      expect((await meetChat(stack, 'personal', 'sim-echo', { userId: 'ada' })).status).toBe(200);
    },
    { yaml: `${defaultYaml}  - { name: personal, perUserDailyUsd: "1" }\n` },
  ),
);

test(
  'an app that does not meter credits may name a user or not',
  onStack(async (stack) => {
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    expect((await meetChat(stack, 'search', 'sim-echo', { userId: 'ada' })).status).toBe(200);
  }),
);
