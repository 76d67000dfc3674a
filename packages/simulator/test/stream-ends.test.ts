import { describe, expect, test } from 'vitest';
import { at } from './open.ts';
import {
  deltasOf,
  eventsIn,
  openStreams,
  type SurfaceName,
  surfaces,
  textOf,
} from './read-stream.ts';
import { settle } from './virtual-clock.ts';

// Each word and its space are 4 bytes, a token.
const text = 'one two six ten men';

function stopped(how: string, after: number, more: object = {}) {
  return { instructions: { text, stream: { stop: { how, after }, ...more } } };
}

/** Reads until the end, and returns how it ended. */
function follow(response: Response) {
  const seen = { text: '', end: 'open' };
  const decoder = new TextDecoderStream();
  response.body
    ?.pipeThrough(decoder)
    .pipeTo(
      new WritableStream({
        write(piece) {
          seen.text += piece;
        },
      }),
    )
    .then(
      () => void Object.assign(seen, { end: 'closed' }),
      (error: unknown) => void Object.assign(seen, { end: String(at(error, 'code') ?? error) }),
    );
  return seen;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await settle();
}

const terminal = {
  chat: '[DONE]',
  responses: 'response.completed',
  messages: 'message_stop',
} as const;

describe.each(surfaces)('a stream of %s', (surface) => {
  test.each([0, 1, 3, 5])('breaks after %d deltas, which are billed', async (after) => {
    const { stream, simulator } = openStreams();
    const seen = follow(await stream(surface, stopped('break', after)));
    await settled();
    expect(seen.end).toBe('ECONNRESET');
    expect(deltasOf(eventsIn(seen.text))).toHaveLength(after);
    expect(simulator.bill().calls).toMatchObject([{ outputTokens: after, answered: false }]);
  });

  test('stalls after 2 deltas, which are billed at once', async () => {
    const { stream, simulator, clock } = openStreams();
    const leaving = new AbortController();
    const seen = follow(await stream(surface, stopped('silence', 2), leaving.signal));
    await clock.advance(600_000);
    expect(seen.end).toBe('open');
    expect(deltasOf(eventsIn(seen.text))).toEqual(['one', ' two']);
    expect(simulator.bill().calls).toMatchObject([{ outputTokens: 2, answered: false }]);
    leaving.abort(new Error('enough'));
    await settled();
    expect(seen.end).toBe('Error: enough');
    expect(simulator.bill().total).toMatchObject({ calls: 1, outputTokens: 2 });
  });

  test('has its own error event after 2 deltas, and ends', async () => {
    const { stream, simulator, clock } = openStreams();
    const whole = await textOf(await stream(surface, stopped('error', 2)), clock);
    const events = eventsIn(whole);
    expect(deltasOf(events)).toEqual(['one', ' two']);
    expect(whole).not.toContain(terminal[surface]);
    const last = events.at(-1);
    const names = { chat: undefined, responses: 'response.failed', messages: 'error' };
    expect(last?.name).toBe(names[surface]);
    const error = at(last?.data, 'error') ?? at(last?.data, 'response', 'error');
    expect(String(at(error, 'message'))).toContain('overloaded');
    if (surface === 'responses') {
      expect(at(last?.data, 'response', 'usage', 'output_tokens')).toBe(2);
    }
    expect(simulator.bill().calls).toMatchObject([{ outputTokens: 2, answered: false }]);
  });

  test('ends cleanly without its terminal event, after its text or within it', async () => {
    for (const [after, words] of [
      [5, 5],
      [3, 3],
    ] as const) {
      const { stream, simulator, clock } = openStreams();
      const whole = await textOf(await stream(surface, stopped('end', after)), clock);
      expect(deltasOf(eventsIn(whole))).toHaveLength(words);
      expect(whole).not.toContain(terminal[surface]);
      expect(whole).not.toMatch(/finish_reason":"|stop_reason":"/);
      expect(simulator.bill().total.outputTokens).toBe(words);
    }
  });

  test('with a disconnect after 2 deltas is billed for 2, or whole if it continues', async () => {
    for (const { goesOn, billed } of [
      { goesOn: false, billed: 2 },
      { goesOn: true, billed: 5 },
    ]) {
      const { stream, simulator, clock } = openStreams();
      const leaving = new AbortController();
      const request = { instructions: { text, stream: { gapMs: 100, goesOn } } };
      const seen = follow(await stream(surface, request, leaving.signal));
      await clock.advance(250);
      await settled();
      expect(deltasOf(eventsIn(seen.text))).toHaveLength(2);
      leaving.abort();
      await clock.advance(10_000);
      expect(simulator.bill().calls).toMatchObject([{ outputTokens: billed, answered: false }]);
    }
  });

  test('that its reader cancels is billed including what it was ahead', async () => {
    const { stream, simulator } = openStreams();
    const reader = (await stream(surface, { instructions: { text } })).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const [call] = simulator.bill().calls;
    expect(call?.outputTokens).toBeLessThanOrEqual(1);
    expect(simulator.bill().total.calls).toBe(1);
  });

  test('with a disconnect before the head is billed for its input', async () => {
    const { stream, simulator, clock } = openStreams();
    const leaving = new AbortController();
    const response = stream(surface, { instructions: { text, delayMs: 1_000 } }, leaving.signal);
    await clock.advance(500);
    leaving.abort(new Error('enough'));
    await expect(response).rejects.toThrow('enough');
    await clock.advance(500);
    expect(simulator.bill().calls).toMatchObject([{ outputTokens: 0, answered: false }]);
    expect(simulator.bill().total.inputTokens).toBeGreaterThan(0);
  });

  test('that is cut within its reasoning or a tool call is billed for the sent part', async () => {
    const thinking = openStreams();
    const instructions = { text, reasoningTokens: 60, stream: { stop: { how: 'end', after: 3 } } };
    await textOf(await thinking.stream(surface, { instructions }), thinking.clock);
    expect(thinking.simulator.bill().total).toMatchObject({
      reasoningTokens: 24,
      outputTokens: 24,
    });
    const calling = openStreams();
    const toolCalls = [{ name: 'tool', arguments: '{"city":"Ulm"}  ' }];
    const order = { toolCalls, stream: { toolPieces: 4, stop: { how: 'break', after: 2 } } };
    const seen = follow(await calling.stream(surface, { instructions: order }));
    await settled();
    expect(seen.end).toBe('ECONNRESET');
    // 4 a call, 1 for the name, 2 for 8 bytes of its input.
    expect(calling.simulator.bill().total.outputTokens).toBe(7);
  });

  test('bills by its instructions, also after a cut', async () => {
    const { stream, simulator } = openStreams();
    const bills = { inputTokens: 20, outputTokens: 'all' };
    const instructions = { text, bills, stream: { stop: { how: 'break', after: 1 } } };
    follow(await stream(surface, { instructions }));
    await settled();
    expect(simulator.bill().calls).toMatchObject([{ inputTokens: 20, outputTokens: 500 }]);
  });

  test('accepts the faults of whole responses', async () => {
    const lost = openStreams();
    await expect(lost.stream(surface, { model: 'sim-reset', instructions: text })).rejects.toThrow(
      'reset',
    );
    expect(lost.simulator.bill().total.outputTokens).toBe(5);
    const broken = openStreams();
    const seen = follow(
      await broken.stream(surface, { model: 'sim-reset-mid-body', instructions: text }),
    );
    await settled();
    expect(seen.end).toBe('ECONNRESET');
    expect(deltasOf(eventsIn(seen.text))).toHaveLength(2);
    const page = openStreams();
    const html = await page.stream(surface, { model: 'sim-html', instructions: text });
    expect(await html.text()).toContain('It works');
    const half = openStreams();
    const ended = follow(
      await half.stream(surface, { model: 'sim-half-json', instructions: text }),
    );
    await settled();
    expect(ended.end).toBe('closed');
    expect(ended.text).not.toContain(terminal[surface]);
  });
});

