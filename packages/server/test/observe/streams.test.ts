import { expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { startStream } from '../streams/support/caller.ts';
import { openHouse } from '../streams/support/house.ts';
import { type Orders, toldChat } from '../streams/support/told.ts';
import { readCalls } from '../support/books.ts';
import { scrape } from './support/scrape.ts';

const text = 'one two three four';
const gapMs = 100;
const orders: Orders = { text, stream: { gapMs } };
const stopped = (how: 'break' | 'silence'): Orders => ({
  text,
  stream: { gapMs, stop: { how, after: 2 } },
});

const house = openHouse('sqlite', { streams: '{ idleMs: 15000, totalMs: 60000 }' });

test('streams are counted by end, timed to first content, and visible while open', async () => {
  const { stack } = house();
  const open = async () => (await scrape(stack)).value('model_gateway_streams');
  expect(await open()).toBe(0);
  const whole = await startStream(stack, 'search', toldChat(orders));
  await whole.until(() => whole.text() !== '');
  expect(await open()).toBe(1);
  await whole.untilEnd();
  for (const how of ['break', 'silence'] as const) {
    await (await startStream(stack, 'search', toldChat(stopped(how)))).untilEnd();
  }
  const left = await startStream(stack, 'search', toldChat(orders));
  await left.until(() => left.text() !== '');
  left.leave();
  await left.untilEnd();
  await stack.clock.advance(10_000);

  const seen = await scrape(stack);
  const ends = seen.seriesOf('model_gateway_stream_ends_total');
  expect(
    Object.fromEntries(ends.map((series) => [series.split('"')[1], seen.value(series)])),
  ).toEqual({ finish: 1, error: 1, idle: 1, left: 1 });
  const first = 'model_gateway_first_content_seconds';
  expect(seen.value(`${first}_count{route="chat"}`)).toBe(4);
  expect(seen.value(`${first}_sum{route="chat"}`)).toBeCloseTo((4 * gapMs) / 1_000, 6);
  expect(seen.value('model_gateway_stream_gap_seconds_count{route="chat"}')).toBeGreaterThan(4);
  expect(seen.value('model_gateway_stream_paused_seconds_total')).toBe(0);
  expect(await open()).toBe(0);

  const { store, clock } = stack;
  const calls = await clock.run(readCalls(store, 'search', utcDayOf(clock.now())));
  // The record has the time too, by the clock of its start.
  expect(calls.map((call) => call.firstMs)).toEqual([gapMs, gapMs, gapMs, gapMs]);

  const lines = stack.logLines.filter(({ fields }) => fields.path === '/v1/chat/stream');
  const logged = lines.map(({ fields: { status, end, deltas, firstMs, code } }) => ({
    ...{ status, end, deltas, firstMs, code },
  }));
  const began = { status: 200, firstMs: gapMs };
  expect(logged).toEqual([
    { ...began, end: 'finish', deltas: 4, code: 'OK' },
    { ...began, end: 'error', deltas: 2, code: 'SERVER' },
    { ...began, end: 'idle', deltas: 2, code: 'TIMEOUT' },
    { ...began, end: 'left', deltas: 1, code: 'ABORTED' },
  ]);
  for (const code of ['OK', 'SERVER', 'TIMEOUT', 'ABORTED']) {
    const labels = `{app="search",route="chatStream",status="200",code="${code}"}`;
    expect(seen.value(`model_gateway_requests_total${labels}`)).toBe(1);
  }
});
