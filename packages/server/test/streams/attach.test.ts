import { describe, expect, test } from 'vitest';
import { billed, expectSums, settled, walletOf } from './support/books.ts';
import { type StreamCaller, startStream } from './support/caller.ts';
import { metered, openHouse } from './support/house.ts';
import { amountsOf } from './support/oracle.ts';
import { type Orders, toldChat, toldTurn, twentyWords } from './support/told.ts';
import { textOf, type WireEvent } from './support/wire.ts';

const house = openHouse('sqlite');

const orders: Orders = { text: twentyWords, stream: { gapMs: 100 } };
const key = 'again and again';
const names = (events: readonly WireEvent[]) => events.map(({ name }) => name);

/** Sends the same request with the same key, and reads until five words have arrived. */
async function begun(more: Orders = {}) {
  const { stack, newApp } = house();
  const app = await newApp(metered);
  const body = toldChat({ ...orders, ...more }, { userId: 'ada' });
  const ask = (headers: Record<string, string> = {}) =>
    startStream(stack, app, body, { key, headers });
  const first = await ask();
  await first.until(() => first.text().length >= 20);
  return { stack, app, body, ask, first };
}

type Begun = Awaited<ReturnType<typeof begun>>;

/** One call, paid once and exactly by both. */
async function expectOnePaid({ stack, app, body }: Begun) {
  const [call, ...others] = await settled(stack, app);
  expect(others).toEqual([]);
  if (call === undefined) throw new Error('it is not in the books');
  const cost = amountsOf(body).exact(20);
  expect(call).toMatchObject({ cost, basis: 'exact' });
  expect(walletOf(call)).toBe(cost);
  expect(billed(stack, app)).toBe(cost);
  await expectSums(stack, app, [call]);
}

function expectSameEnd(one: StreamCaller, other: StreamCaller) {
  expect(other.last()?.name).toBe('finish');
  expect(other.last()?.text).toBe(one.last()?.text);
}

describe('a repeated request with its key', () => {
  test('while it runs here gets the text so far as one, and then the rest', async () => {
    const call = await begun();
    const { first } = call;
    const had = first.text();
    const second = await call.ask();
    await second.until(() => second.text() !== '');
    expect(names(second.events).slice(0, 2)).toEqual(['start', 'text']);
    expect(textOf(second.events.slice(0, 2)).startsWith(had)).toBe(true);
    expect(second.headers().get('idempotent-replayed')).toBe('true');
    expect(first.headers().get('idempotent-replayed')).toBeNull();
    await first.untilEnd();
    await second.untilEnd();
    expect(second.text()).toBe(twentyWords);
    expect(second.events.length).toBeGreaterThan(10);
    expect(second.events[0]?.text).toBe(first.events[0]?.text);
    expectSameEnd(first, second);
    await expectOnePaid(call);
  });

  test('after its first caller disconnected gets all of it', async () => {
    const call = await begun();
    call.first.leave();
    await call.stack.clock.advance(200);
    const second = await call.ask();
    await second.untilEnd();
    expect(second.text()).toBe(twentyWords);
    expect(second.lastWords()).toBe('finish');
    await expectOnePaid(call);
  });

  test('if the second disconnects, the first continues', async () => {
    const call = await begun();
    const second = await call.ask();
    await second.until(() => second.text() !== '');
    second.leave();
    await call.first.untilEnd();
    expect(call.first.text()).toBe(twentyWords);
    expect(call.first.lastWords()).toBe('finish');
    await expectOnePaid(call);
  });

  test('after its end gets it again: start, one text, the same finish', async () => {
    const call = await begun();
    await call.first.untilEnd();
    const again = await call.ask();
    await again.untilEnd();
    expect(names(again.events)).toEqual(['start', 'text', 'finish']);
    expect(again.text()).toBe(twentyWords);
    expect(again.headers().get('idempotent-replayed')).toBe('true');
    expectSameEnd(call.first, again);
    await expectOnePaid(call);
  });

  test('after both disconnected is paid for in full', async () => {
    const call = await begun();
    call.first.leave();
    await expectOnePaid(call);
    const again = await call.ask();
    await again.untilEnd();
    expect(again.lastWords()).toBe('finish');
    expect(again.text()).toBe(twentyWords);
  });
});

test('tool calls are replayed, complete', async () => {
  const { stack, newApp } = house();
  const app = await newApp();
  const toolCalls = [{ name: 'weather', arguments: '{"city":"Ulm"}' }];
  const body = toldTurn({ text: 'I look.', toolCalls });
  const ask = () => startStream(stack, app, body, { path: '/v1/agents/stream', key });
  const first = await ask();
  await first.untilEnd();
  const again = await ask();
  await again.untilEnd();
  expect(names(again.events)).toEqual(['start', 'text', 'toolCall', 'finish']);
  expect(again.events[2]?.text).toBe(first.events.at(-2)?.text);
  expectSameEnd(first, again);
});

test('a stream that stopped at maxTokens is replayed, and paid once', async () => {
  const { stack, newApp } = house();
  const app = await newApp();
  const body = toldChat(orders, { maxTokens: 16 });
  const first = await startStream(stack, app, body, { key });
  await first.untilEnd();
  const again = await startStream(stack, app, body, { key });
  await again.untilEnd();
  expect(first.lastWords()).toBe('error TRUNCATED');
  expect(again.lastWords()).toMatch(/ TRUNCATED$/);
  expect(billed(stack, app)).toBe(amountsOf(body).exact(16));
});

test('its key belongs to another request on the route that does not stream', async () => {
  const call = await begun();
  const headers = { 'idempotency-key': key };
  const other = await call.stack.post(call.app, '/v1/chat', call.body, { headers });
  expect(other.status).toBe(400);
  await call.first.untilEnd();
});

describe('last-event-id', () => {
  test.each([1, 3, 5])('%d skips earlier events, while it runs', async (at) => {
    const call = await begun();
    const { first } = call;
    const event = first.events[at];
    const skipped = first.events.slice(0, at + 1);
    const second = await call.ask({ 'last-event-id': String(event?.id) });
    await second.untilEnd();
    await first.untilEnd();
    expect(names(second.events)).not.toContain('start');
    expect(textOf(skipped) + second.text()).toBe(twentyWords);
    expect(second.events[0]?.id).toBeGreaterThan(event?.id ?? 0);
    expectSameEnd(first, second);
    await expectOnePaid(call);
  });

  test('of an unknown event replays all of it', async () => {
    const call = await begun();
    await call.first.untilEnd();
    const again = await call.ask({ 'last-event-id': '900' });
    await again.untilEnd();
    expect(again.text()).toBe(twentyWords);
    expectSameEnd(call.first, again);
  });

  test.each(['x', '-1', '1.5', '1e3', '0x1', `${2 ** 60}`])('%s is INVALID', async (id) => {
    const { stack, newApp } = house();
    const app = await newApp();
    const headers = { 'last-event-id': id };
    const caller = await startStream(stack, app, toldChat(orders), { key, headers });
    await caller.untilEnd();
    expect(caller.lastWords()).toBe('400 INVALID');
    expect(await settled(stack, app)).toEqual([]);
  });
});
