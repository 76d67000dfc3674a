import { expect, test } from 'vitest';
import { openHouse } from '../streams/support/house.ts';
import { toldChat } from '../streams/support/told.ts';
import { scrape } from './support/scrape.ts';

const gapMs = 100;
const text = 'word '.repeat(60).trim();
const house = openHouse('sqlite', { streams: '{ aheadBytes: 1000, stallMs: 20000 }' });

test('the time that a slow reader paused its platform is counted', async () => {
  const { stack } = house();
  const { clock } = stack;
  const asking = stack.fetch('http://gateway.test/v1/chat/stream', {
    method: 'POST',
    body: JSON.stringify(toldChat({ text, stream: { gapMs } })),
    headers: { 'x-api-key': await stack.key('search'), 'content-type': 'application/json' },
  });
  const response = await clock.run(asking);
  // Nothing is read until its platform has been paused for a while.
  await clock.advance(10_000);
  expect((await scrape(stack)).value('model_gateway_streams')).toBe(1);
  const told = await clock.run(response.text());
  expect(told).toContain('event: finish');
  const seen = await scrape(stack);
  const pausedSeconds = seen.value('model_gateway_stream_paused_seconds_total') ?? 0;
  // About 20 events fill its read-ahead: 2 s of the 10 s.
  expect(pausedSeconds).toBeGreaterThan(5);
  expect(pausedSeconds).toBeLessThan(9);
  expect(seen.value('model_gateway_stream_ends_total{end="finish"}')).toBe(1);
});