test('steps after the last delta are those of the ordinary end', async () => {
  const ends = async (surface: SurfaceName, after: number) => {
    const { stream, clock } = openStreams();
    const whole = await textOf(await stream(surface, stopped('end', after)), clock);
    return eventsIn(whole).at(-1);
  };
  expect((await ends('chat', 6))?.data).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect((await ends('chat', 7))?.data).toMatchObject({ choices: [] });
  expect((await ends('chat', 8))?.data).toBe('[DONE]');
  expect((await ends('messages', 7))?.name).toBe('message_delta');
  expect((await ends('messages', 8))?.name).toBe('message_stop');
  expect((await ends('responses', 8))?.name).toBe('response.output_item.done');
  expect((await ends('responses', 9))?.name).toBe('response.completed');
});

test('silence between the head and the first event is the delivery delay', async () => {
  const { stream, clock } = openStreams();
  const seen = follow(await stream('chat', { instructions: { text, handoverDelayMs: 500 } }));
  await clock.advance(499);
  expect(seen.text).toBe('');
  await clock.advance(1);
  await settled();
  expect(seen.end).toBe('closed');
});

describe('an invalid instruction for a stream is rejected', () => {
  test.each([
    { order: { gap: 5 }, message: "Unknown 'told.stream.gap'" },
    { order: { stop: { after: 5 } }, message: "Invalid type for 'told.stream.stop.how'" },
    { order: { stop: { how: 'fire' } }, message: "Invalid 'told.stream.stop.how'" },
    { order: { bytesEach: 0 }, message: "Invalid 'told.stream.bytesEach'" },
    { order: { lineEnd: 'none' }, message: "Invalid 'told.stream.lineEnd'" },
    { order: { large: { size: 5 } }, message: "Unknown 'told.stream.large.size'" },
  ])('$message', async ({ order, message }) => {
    const { stream, simulator } = openStreams();
    const response = await stream('chat', { instructions: { stream: order } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect(simulator.bill().total.calls).toBe(0);
  });
});
