import { expect, test } from 'vitest';
import { createOpenKeys } from '../../src/openai/openai-fetch.ts';
import { answer, refuse } from '../scripted-fetch.ts';
import { completed, keysOf, openSettings, refused } from './openai-script.ts';

const once = { maxAttempts: 1 };
const again = { 'x-stainless-retry-count': '1' };
const answered = answer(200, completed);

test('a retry of the outer client continues with the failed call’s key', async () => {
  const steps = [refuse(), refused(504, 'TIMEOUT'), answered, answered];
  const { complete, script } = openSettings(steps, once);
  await complete();
  await complete(again);
  await complete(again);
  // The key is used up, so this request is another call.
  await complete(again);
  expect(keysOf(script)).toEqual(['uuid-1', 'uuid-1', 'uuid-1', 'uuid-2']);
});

test('also after the outer client aborted', async () => {
  const { complete, settings, script } = openSettings([refuse(), answered], once);
  const aborted = settings.fetch(`${settings.baseURL}/chat/completions`, {
    ...{ method: 'POST', body: 'other', signal: AbortSignal.abort(new Error('late')) },
  });
  await expect(aborted).rejects.toThrow('late');
  expect(script.seen).toEqual([]);
  await complete();
  await complete(again, { body: 'other' });
  expect(keysOf(script)).toEqual(['uuid-2', 'uuid-1']);
});

test.each([
  { name: 'it counts no retry', headers: { 'x-stainless-retry-count': '0' } },
  { name: 'its body is another', headers: again, init: { body: '{}' } },
  { name: 'its user is another', headers: { ...again, 'x-user-id': 'bob' } },
])('a call is new if $name', async ({ headers, init }) => {
  const { complete, script } = openSettings([refuse(), answered], once);
  await complete();
  await complete(headers, init);
  expect(keysOf(script)).toEqual(['uuid-1', 'uuid-2']);
});

test('a call without a pending response has no key to continue with', async () => {
  const steps = [refused(429, 'THROTTLED'), refused(402, 'BUDGET_EXCEEDED'), answered];
  const { complete, script } = openSettings(steps, once);
  for (let index = 0; index < 3; index++) await complete(again);
  expect(keysOf(script)).toEqual(['uuid-1', 'uuid-2', 'uuid-3']);
});

test('two equal failed calls have a key each, and of 1,001 the oldest is removed', () => {
  const keys = createOpenKeys();
  const request = {
    ...{ method: 'POST', path: '/chat/completions', body: '{}', signal: undefined, init: {} },
    headers: new Headers(again),
  };
  for (let index = 0; index <= 1_000; index++) keys.store(request, `key-${index}`);
  expect([keys.claim(request), keys.claim(request)]).toEqual(['key-1', 'key-2']);
});
