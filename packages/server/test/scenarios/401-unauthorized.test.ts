import { expect, test } from 'vitest';
import { chatOf, meetWithKey, send } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { openStack } from '../support/stack.ts';

const rows = [
  { name: 'search', customerId: 'search', why: 'has one part' },
  { name: 'llm::user::search', customerId: 'search', why: 'has three parts' },
  { name: 'llm::user::search::a@b.example::x', customerId: 'search', why: 'has five parts' },
  { name: 'llm:user:search:a@b.example', customerId: 'search', why: 'has single colons' },
  { name: 'gpt::user::search::a@b.example', customerId: 'search', why: 'begins otherwise' },
  { name: 'LLM::user::search::a@b.example', customerId: 'search', why: 'begins in capitals' },
  { name: 'llm::owner::search::a@b.example', customerId: 'search', why: 'has another role' },
  { name: 'llm::User::search::a@b.example', customerId: 'search', why: 'has a role in capitals' },
  { name: 'llm::::search::a@b.example', customerId: 'search', why: 'has no role' },
  { name: 'llm::user::::a@b.example', customerId: '', why: 'has no app' },
  { name: 'llm::user::Search::a@b.example', customerId: 'Search', why: 'has an app in capitals' },
  {
    name: 'llm::user::1search::a@b.example',
    customerId: '1search',
    why: 'has an app like 1search',
  },
  { name: 'llm::user::search::', customerId: 'search', why: 'has no e-mail address' },
  { name: 'llm::user::search::a@b.example', customerId: 'tutor', why: "is another customer's" },
  { name: 'llm::user::search::a@b.example', customerId: '', why: "is nobody's" },
  { name: 'llm::user::search::a@b.example', customerId: 'Search', why: 'is of a like customer' },
  { name: 'llm::user::search::a@b.example ', customerId: ' search', why: 'has spaces around' },
  { name: '', customerId: '', why: 'is empty' },
] as const;

test('a key with an invalid name or customer is rejected whatever the request is', async () => {
  const stack = await openStack();
  for (const { name, customerId, why } of rows) {
    const { key } = await stack.issueNamedKey(name, customerId);
    const refused = await meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));
    expect(refused.status, why).toBe(401);
    expectError(refused, {
      status: 401,
      code: 'UNAUTHORIZED',
      says: ['llm::<role>::<app>::<email>', 'customerId', 'ask the operator for a new key'],
    });
    const lost = await send(stack, '/nowhere', { headers: { 'x-api-key': key } });
    expect(lost.status, why).toBe(401);
  }
  expect(stack.simulator.bill().total.calls).toBe(0);
  await stack.close();
});

test(
  'the longest name of an app is one of 63 characters',
  onStack(async (stack) => {
    const statusOf = async (app: string) => {
      const { key } = await stack.issueNamedKey(`llm::user::${app}::a@b.example`, app);
      return (await meetWithKey(stack, key, (client) => client.usage())).status;
    };
    expect(await statusOf('a'.repeat(63))).toBe(403);
    expect(await statusOf('a'.repeat(64))).toBe(401);
  }),
);
