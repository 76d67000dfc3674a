import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

const yaml = `${defaultYaml}  - { name: strict, dailyBudgetUsd: "5", requirePriced: true }\n`;

const rows = [
  { app: 'tutor', model: 'sim-unpriced', why: 'the app tutor meters credits' },
  { app: 'tutor', model: 'nobody-knows-it', why: 'the app tutor meters credits' },
  { app: 'strict', model: 'sim-unpriced', why: 'the app strict requires a price' },
  { app: 'strict', model: 'nobody-knows-it', why: 'the app strict requires a price' },
] as const;

test.each(rows)(
  '$app may not call $model, which has no price',
  onStack(
    async (stack, { app, model, why }: (typeof rows)[number]) => {
      const refused = await meetChat(stack, app, model, { userId: 'ada' });
      expectError(refused, {
        status: 400,
        code: 'MODEL_NOT_PRICED',
        says: [`The model ${model} has no price`, why, 'use a priced model', 'ask the operator'],
      });
      await expectBooks(stack, app, { calls: [], billedUsd: '0' });
    },
    { yaml },
  ),
);

test(
  'both may call a model with a price',
  onStack(
    async (stack) => {
      for (const app of ['tutor', 'strict']) {
        expect((await meetChat(stack, app, 'sim-echo', { userId: 'ada' })).status).toBe(200);
      }
    },
    { yaml },
  ),
);
