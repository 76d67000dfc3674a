import { describe, expect, test } from 'vitest';
import { simulatorModels } from '../src/index.ts';
import { at } from './open.ts';
import {
  countsIn,
  deltasOf,
  eventsIn,
  inputPiecesOf,
  openStreams,
  type StreamRequest,
  type SurfaceName,
  surfaces,
  textOf,
} from './read-stream.ts';
import { settle } from './virtual-clock.ts';

const words = 'one two three four five';
const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = {
  chat: [{ type: 'function', function: { name: 'weather', parameters: weather } }],
  responses: [{ type: 'function', name: 'weather', parameters: weather }],
  messages: [{ name: 'weather', input_schema: weather }],
};

/** Sends a request, reads the response, and returns its events with the bill. */
async function streamed(surface: SurfaceName, request: StreamRequest) {
  const { stream, clock, simulator } = openStreams();
  const response = await stream(surface, request);
  const text = await textOf(response, clock);
  return { response, text, events: eventsIn(text), bill: simulator.bill() };
}

describe.each(surfaces)('a stream of %s', (surface) => {
  test('comes word by word, reports its bill’s counts, and is marked answered', async () => {
    const { response, events, bill } = await streamed(surface, { instructions: { text: words } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(deltasOf(events)).toEqual(['one', ' two', ' three', ' four', ' five']);
    const [call] = bill.calls;
    expect(call).toMatchObject({ outputTokens: 6, answered: true });
    const output = surface === 'messages' ? null : call?.inputTokens;
    expect(countsIn(events).at(-1)).toEqual([output, 6]);
    if (surface === 'messages') expect(countsIn(events)[0]).toEqual([call?.inputTokens, 1]);
  });

  test('has the content of the whole response', async () => {
    const { events } = await streamed(surface, { model: 'sim-echo', instructions: words });
    const { stream, clock } = openStreams();
    const request = { model: 'sim-echo', instructions: words, more: withoutStream(surface) };
    const whole: unknown = JSON.parse(await textOf(await stream(surface, request), clock));
    if (surface === 'responses') {
      const last = at(events.at(-1)?.data, 'response');
      expect(last).toMatchObject({ status: 'completed', usage: at(whole, 'usage') });
      expect(at(last, 'output', 0, 'content')).toEqual(at(whole, 'output', 0, 'content'));
    } else {
      const texts = [
        at(whole, 'choices', 0, 'message', 'content'),
        at(whole, 'content', 0, 'text'),
      ];
      expect(texts).toContain(deltasOf(events).join(''));
    }
  });

  test('has its reasoning before its text', async () => {
    const { text, bill } = await streamed(surface, { model: 'sim-reasoning', instructions: words });
    const [thought, said] = [text.indexOf('Thinking.'), text.indexOf('three')];
    expect(thought).toBeGreaterThan(0);
    expect(said).toBeGreaterThan(thought);
    expect(text.split('Thinking.').length - 1).toBeGreaterThanOrEqual(8);
    expect(bill.total).toMatchObject({ reasoningTokens: 64, outputTokens: 70 });
  });

  test('has a tool call in 40 pieces', async () => {
    const input = JSON.stringify({
      city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    });
    const toolCalls = [{ name: 'weather', arguments: input }];
    const instructions = { toolCalls, stream: { toolPieces: 40 } };
    const { events, text } = await streamed(surface, {
      instructions,
      more: { tools: tools[surface] },
    });
    const pieces = inputPiecesOf(events);
    expect(pieces).toHaveLength(40);
    expect(pieces.join('')).toBe(input);
    expect(text.match(/"name":"weather"/g)?.length).toBeGreaterThanOrEqual(1);
  });

  test('has the broken JSON of a tool call unchanged', async () => {
    const request = { model: 'sim-bad-json', instructions: words, more: { tools: tools[surface] } };
    const { events } = await streamed(surface, request);
    expect(inputPiecesOf(events).join('')).toBe('{"answer": not JSON');
  });

  test('reports the truncation at its maximum, and bills the maximum', async () => {
    const more = surface === 'responses' ? { max_output_tokens: 16 } : { max_tokens: 16 };
    const { text, events, bill } = await streamed(surface, {
      model: 'sim-truncated',
      instructions: words,
      more,
    });
    const ends = {
      chat: '"finish_reason":"length"',
      responses: 'event: response.incomplete',
      messages: '"stop_reason":"max_tokens"',
    };
    expect(text).toContain(ends[surface]);
    expect(bill.total.outputTokens).toBe(16);
    expect(countsIn(events).at(-1)?.[1]).toBe(16);
  });

  test('reports no counts, or counts as text', async () => {
    const { events } = await streamed(surface, { model: 'sim-no-usage', instructions: words });
    expect(countsIn(events)).toEqual([]);
    const odd = await streamed(surface, { model: 'sim-usage-string', instructions: words });
    expect(countsIn(odd.events).at(-1)?.[1]).toBe('12');
  });

  test('reports 0 and 0 first if instructed, and the true counts last', async () => {
    const instructions = { text: words, stream: { counts: 'zero-first' } };
    const { events, bill } = await streamed(surface, { instructions });
    const { inputTokens, outputTokens } = bill.total;
    expect(countsIn(events)[0]).toEqual([0, 0]);
    expect(countsIn(events).at(-1)).toEqual([inputTokens, outputTokens]);
  });

  test('that is rejected or fails before its head is the same as without a stream', async () => {
    const { stream, simulator } = openStreams();
    const response = await stream(surface, { model: 'sim-down', instructions: words });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(simulator.bill().total.calls).toBe(0);
  });
});

function withoutStream(surface: SurfaceName) {
  return surface === 'chat' ? { stream: undefined, stream_options: undefined } : { stream: false };
}

describe('the counts of chat completions', () => {
  test('have their own event, without choices, only on request', async () => {
    const request = await streamed('chat', { instructions: { text: words } });
    const [counts, done] = request.events.slice(-2);
    expect(done?.data).toBe('[DONE]');
    expect(counts?.data).toMatchObject({ choices: [], usage: { completion_tokens: 6 } });
    expect(request.events.slice(0, -2).every(({ data }) => at(data, 'usage') === null)).toBe(true);
    for (const more of [{ stream_options: undefined }, { stream_options: {} }]) {
      const { events, text } = await streamed('chat', { instructions: { text: words }, more });
      expect(text).not.toContain('usage');
      expect(at(events.at(-2)?.data, 'choices', 0, 'finish_reason')).toBe('stop');
    }
  });

  test('are with the finish reason, or grow with each delta, if instructed', async () => {
    const last = await streamed('chat', {
      instructions: { text: words, stream: { counts: 'last' } },
    });
    expect(last.events.at(-2)?.data).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { completion_tokens: 6 },
    });
    const each = await streamed('chat', {
      instructions: { text: words, stream: { counts: 'each' } },
    });
    expect(countsIn(each.events).map(([, output]) => output)).toEqual([1, 2, 4, 5, 6, 6]);
  });
});

