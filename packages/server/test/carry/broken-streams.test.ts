import { afterEach, expect, test } from 'vitest';
import { openVendorHouse } from './support/house.ts';

// Streams with reasoning and signatures that break after each of their events.

const house = openVendorHouse();
afterEach(() => house.breakAfter(undefined));

const messages = [{ role: 'user', content: 'Hello' }];
const limits = { '/v1/chat/stream': 'maxTokens', '/openai/v1/chat/completions': 'max_tokens' };
const models = ['deepseek', 'gemini', 'openrouter', 'claude', 'gpt', 'sdk-deepseek'];
const cases = Object.entries(limits).flatMap(([path, limit]) =>
  models.map((model) => ({ path, limit, model })),
);

/** More events than any stream has. */
const eventsMax = 20;

test.each(cases)('$path of $model', async ({ path, limit, model }) => {
  const { clock } = house.stack();
  const stream = path.startsWith('/openai') ? { stream: true } : {};
  let ended = 0;
  for (let events = 0; events < eventsMax; events++) {
    house.breakAfter(events);
    const response = await house.post(path, { model, messages, [limit]: 100, ...stream });
    const isWhole = response.text.includes('[DONE]') || response.text.includes('event: finish');
    ended += isWhole ? 1 : 0;
    const isError = response.status >= 500 || /event: error|"error":/.test(response.text);
    expect([events, isWhole !== isError], response.text).toEqual([events, true]);
    // The circuits are closed, and retries are available again.
    await clock.advance(61_000);
  }
  expect(ended).toBeGreaterThan(0);
  expect(ended).toBeLessThan(eventsMax);
});
