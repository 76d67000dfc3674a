import { expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { meet, meetChat } from '../support/exchange.ts';
import { anyUsd, expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'an answer that was cut off at maxTokens is an error, and is paid',
  onStack(async (stack) => {
    expectError(await meetChat(stack, 'search', 'sim-truncated', { maxTokens: 10 }), {
      status: 422,
      code: 'TRUNCATED',
      says: ['maxTokens (10)', 'raise maxTokens, or ask for less'],
      model: 'sim-truncated',
      isReached: true,
      costUsd: '0.0000096',
    });
    const cut = paid('0.0000096', 'TRUNCATED');
    await expectBooks(stack, 'search', { calls: [cut], billedUsd: '0.0000096' });
  }),
);

test(
  'if the model’s own maximum cut it off, the error does not suggest a higher maxTokens',
  onStack(async (stack) => {
    expectError(await meetChat(stack, 'search', 'sim-truncated', { maxTokens: 16_385 }), {
      status: 422,
      code: 'TRUNCATED',
      says: ['16384 tokens, the output limit of the model sim-truncated', 'ask for less'],
      model: 'sim-truncated',
      isReached: true,
      costUsd: anyUsd,
    });
  }),
);

test(
  'the user who received it pays for it',
  onStack(async (stack) => {
    const cut = { maxTokens: 10, userId: 'ada' };
    expect((await meetChat(stack, 'tutor', 'sim-truncated', cut)).status).toBe(422);
    const wallet = await meet(stack, 'tutor', (client) => client.credits('ada'));
    expect(wallet.body).toMatchObject({ spent: '0.00096', held: '0', available: '99.99904' });
    const booked = paid('0.0000096', 'TRUNCATED');
    await expectBooks(stack, 'tutor', { calls: [booked], billedUsd: '0.0000096' });
  }),
);

test(
  'an answer that just fits is not cut off',
  onStack(async (stack) => {
    const fits = await meetChat(stack, 'search', 'sim-echo', { maxTokens: 4 });
    expect(fits.body).toMatchObject({ text: 'Hello, gateway!', finishReason: 'stop' });
    expect((await meetChat(stack, 'search', 'sim-echo', { maxTokens: 3 })).status).toBe(422);
  }),
);
