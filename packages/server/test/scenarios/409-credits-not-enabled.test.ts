import { test } from 'vitest';
import { meet } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'an app that does not meter credits has no wallets to show',
  onStack(async (stack) => {
    expectError(await meet(stack, 'search', (client) => client.credits('ada')), {
      status: 409,
      code: 'CREDITS_NOT_ENABLED',
      says: ['The app search does not meter credits', 'have no wallets'],
    });
  }),
);
