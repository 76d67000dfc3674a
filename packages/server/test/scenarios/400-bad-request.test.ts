import { test } from 'vitest';
import { expectBooks, unbilled } from '../support/books.ts';
import { meetChat, prompted } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { asPrompted } from '../support/platform-outcomes.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({ script: asPrompted() });

test.each([
  ['sim-rejects', 'parameter'],
  ['sim-messages-only', undefined],
] as const)(
  'a rejection by the model is not retried, and costs nothing: %s',
  async (model, reason) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    expectError(await meetChat(stack, app, model), {
      status: 400,
      code: 'BAD_REQUEST',
      says: [`The model ${model} rejected the request`, 'remove any parameter, message or schema'],
      ...{ model, reason },
      isReached: true,
    });
    await expectBooks(stack, app, { calls: [unbilled('BAD_REQUEST')], billedUsd: '0' });
  },
);

test.each([400, 405, 413, 415, 418, 422, 451])(
  'a platform with the status %d has rejected the request',
  async (status) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    expectError(await meetChat(stack, app, 'sim-echo', prompted(`status ${status}`)), {
      status: 400,
      code: 'BAD_REQUEST',
      says: ['The model sim-echo rejected the request'],
      model: 'sim-echo',
      isReached: true,
      reason: status === 413 ? 'context_length' : undefined,
    });
    await expectBooks(stack, app, { calls: [unbilled('BAD_REQUEST')], billedUsd: '0' });
  },
);
