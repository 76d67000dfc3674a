import { expect, test } from 'vitest';
import { agentOf } from '../agents/ask.ts';
import { objectOf } from '../objects/ask.ts';
import { chatOf } from '../support/exchange.ts';
import { startStream } from './support/caller.ts';
import { openHouse } from './support/house.ts';
import { toldChat, toldModels, toldObject, toldTurn, twentyWords } from './support/told.ts';
import { field, textOf } from './support/wire.ts';

const house = openHouse('sqlite');

const toolCalls = [
  { name: 'weather', arguments: '{"city":"Ulm"}' },
  { name: 'weather', arguments: '{"city":"København 🌧"}' },
];
const rows: readonly (readonly [string, '/v1/chat' | '/v1/agents/run' | '/v1/objects', object])[] =
  [
    ...toldModels.flatMap((model) => [
      [`a chat of ${model}`, '/v1/chat', toldChat({ text: twentyWords }, { model })] as const,
      [
        `a turn of ${model} with text and tools`,
        '/v1/agents/run',
        toldTurn({ text: 'I look.', toolCalls, stream: { toolPieces: 40 } }, { model }),
      ] as const,
      [
        `a turn of ${model} with tools alone`,
        '/v1/agents/run',
        toldTurn({ text: '', toolCalls }, { model }),
      ] as const,
      [
        `an object of ${model}`,
        '/v1/objects',
        toldObject({ text: '{ "city" : "Ulm" }' }, { model }),
      ] as const,
    ]),
    ...['sim-echo', 'sim-cached', 'sim-reasoning', 'sim-unpriced', 'sim-content-filter'].map(
      (model) => [`a chat of ${model}`, '/v1/chat', chatOf(model)] as const,
    ),
    ['a chat without counts', '/v1/chat', chatOf('sim-no-usage')],
    ['a chat of odd counts', '/v1/chat', chatOf('sim-usage-string')],
    ['a chat that costs nothing', '/v1/chat', chatOf('sim-usage-zero')],
    ['a turn', '/v1/agents/run', agentOf('sim-echo')],
    ['an object', '/v1/objects', objectOf('sim-echo')],
  ];

test.each(rows)('`finish` of %s is the response of the other route to the byte', async (...row) => {
  const [, path, body] = row;
  const { stack, newApp } = house();
  const app = await newApp();
  const whole = await stack.post(app, path, body);
  expect(whole.status).toBe(200);
  const streamPath = path === '/v1/agents/run' ? '/v1/agents/stream' : `${path}/stream`;
  const caller = await startStream(stack, app, body, { path: streamPath });
  await caller.untilEnd();
  expect(caller.lastWords()).toBe('finish');
  const finish = caller.last();
  const text = await whole.text();
  expect(anonymous(finish?.text ?? '')).toBe(anonymous(text));
  const answer = JSON.parse(text);

  const [start] = caller.events;
  expect(start).toMatchObject({ id: 1, name: 'start' });
  expect(Object.keys(Object(start?.data))).toEqual(['id', 'model', 'requestId']);
  for (const name of ['id', 'model', 'requestId']) {
    expect(field(start?.data, name)).toBe(field(finish?.data, name));
  }
  expect(textOf(caller.events)).toBe(path === '/v1/objects' ? '' : (answer.text ?? ''));
  const told = caller.events.filter(({ name }) => name === 'toolCall').map(({ data }) => data);
  expect(told).toEqual(field(finish?.data, 'toolCalls') ?? []);
  if (path === '/v1/objects') {
    expect(JSON.parse(textOf(caller.events, 'json'))).toEqual(answer.object);
  }
});

/** Without the ids, which differ for every call. */
function anonymous(body: string): string {
  const { id, requestId, toolCalls = [] } = JSON.parse(body);
  const named = body.replace(id, 'ID').replace(requestId, 'REQUEST');
  return toolCalls.reduce(
    (text: string, call: { readonly id: string }, at: number) =>
      text.replaceAll(call.id, `CALL ${at}`),
    named,
  );
}

test('its head has the headers of a stream, and no others', async () => {
  const { stack, newApp } = house();
  const caller = await startStream(stack, await newApp(), toldChat({ text: twentyWords }));
  await caller.untilEnd();
  expect(caller.status()).toBe(200);
  const headers = Object.fromEntries(caller.headers());
  const { 'x-request-id': requestId, ...others } = headers;
  expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
  expect(others).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  expect(others['content-length']).toBeUndefined();
});

test('sends a heartbeat every 10 s, and nothing else before the first delta', async () => {
  const { stack, newApp } = house();
  const orders = { text: 'one two', delayMs: 4_000, stream: { gapMs: 12_000 } };
  const caller = await startStream(stack, await newApp(), toldChat(orders));
  await stack.clock.advance(15_000);
  expect([caller.status(), caller.comments()]).toEqual([0, 0]);
  await caller.untilEnd();
  // The first delta comes after 16 s, the other one 12 s later.
  expect(caller.comments()).toBe(1);
});
