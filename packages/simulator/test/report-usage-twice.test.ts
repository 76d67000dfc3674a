import { describe, expect, test } from 'vitest';
import { asking, open } from './open.ts';
import { type SurfaceName, streamingRequest, surfaces } from './read-stream.ts';

const first = { inputTokens: 90, outputTokens: 91 };
const bills = { inputTokens: 20, outputTokens: 10 };

/** Every number of 9x in a text, with the text before it up to a quote. */
function reportedFirst(text: string): readonly string[] {
  return [...text.matchAll(/"(\w+)":9[01]/g)].map(([, name = '']) => name);
}

const namesOf: Readonly<Record<SurfaceName, readonly string[]>> = {
  chat: ['prompt_tokens', 'completion_tokens'],
  responses: ['input_tokens', 'output_tokens'],
  messages: ['input_tokens', 'output_tokens'],
};

async function streamed(surface: SurfaceName, how: string): Promise<string> {
  const { chat, message, send } = open();
  const instructions = { bills, statesFirst: { ...first, how } };
  const { path, body } = streamingRequest(surface, { instructions });
  const response =
    surface === 'messages'
      ? await message(body)
      : await (surface === 'chat' ? chat(body) : send('POST', path, body));
  return response.text();
}

describe.each(surfaces)('a stream of %s that reports its counts twice', (surface) => {
  test('in its first event', async () => {
    const [head = '', ...rest] = (await streamed(surface, 'start')).split('\n\n');
    expect(reportedFirst(head)).toEqual(namesOf[surface]);
    expect(reportedFirst(rest.join())).toEqual([]);
  });

  test('in an event before the last', async () => {
    const events = (await streamed(surface, 'before')).split('\n\n');
    const at = events.findLastIndex((event) => reportedFirst(event).length > 0);
    expect(reportedFirst(events[at] ?? '')).toEqual(namesOf[surface]);
    expect(events[at + 1]).toMatch(/_tokens":20\b.*_tokens":10\b/);
  });

  test.each(['object', 'names'])('in one event, with the %s twice', async (how) => {
    const events = (await streamed(surface, how)).split('\n\n');
    const event = events.find((each) => reportedFirst(each).length > 0) ?? '';
    expect(reportedFirst(event)).toEqual(namesOf[surface]);
    expect(event.match(/"usage":\{/g)).toHaveLength(how === 'object' ? 2 : 1);
    const parsed = JSON.stringify(JSON.parse(event.slice(event.indexOf('data: ') + 6)));
    expect(parsed).toMatch(/_tokens":20\b.*_tokens":10\b/);
    expect(reportedFirst(parsed)).toEqual([]);
  });
});

test.each(['object', 'names'])('a whole response reports the %s twice', async (how) => {
  const { chat, simulator } = open();
  const instructions = JSON.stringify({ bills, statesFirst: { ...first, how } });
  const text = await (await chat(asking('sim-told', instructions))).text();
  expect(reportedFirst(text)).toEqual(namesOf.chat);
  expect(JSON.parse(text).usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10 });
  expect(simulator.bill().total).toMatchObject(bills);
});

test('a one-time fault hits only the first of two equal requests', async () => {
  const { chat } = open();
  const body = asking('sim-told', JSON.stringify({ fault: 'reset', isFaultyOnce: true }));
  await expect(chat(body)).rejects.toThrow('reset');
  expect((await chat(body)).status).toBe(200);
});
