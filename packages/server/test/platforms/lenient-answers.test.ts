import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerHead } from '../../src/platforms/http/transport.ts';
import type { AttemptOutcome } from '../../src/platforms/model/port.ts';
import { chatSubject } from './support/chat-completion.ts';
import { cutsOf, splitAt } from './support/cuts.ts';
import { attemptWhole, followAttempt, partsOf } from './support/follow-attempt.ts';
import { bytesOf, byUnits, type WireEvent } from './support/stream-events.ts';
import type { SurfaceSubject } from './support/surface-subject.ts';
import { surfaces } from './support/surfaces.ts';
import { smallRequest } from './support/try-platform.ts';

const counts = { prompt_tokens: 20, completion_tokens: 0 };
const unusable = { kind: 'failed', code: 'SERVER', billed: 'unknown' };
const text = (said: string) => ({ type: 'text', text: said });

function subjectOf(name: string): SurfaceSubject {
  const subject = surfaces.find((one) => one.name === name);
  if (subject === undefined) throw new Error(name);
  return subject;
}

/** A request for a complete response, which consists of these bytes. */
function wholeOf(subject: SurfaceSubject, bytes: Buffer, type: string): Promise<AttemptOutcome> {
  const head = headOf(type);
  const model = subject.modelsOf(partsOf({ pieces: [bytes], head }))('test-model');
  return model.attempt(smallRequest, { signal: new AbortController().signal });
}

function headOf(type: string): AnswerHead {
  return { status: 200, headers: type === '' ? {} : { 'content-type': type } };
}

