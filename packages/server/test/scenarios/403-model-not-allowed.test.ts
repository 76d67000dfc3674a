import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

const yaml = `${defaultYaml}  - { name: narrow, dailyBudgetUsd: "5", models: [sim-echo] }\n`;

test.each(['sim-cached', 'sim-unpriced', 'nobody-knows-it', 'SIM-ECHO'])(
  'an app that is restricted to a list of models may not call %s',
  onStack(
    async (stack, model: string) => {
      expectError(await meetChat(stack, 'narrow', model), {
        status: 403,
        code: 'MODEL_NOT_ALLOWED',
        says: [
          `The app narrow is not allowed to use the model ${model}`,
          'use a model from GET /v1/models',
        ],
      });
      await expectBooks(stack, 'narrow', { calls: [], billedUsd: '0' });
    },
    { yaml },
  ),
);

test(
  'the list has exactly the models that it may call',
  onStack(
    async (stack) => {
      expect((await meetChat(stack, 'narrow', 'sim-echo')).status).toBe(200);
      const { body } = await meet(stack, 'narrow', (client) => client.models());
      expect(body).toMatchObject({ models: [{ id: 'sim-echo' }] });
    },
    { yaml },
  ),
);
