import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, sendBody } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack();

const call = (id: string) => ({ id, name: 'search', input: { q: 'x' } });
const asking = (...ids: readonly string[]) => ({ role: 'assistant', toolCalls: ids.map(call) });
const result = (toolCallId: string) => ({ role: 'tool', toolCallId, content: 'found' });
const user = { role: 'user', content: 'Hello, gateway!' };

describe('a conversation that no platform would accept is rejected', () => {
  test.each([
    [[user, result('a')], 'messages[1].toolCallId does not match an open tool call'],
    [[user, asking('a'), result('b')], 'messages[2].toolCallId does not match an open tool call'],
    [
      [user, asking('a'), result('a'), result('a')],
      'messages[3].toolCallId does not match an open',
    ],
    [[user, asking('a')], 'messages end before the result of the tool call "a"'],
    [[user, asking('a', 'b'), result('b')], 'messages end before the result of the tool call "a"'],
    [[user, asking('a'), user], 'messages[2] must come after the result of the tool call "a"'],
    [[user, asking('a', 'a'), result('a')], 'messages[1].toolCalls has the same id twice'],
    [[user, { role: 'assistant' }], 'messages[1] has neither content nor toolCalls'],
    [[user, { role: 'assistant', toolCalls: [] }], 'messages[1] has neither content nor toolCalls'],
  ])('%j', async (messages, says) => {
    const { stack } = shared();
    const answer = await sendBody(stack, 'search', { ...chatOf('sim-echo'), messages });
    expectError(answer, { status: 400, code: 'INVALID', says: [says] });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });
});

describe('a conversation that a platform accepts is sent', () => {
  test.each([
    [[user, asking('a'), result('a')]],
    [[user, asking('a', 'b'), result('b'), result('a'), user]],
    [[user, asking('a'), result('a'), asking('a'), result('a')]],
    [[user, { role: 'assistant', content: '' }, user]],
    [[{ role: 'system', content: 'Be brief.' }, user]],
    [[{ role: 'system', content: 'Be brief.' }]],
    [[{ role: 'user', content: '' }]],
    [[{ role: 'user', content: 'NUL \0, bell \u0007 and \u0085' }]],
  ])('%j', async (messages) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const answer = await sendBody(stack, app, { ...chatOf('sim-echo'), messages });
    expect(answer.status).toBe(200);
  });
});

test('an image for a model without images is rejected by its name', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const content = [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }];
  const messages = [{ role: 'user', content }];
  const answer = await sendBody(stack, app, { ...chatOf('sim-cached'), messages });
  expectError(answer, {
    status: 400,
    code: 'INVALID',
    says: ['the model sim-cached does not accept images', 'GET /v1/models'],
  });
  const taken = await sendBody(stack, app, { ...chatOf('sim-echo'), messages });
  expect(taken.status).toBe(200);
});