describe('a complete response is read as far as possible', () => {
  it.each<[string, string, object, object]>([
    [
      'openai-chat',
      'a message that is text',
      { choices: [{ message: 'hi' }] },
      { content: [text('hi')], finish: 'other' },
    ],
    [
      'openai-chat',
      'a message as in a stream',
      { choices: [{ delta: { content: 'hi' } }] },
      { content: [text('hi')] },
    ],
    [
      'openai-chat',
      'a role of another name',
      { choices: [{ message: { role: 'model', content: 'hi' } }] },
      { content: [text('hi')] },
    ],
    [
      'openai-chat',
      'parts without a type',
      { choices: [{ message: { content: ['h', { text: 'i' }, 7] } }] },
      { content: [text('h'), text('i')] },
    ],
    [
      'openai-chat',
      'a reason that is a number',
      { choices: [{ message: { content: 'hi' }, finish_reason: 7 }] },
      { finish: 'other', finishRaw: undefined },
    ],
    [
      'openai-chat',
      'a broken choice beside',
      { choices: [{ message: { content: 'hi' } }, 7] },
      { content: [text('hi')] },
    ],
    [
      'openai-chat',
      'no choices, with counts',
      { choices: [], usage: counts },
      { content: [], finish: 'content-filter', usage: { inputTokens: 20 } },
    ],
    [
      'openai-chat',
      'no message, with counts',
      { choices: [{ message: null }], usage: counts },
      { content: [], finish: 'content-filter' },
    ],
    [
      'openai-chat',
      'no message, with a reason',
      { choices: [{ finish_reason: 'content_filter: SAFETY' }] },
      { content: [], finish: 'content-filter' },
    ],
    [
      'openai-responses',
      'an output that is text',
      { output: 'hi' },
      { content: [text('hi')], finish: 'stop' },
    ],
    ['openai-responses', 'items that are text', { output: ['hi'] }, { content: [text('hi')] }],
    [
      'openai-responses',
      'items without a type',
      { output: [{ role: 'assistant', content: 'hi' }] },
      { content: [text('hi')] },
    ],
    [
      'openai-responses',
      'parts without a type',
      { output: [{ type: 'message', content: ['h', { text: 'i' }, 7] }] },
      { content: [text('h'), text('i')] },
    ],
    [
      'openai-responses',
      'a call without an id, and with a value',
      { output: [{ type: 'function_call', name: 'a', arguments: { b: 1 } }] },
      {
        content: [{ toolCallId: 'call_1_0', toolName: 'a', input: '{"b":1}' }],
        finish: 'tool-calls',
      },
    ],
    [
      'openai-responses',
      'a reason of another wire',
      { output: ['hi'], status: 'incomplete', incomplete_details: { reason: 'length' } },
      { finish: 'length' },
    ],
    [
      'openai-responses',
      'a reason where other wires have it',
      { output: ['hi'], stop_reason: 'length' },
      { finish: 'length' },
    ],
    [
      'openai-responses',
      'a reason alone',
      { output: null, status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      { content: [], finish: 'content-filter' },
    ],
    [
      'anthropic-messages',
      'content that is text',
      { content: 'hi' },
      { content: [text('hi')], finish: 'other' },
    ],
    [
      'anthropic-messages',
      'blocks without a type',
      { content: ['h', { text: 'i' }, 7] },
      { content: [text('h'), text('i')] },
    ],
    [
      'anthropic-messages',
      'a call without an id and an input',
      { content: [{ type: 'tool_use', name: 'a' }] },
      { content: [{ toolCallId: 'call_1_0', toolName: 'a', input: '' }] },
    ],
    [
      'anthropic-messages',
      'calls of one id',
      {
        content: [
          { type: 'tool_use', id: 'a', name: 'a', input: {} },
          { type: 'tool_use', id: 'a', name: 'b', input: {} },
        ],
      },
      { content: [{ toolCallId: 'a' }, { toolCallId: 'call_1_1' }] },
    ],
    [
      'anthropic-messages',
      'a reason alone',
      { content: null, stop_reason: 'refusal' },
      { content: [], finish: 'content-filter' },
    ],
  ])('%s: %s', async (name, _, answer, expected) => {
    const outcome = await attemptWhole(subjectOf(name), answer);
    expect(outcome).toMatchObject({ kind: 'answered', ...expected });
  });

  it.each<[string, object]>([
    ['openai-chat', { choices: [] }],
    ['openai-chat', { choices: [{ message: { role: 'assistant', content: '' } }] }],
    ['openai-chat', { choices: [7, 'hi'] }],
    ['openai-chat', { choices: null, usage: counts }],
    ['openai-chat', { usage: counts }],
    ['openai-responses', { output: [] }],
    ['openai-responses', { output: ['hi'], status: 'in_progress' }],
    ['openai-responses', { output: ['hi'], status: 'cancelled' }],
    ['anthropic-messages', { content: [] }],
    ['anthropic-messages', { content: [7] }],
  ])('%s: nothing of %j is read', async (name, answer) => {
    expect(await attemptWhole(subjectOf(name), answer)).toMatchObject(unusable);
  });
});

const chunk = (choice: object, more: object = {}) => ({ data: { choices: [choice], ...more } });
const done = { data: '[DONE]' };
const hello = chunk({ delta: { content: 'hi' } });
const usage = { data: { choices: [], usage: { prompt_tokens: 20, completion_tokens: 1 } } };

describe('the word for the end of a stream', () => {
  const follow = (events: readonly WireEvent[], name = 'openai-chat') =>
    followAttempt(subjectOf(name), { pieces: [bytesOf(events)] });

  it.each<[string, readonly WireEvent[], object]>([
    ['a text', [hello, done], { content: [text('hi')], finish: 'other' }],
    [
      'a text and counts',
      [hello, usage, done],
      { content: [text('hi')], usage: { inputTokens: 20, outputTokens: 1 } },
    ],
    [
      'reasoning',
      [chunk({ delta: { reasoning: 'hm' } }), done],
      { content: [{ type: 'reasoning', text: 'hm' }] },
    ],
    [
      'a call',
      [
        chunk({ delta: { tool_calls: [{ id: 'a', function: { name: 'b', arguments: '{}' } }] } }),
        done,
      ],
      { content: [{ toolName: 'b' }] },
    ],
    [
      'counts alone',
      [{ data: { choices: [], usage: counts } }, done],
      { content: [], finish: 'content-filter', usage: { inputTokens: 20 } },
    ],
    [
      'a whole message',
      [chunk({ message: { content: 'hi' }, finish_reason: 'stop' }), done],
      { content: [text('hi')], finish: 'stop' },
    ],
  ])('ends one of %s without a reason', async (_, events, expected) => {
    const { outcome } = await follow(events);
    expect(outcome).toMatchObject({ kind: 'answered', ...expected });
  });

  it.each<[string, readonly WireEvent[]]>([
    ['nothing', [done]],
    ['a role alone', [chunk({ delta: { role: 'assistant', content: '' } }), done]],
    ['a text, and does not come', [hello]],
  ])('ends none of %s', async (_, events) => {
    const { outcome } = await follow(events);
    expect(outcome).toMatchObject({ ...unusable, broke: true });
  });

  it('ends messages and responses whose items were done', async () => {
    const block = [
      { data: { type: 'content_block_start', index: 0, content_block: text('') } },
      {
        data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      },
    ];
    const message = await follow([...block, done], 'anthropic-messages');
    expect(message.outcome).toMatchObject({ kind: 'answered', content: [text('hi')] });
    const item = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] };
    const items = [{ data: { type: 'response.output_item.done', output_index: 0, item } }, done];
    const response = await follow(items, 'openai-responses');
    expect(response.outcome).toMatchObject({
      kind: 'answered',
      content: [text('hi')],
      finish: 'other',
    });
  });

  it('sends a complete message behind its pieces once', async () => {
    const again = chunk({ message: { content: 'hi' }, finish_reason: 'stop' });
    const { outcome, deltas } = await follow([hello, again, done]);
    expect(outcome).toMatchObject({ content: [text('hi')], finish: 'stop' });
    expect(deltas).toEqual([text('hi')]);
  });
});

