import { test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a body with an unknown field is refused by the name of the field, before any money is held',
  onStack(async (stack) => {
    const request = { ...chatOf('sim-echo'), max_tokens: 100 };
    const refused = await meet(stack, 'search', (client) => client.chat(request));
    expectError(refused, {
      status: 400,
      code: 'INVALID',
      says: ['max_tokens is an unknown field', 'known here are model, messages, maxTokens'],
    });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }),
);
