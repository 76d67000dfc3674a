import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { chatCompletion, documentedUsage } from './support/chat-completion.ts';
import { answering, answerText, type Script, unusedPort } from './support/scripted-server.ts';
import { attemptAgainst, attemptOn, openAiCompatibleAt } from './support/try-platform.ts';

const json = { 'content-type': 'application/json' };

function answeringWith(completion: unknown, headers: Readonly<Record<string, string>> = json) {
  return answering(200, JSON.stringify(completion), headers);
}

describe('an answer', () => {
  it('has its text, its finish, its counts and its request id', async () => {
    const script = answeringWith(chatCompletion({}), { ...json, 'x-request-id': 'req_1' });
    expect(await attemptAgainst(script)).toEqual({
      kind: 'answered',
      content: [{ type: 'text', text: 'Hello there.' }],
      finish: 'stop',
      finishRaw: 'stop',
      usage: {
        inputTokens: 19,
        cachedInputTokens: 4,
        cacheWriteInputTokens: undefined,
        outputTokens: 10,
        reasoningTokens: 3,
      },
      requestId: 'req_1',
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_calls', 'tool-calls'],
    ['something_new', 'other'],
  ])('that finished with %s is %s', async (finishReason, finish) => {
    const script = answeringWith(chatCompletion({ finishReason }));
    expect(await attemptAgainst(script)).toMatchObject({ finish, finishRaw: finishReason });
  });

  it('needs no content type, no id and no usage', async () => {
    const body = '{"choices":[{"message":{"content":"hi"}}]}';
    expect(await attemptAgainst(answering(200, body))).toMatchObject({
      kind: 'answered',
      content: [{ type: 'text', text: 'hi' }],
      finish: 'other',
      finishRaw: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });

  it.each([
    ['a number as id', { id: 7, created: 'today', model: null }],
    ['another object', { object: 'completion', system_fingerprint: null }],
    ['an error beside the choices', { error: null }],
  ])('may have %s', async (_, extra) => {
    const script = answeringWith(chatCompletion({ extra }));
    expect(await attemptAgainst(script)).toMatchObject({ kind: 'answered' });
  });

  it('may be empty', async () => {
    const script = answeringWith(chatCompletion({ content: '', finishReason: 'length' }));
    const expected = { kind: 'answered', content: [], finish: 'length' };
    expect(await attemptAgainst(script)).toMatchObject(expected);
  });
});

describe('tool calls pass through as they were written', () => {
  const call = { name: 'weather', arguments: '{"city": "Oslo"}' };
  it.each([
    ['one', [call]],
    ['the same one twice', [call, call]],
    ['one of a tool that was not offered', [{ name: 'rm_rf', arguments: '{}' }]],
    ['arguments that are not JSON', [{ name: 'weather', arguments: '{"city": Oslo' }]],
    ['no arguments', [{ name: 'weather', arguments: '' }]],
    ['a name that is odd', [{ name: '__proto__', arguments: '{"__proto__": 1}' }]],
  ])('%s', async (_, toolCalls) => {
    const completion = chatCompletion({ content: null, toolCalls, finishReason: 'tool_calls' });
    expect(await attemptAgainst(answeringWith(completion))).toMatchObject({
      kind: 'answered',
      finish: 'tool-calls',
      content: toolCalls.map((toolCall, index) => ({
        type: 'tool-call',
        toolCallId: `call_${index}`,
        toolName: toolCall.name,
        input: toolCall.arguments,
      })),
    });
  });
});

describe('usage that is odd spoils no answer, and is missing', () => {
  it.each([
    [undefined],
    [null],
    ['12'],
    [[]],
    [{}],
    [{ prompt_tokens: '12', completion_tokens: '3' }],
    [{ prompt_tokens: null, completion_tokens: null }],
    [{ prompt_tokens: -1, completion_tokens: -5 }],
    [{ prompt_tokens: 1.5, completion_tokens: 0.1 }],
    [{ prompt_tokens: 1e300, completion_tokens: 2 ** 53 }],
    [{ prompt_tokens: { total: 1 }, completion_tokens: [1] }],
    [{ ...documentedUsage, prompt_tokens: 'x', completion_tokens: true }],
  ])('%j', async (usage) => {
    const outcome = await attemptAgainst(answeringWith(chatCompletion({ usage })));
    expect(outcome).toMatchObject({
      kind: 'answered',
      content: [{ type: 'text', text: 'Hello there.' }],
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });

  it('but zero is zero', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    expect(await attemptAgainst(answeringWith(chatCompletion({ usage })))).toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: undefined },
    });
  });
});

describe('a 200 that is no answer may have been billed, and is not tried again', () => {
  const whole = JSON.stringify(chatCompletion({}));
  const rows: readonly (readonly [string, Script])[] = [
    ['empty', answering(200, '')],
    ['204', answering(204, '')],
    ['HTML', answering(200, '<h1>It works</h1>', { 'content-type': 'text/html' })],
    ['truncated', answering(200, whole.slice(0, -20), json)],
    ['with garbage behind it', answering(200, `${whole}}`, json)],
    ['longer than it states', answering(200, whole, { 'content-length': '40' })],
    [
      'shorter than it states',
      (socket) =>
        void socket.end(
          answerText(200, whole.slice(0, 40), { 'content-length': '400', connection: 'close' }),
        ),
    ],
    ['null', answering(200, 'null', json)],
    ['an array', answering(200, '[]', json)],
    ['an error', answering(200, '{"error":{"code":429,"message":"busy"}}', json)],
    ['of no choices', answeringWith({ ...chatCompletion({}), choices: [], usage: null })],
    ['of odd choices', answeringWith({ choices: [{ message: 'hi' }] })],
    ['compressed', answering(200, 'x', { 'content-encoding': 'gzip' })],
    ['too large', answering(200, 'x', { 'content-length': '100000000' })],
  ];
  it.each(rows)('%s', async (_, script) => {
    expect(await attemptAgainst(script)).toMatchObject({
      kind: 'failed',
      code: 'SERVER',
      billed: 'unknown',
      isRetryable: false,
      usage: undefined,
    });
  });

  it('of no choices, but with its counts', async () => {
    const script = answeringWith({ ...chatCompletion({}), choices: [] });
    expect(await attemptAgainst(script)).toMatchObject({
      kind: 'failed',
      billed: 'unknown',
      usage: { inputTokens: 19, outputTokens: 10 },
    });
  });
});

describe('an exchange without an answer', () => {
  it('that was not sent is free and tried again', async () => {
    const platform = openAiCompatibleAt(`http://127.0.0.1:${await unusedPort()}`);
    expect(await attemptOn(platform)).toMatchObject({
      kind: 'failed',
      code: 'SERVER',
      billed: 'no',
      isRetryable: true,
      status: undefined,
      requestId: undefined,
      detail: expect.stringMatching(/^not sent, ECONNREFUSED: /),
    });
    await platform.close();
  });

  it('that was sent may have been billed, and is tried again', async () => {
    const outcome = await attemptAgainst((socket) => void socket.resetAndDestroy());
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: true });
  });

  it('that was cut may have been billed, and is not tried again', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const outcome = await attemptAgainst(() => controller.abort(), { signal });
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: false });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that was cut before it was sent is free', async () => {
    const outcome = await attemptAgainst(() => undefined, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'no', isRetryable: false });
  });
});

it('a request that the wire has no words for is BAD_REQUEST, and is not sent', async () => {
  const data = { type: 'text', text: 'a', mediaType: 'application/x-odd' } as const;
  const part = { type: 'file', mediaType: 'application/x-odd', data } as const;
  const options = { prompt: [{ role: 'user' as const, content: [part] }] };
  const outcome = await attemptAgainst(() => undefined, { options });
  expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no', isRetryable: false });
});