describe.each(surfaces)('the first bytes of an answer of $name', (subject) => {
  const answer = subject.answer({ text: 'Grüße 🙂' });
  const events = bytesOf(subject.events(answer, byUnits));
  const json = Buffer.from(JSON.stringify(answer));
  const types = ['application/json; charset=utf-8', 'text/event-stream', 'text/plain', ''];
  const mark = Buffer.from('\u{feff}');
  const blanks = Buffer.from('\r\n\n \t');
  const before = [Buffer.alloc(0), mark, blanks, Buffer.concat([mark, blanks])];

  it.each(types)('determine its format, whatever the label is: %j', async (type) => {
    const plain = await attemptWhole(subject, answer);
    for (const start of before) {
      for (const body of [events, json]) {
        const bytes = Buffer.concat([start, body]);
        const { outcome } = await followAttempt(subject, { pieces: [bytes], head: headOf(type) });
        expect(outcome).toEqual(plain);
        expect(await wholeOf(subject, bytes, type)).toEqual(plain);
      }
    }
  });

  it('are those of a stream, sent as it arrives, whatever its label is', async () => {
    const labeled = await followAttempt(subject, { pieces: [events] });
    const head = headOf('application/json');
    const { deltas } = await followAttempt(subject, { pieces: [events], head });
    expect(deltas).toEqual(labeled.deltas);
  });

  it('are the same however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(cutsOf(400), fc.constantFrom(events, json), async (cuts, body) => {
        const bytes = Buffer.concat([mark, blanks, body]);
        for (const type of types) {
          const head = headOf(type);
          const { outcome } = await followAttempt(subject, { pieces: splitAt(bytes, cuts), head });
          expect(outcome).toMatchObject({ kind: 'answered', finish: 'stop' });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('of a page are not a response', async () => {
    for (const type of [...types, 'text/html']) {
      const page = Buffer.from('<h1>It works</h1>');
      expect(await wholeOf(subject, page, type)).toMatchObject(unusable);
      const { outcome } = await followAttempt(subject, { pieces: [page], head: headOf(type) });
      expect(outcome).toMatchObject(unusable);
    }
  });

  it('of a complete response that breaks off are not a response', async () => {
    const half = events.subarray(0, events.length / 2);
    expect(await wholeOf(subject, half, 'application/json')).toMatchObject(unusable);
  });
});

describe('a stream may contain', () => {
  const text1 = JSON.stringify(hello.data);
  const text2 = JSON.stringify(chunk({ delta: {}, finish_reason: 'stop' }).data);

  it.each([
    ['one line an event', `data: ${text1}\ndata: ${text2}\ndata: [DONE]\n`],
    ['one line an event, with names', `event: a\ndata: ${text1}\nevent: b\ndata: ${text2}\n`],
    ['one line an event, with CRLF', `data: ${text1}\r\ndata: ${text2}\r\ndata: [DONE]\r\n`],
    [
      'signs of life',
      `data: ping\n\ndata: {}\n\ndata:\n\nevent: ping\ndata: 7\n\ndata: ${text1}\n\ndata: ${text2}\n\n`,
    ],
    ['a spaced word for the end', `data: ${text1}\n\ndata:  [done] \n\n`],
    [
      'numbers that JSON has no words for',
      `data: ${text1.replace('{', '{"a":[NaN,-Infinity,"NaN"],')}\n\ndata: ${text2}\n\n`,
    ],
  ])('%s', async (_, body) => {
    const { outcome } = await followAttempt(chatSubject, { pieces: [Buffer.from(body)] });
    expect(outcome).toMatchObject({ kind: 'answered', content: [text('hi')] });
  });

  it('a JSON text in several lines', async () => {
    const lines = JSON.stringify(hello.data, null, 1).replaceAll('\n', '\ndata: ');
    const body = `data: ${lines}\n\ndata: ${text2}\n\n`;
    const { outcome } = await followAttempt(chatSubject, { pieces: [Buffer.from(body)] });
    expect(outcome).toMatchObject({ kind: 'answered', content: [text('hi')], finish: 'stop' });
  });
});

it('a complete response may follow comments, and contain NaN', async () => {
  const body =
    ': keep-alive\n\n: keep-alive\n\n{"a":NaN,"choices":[{"message":{"content":"NaN"}}]}';
  const outcome = await wholeOf(chatSubject, Buffer.from(body), 'application/json');
  expect(outcome).toMatchObject({ kind: 'answered', content: [text('NaN')] });
});
