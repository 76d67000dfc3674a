import { expect, test } from 'vitest';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { disableKey } from '../../src/operations/keys/keys.ts';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf, meetChat, meetWithKey } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'an app is rejected within a second of being disabled, and served within one of being enabled',
  onStack(async (stack) => {
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    await updateApp(stack.admin, 'search', { enabled: false });
    await stack.clock.advance(1_000);
    expectError(await meetChat(stack, 'search', 'sim-echo'), {
      status: 403,
      code: 'DISABLED',
      says: ['The app search is disabled', 'ask the operator to enable it'],
    });
    await updateApp(stack.admin, 'search', { enabled: true });
    await stack.clock.advance(1_000);
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    const served = paid('0.000006');
    await expectBooks(stack, 'search', { calls: [served, served], billedUsd: '0.000012' });
  }),
);

test(
  'a call that runs when its app is disabled is answered and booked',
  onStack(async (stack) => {
    await stack.key('search');
    const running = meetChat(stack, 'search', 'sim-slow');
    await stack.clock.settle();
    await updateApp(stack.admin, 'search', { enabled: false });
    expect((await running).status).toBe(200);
    const served = paid('0.000006');
    await expectBooks(stack, 'search', { calls: [served], billedUsd: '0.000006' });
  }),
);

test(
  'a key is unknown within a second of being disabled, and its app is served by its other keys',
  onStack(async (stack) => {
    const { id, key } = await stack.issueNamedKey('llm::user::search::old@acme.example', 'search');
    const chat = () => meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));
    expect((await chat()).status).toBe(200);
    await disableKey(stack.admin, id);
    await stack.clock.advance(1_000);
    expectGateway(await chat(), 'FORBIDDEN');
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  }),
);

test(
  'an app and a key that are created while it runs are served within a second',
  onStack(async (stack) => {
    await createApp(stack.admin, 'newcomer', {});
    const { key } = await stack.issueNamedKey('llm::user::newcomer::team@acme.example', 'newcomer');
    await stack.clock.advance(1_000);
    const answered = await meetWithKey(stack, key, (client) => client.chat(chatOf('sim-echo')));
    expect(answered.status).toBe(200);
    const served = paid('0.000006');
    await expectBooks(stack, 'newcomer', { calls: [served], billedUsd: '0.000006' });
  }),
);
