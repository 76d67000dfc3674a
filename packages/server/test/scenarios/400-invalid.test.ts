import { expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a body with an unknown field is rejected by the name of the field, before any money is reserved',
  onStack(async (stack) => {
    const request = { ...chatOf('sim-echo'), max_tokens: 100 };
    const refused = await meet(stack, 'search', (client) => client.chat(request));
    expectError(refused, {
      status: 400,
      code: 'INVALID',
      says: ['max_tokens is an unknown field', 'The fields are model, messages, maxTokens'],
    });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }),
);

const dear = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
models:
  - id: sim-slow
    platform: sandbox
    maxOutputTokens: 1000000
    inputUsdPerMillion: "0"
    outputUsdPerMillion: "100000"
plans: { user: { ratePerSecond: 1000, burst: 1000, requestsPerDay: 1000 } }
apps: [{ name: search }]
`;

test(
  'concurrent reservations may not exceed 64 bits: one more is rejected, a small one is not',
  onStack(
    async (stack) => {
      const headers = {
        'x-api-key': await stack.key('search'),
        'content-type': 'application/json',
      };
      const post = (body: object) =>
        stack.fetch('http://gateway.test/v1/chat', {
          ...{ method: 'POST', headers, body: JSON.stringify(body) },
        });
      const most = chatOf('sim-slow', { maxTokens: 1_000_000 });
      const many = Array.from({ length: 110 }, () => post(most));
      await stack.clock.settle();
      const small = post(chatOf('sim-slow'));
      const answers = await stack.clock.run(Promise.all(many));
      expect((await stack.clock.run(small)).status).toBe(200);
      const statuses = answers.map(({ status }) => status);
      // $100,000 each, of $9,223,372.036854775807.
      expect(statuses.filter((status) => status === 200)).toHaveLength(92);
      expect(statuses.filter((status) => status === 400)).toHaveLength(18);
      const refused = answers.find(({ status }) => status === 400);
      expect(await refused?.json()).toEqual({
        error: {
          code: 'INVALID',
          message: expect.stringMatching(
            /^This call could cost \$100000\. .* lower maxTokens \(maxTokens \d+ would fit\)\.$/,
          ),
        },
      });
      expect(await stack.audit()).toMatchObject({ clean: true });
    },
    { yaml: dear },
  ),
);
