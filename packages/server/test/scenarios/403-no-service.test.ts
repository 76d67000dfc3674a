import { test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, meetWithKey } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a key of an app that is not registered calls nothing',
  onStack(async (stack) => {
    const { key } = await stack.issueNamedKey('llm::user::ghost::team@acme.example', 'ghost');
    const refused = await meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));
    expectError(refused, {
      status: 403,
      code: 'NO_SERVICE',
      says: ['The app ghost is not registered', 'ask the operator to create it'],
    });
    await expectBooks(stack, 'ghost', { calls: [], billedUsd: '0' });
  }),
);
