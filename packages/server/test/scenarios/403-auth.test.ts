import { test } from 'vitest';
import { expectBooks, unbilled } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test.each([
  [
    'sim-denied',
    "The model sim-denied is not enabled for the gateway's account",
    'ask the operator to enable it',
  ],
  ['sim-unauthorized', "The gateway's own access to this platform fails", 'contact the operator'],
])(
  'a model that the account may not use is not retried, and costs nothing: %s',
  onStack(async (stack, model: string, ...says: string[]) => {
    expectError(await meetChat(stack, 'search', model), {
      status: 403,
      code: 'AUTH',
      says,
      model,
      isReached: true,
    });
    await expectBooks(stack, 'search', { calls: [unbilled('AUTH')], billedUsd: '0' });
  }),
);