test('text is cut between any two units if the model is instructed', async () => {
  const instructions = { text: 'a\u{1f600}', stream: { split: 'units' } };
  const { events } = await streamed('messages', { instructions });
  expect(deltasOf(events)).toEqual(['a', '\ud83d', '\ude00']);
  const long = { text: `b${'\u{1f600}'.repeat(1_000)}` };
  const words = await streamed('messages', { instructions: long, more: { max_tokens: 2_000 } });
  expect(deltasOf(words.events).map(({ length }) => length)).toEqual([1_023, 978]);
});

test('sim-slow-stream waits 100 ms before each word', async () => {
  const { stream, clock, simulator } = openStreams();
  const response = await stream('chat', { model: 'sim-slow-stream', instructions: words });
  const seen: string[] = [];
  void response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (piece) => void seen.push(piece) }));
  for (let turn = 0; turn < 20; turn++) await settle();
  for (const count of [1, 2, 3, 4, 5]) {
    await clock.advance(99);
    expect(deltasOf(eventsIn(seen.join('')))).toHaveLength(count - 1);
    expect(simulator.bill().total.calls).toBe(0);
    await clock.advance(1);
    expect(deltasOf(eventsIn(seen.join('')))).toHaveLength(count);
    for (let turn = 0; turn < 20; turn++) await settle();
  }
  expect(seen.join('')).toContain('[DONE]');
  expect(simulator.bill().calls).toMatchObject([{ answered: true, at: clock.now() }]);
});

test('sim-slow-stream is in no list', () => {
  expect(simulatorModels.map(({ id }) => id)).not.toContain('sim-slow-stream');
});
