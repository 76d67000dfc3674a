import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { houseYaml } from './support/house.ts';
import { type Orders, toldTurn } from './support/told.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ yaml: houseYaml('sqlite:./gateway.db') });
});
afterAll(() => server.close());

const awkward = 'Zeile\r\neins\n\ndata: zwei \u2028 drei "vier" \\ 👩‍👩‍👧 ünf\u0000\n: sechs';
const turn: Orders = {
  text: awkward,
  toolCalls: [{ name: 'weather', arguments: '{"city":"Köln\\n\\ndata: x"}' }],
  stream: { gapMs: 2, split: 'units' },
};

test('an independent reader finds the same events, however they are cut', async () => {
  const bytes = await bodyOf(turn);
  const whole = read([bytes]);
  for (const size of [1, 2, 3, 7, 64]) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect(read(pieces)).toEqual(whole);
  }
  expect(whole.map(({ id }) => Number(id))).toEqual(
    whole.map(({ id }) => Number(id)).toSorted((one, other) => one - other),
  );
  const named = (name: string) =>
    whole.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
  expect(
    named('text')
      .map(({ text }) => text)
      .join(''),
  ).toBe(awkward);
  for (const { text } of named('text')) expect(text.isWellFormed()).toBe(true);
  expect(named('toolCall')).toMatchObject([
    { name: 'weather', input: { city: 'Köln\n\ndata: x' } },
  ]);
  expect(named('finish')).toMatchObject([{ text: awkward }]);
  expect(whole.at(-1)?.event).toBe('finish');
});

async function bodyOf(orders: Orders): Promise<Uint8Array> {
  const response = await fetch(`${server.url}/v1/agents/stream`, {
    method: 'POST',
    headers: { 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
    body: JSON.stringify(toldTurn(orders, { maxTokens: 500 })),
  });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

function read(pieces: readonly Uint8Array[]): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const problems: unknown[] = [];
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onError: (error) => void problems.push(error),
  });
  const decoder = new TextDecoder();
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
  expect(problems).toEqual([]);
  return events;
}
