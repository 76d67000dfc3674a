import { expect, it } from 'vitest';
import { chatSubject } from './support/chat-completion.ts';
import { answering } from './support/scripted-server.ts';
import { attemptAgainst } from './support/try-platform.ts';

it('a chat completion with an unknown finish word is other', async () => {
  const message = { role: 'assistant', content: 'Hello there.' };
  const choices = [{ message, finish_reason: 'something_new' }];
  const body = JSON.stringify(chatSubject.answer({ extra: { choices } }));
  expect(await attemptAgainst(chatSubject.platformAt, answering(200, body))).toMatchObject({
    finish: 'other',
    finishRaw: 'something_new',
  });
});
