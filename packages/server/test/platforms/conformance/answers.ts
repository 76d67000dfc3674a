import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answering, answerText, type Script, unusedPort } from '../support/scripted-server.ts';
import type { AnswerParts, Finish, SurfaceSubject } from '../support/surface-subject.ts';
import { attemptAgainst, attemptOn, type Tried } from '../support/try-platform.ts';

const json = { 'content-type': 'application/json' };

/** One attempt at a server of the subject's wire format. */
type Against = (script: Script, tried?: Tried) => ReturnType<typeof attemptAgainst>;

/** The results of an attempt for responses, and for exchanges without one. */
export function describeAnswers(subject: SurfaceSubject): void {
  const against = againstOf(subject);
  describeWhole(subject, against);
  describeUsage(subject, against);
  describeExchanges(subject);
}

/** The part that applies to every reader of responses, including a library. */
export function describeExchanges(subject: SurfaceSubject): void {
  const against = againstOf(subject);
  describeToolCalls(subject, against);
  describeUnusable(subject, against);
  describeUnanswered(subject, against);
}

function againstOf({ platformAt }: SurfaceSubject): Against {
  return (script, tried) => attemptAgainst(platformAt, script, tried);
}

function answeringWith(subject: SurfaceSubject, parts: AnswerParts, headers = {}): Script {
  return answering(200, JSON.stringify(subject.answer(parts)), { ...json, ...headers });
}

function describeWhole(subject: SurfaceSubject, against: Against) {
  const { finishWords, least, thought } = subject;
  describe('an answer', () => {
    it('has its text, its finish, its counts and its request id', async () => {
      expect(await against(answeringWith(subject, {}, { 'x-request-id': 'req_1' }))).toEqual({
        kind: 'answered',
        content: [...(thought?.content ?? []), { type: 'text', text: 'Hello there.' }],
        ...(thought && { carried: thought.carried }),
        finish: 'stop',
        finishRaw: finishWords.stop,
        usage: {
          inputTokens: 19,
          cachedInputTokens: 4,
          cacheWriteInputTokens: undefined,
          outputTokens: 10,
          reasoningTokens: 3,
          doubts: [],
        },
        requestId: 'req_1',
      });
    });

    const finishes: readonly Finish[] = ['stop', 'length', 'content-filter', 'tool-calls'];
    it.each(finishes)('that finished with %s reports it', async (finish) => {
      const toolCalls = finish === 'tool-calls' ? [{ name: 'a', arguments: '{}' }] : undefined;
      const parts = toolCalls === undefined ? { finish } : { finish, toolCalls };
      const expected = { finish, finishRaw: finishWords[finish] };
      expect(await against(answeringWith(subject, parts))).toMatchObject(expected);
    });

    it('needs no content type, no id and no usage', async () => {
      expect(await against(answering(200, JSON.stringify(least.fields)))).toMatchObject({
        kind: 'answered',
        content: [{ type: 'text', text: 'hi' }],
        finish: least.finish,
        usage: { inputTokens: undefined, outputTokens: undefined },
      });
    });

    it.each([
      ['a number as id', { id: 7, created: 'today', created_at: 'today', model: null }],
      ['another object', { object: 'completion', system_fingerprint: null }],
      ['an error that is null', { error: null }],
    ])('may have %s', async (_, extra) => {
      expect(await against(answeringWith(subject, { extra }))).toMatchObject({ kind: 'answered' });
    });

    it('may be empty', async () => {
      const expected = { kind: 'answered', content: thought?.content ?? [], finish: 'length' };
      const parts = { text: '', finish: 'length' } as const;
      expect(await against(answeringWith(subject, parts))).toMatchObject(expected);
    });
  });
}

function describeToolCalls(subject: SurfaceSubject, against: Against) {
  const call = { name: 'weather', arguments: '{"city": "Oslo"}' };
  describe('tool calls are forwarded as they were written', () => {
    it.each([
      ['one', [call]],
      ['the same one twice', [call, call]],
      ['one of a tool that was not offered', [{ name: 'rm_rf', arguments: '{}' }]],
      ['arguments that are not JSON', [{ name: 'weather', arguments: '{"city": Oslo' }]],
      ['no arguments', [{ name: 'weather', arguments: '' }]],
      ['a name that is odd', [{ name: '__proto__', arguments: '{"__proto__": 1}' }]],
    ])('%s', async (_, toolCalls) => {
      expect(
        await against(answeringWith(subject, { toolCalls, finish: 'tool-calls' })),
      ).toMatchObject({
        kind: 'answered',
        finish: 'tool-calls',
        content: [
          ...(subject.thought?.content ?? []),
          ...toolCalls.map((toolCall, index) => ({
            type: 'tool-call',
            toolCallId: `call_${index}`,
            toolName: toolCall.name,
            input: subject.inputOf?.(toolCall.arguments) ?? toolCall.arguments,
          })),
        ],
      });
    });
  });
}

function describeUsage(subject: SurfaceSubject, against: Against) {
  const missing = {
    kind: 'answered',
    content: [...(subject.thought?.content ?? []), { type: 'text', text: 'Hello there.' }],
    usage: { inputTokens: undefined, outputTokens: undefined },
  };
  describe('invalid usage does not invalidate a response, and is missing', () => {
    it.each([[undefined], [null], ['12'], [[]], [{}]])('%j', async (usage) => {
      expect(await against(answeringWith(subject, { extra: { usage } }))).toMatchObject(missing);
    });

    it.each([
      ['12', '3'],
      [null, null],
      [-1, -5],
      [1.5, 0.1],
      [1e300, 2 ** 53],
      [{ total: 1 }, [1]],
      ['x', true],
    ])('%j in, %j out', async (input, output) => {
      expect(await against(answeringWith(subject, { usage: { input, output } }))).toMatchObject(
        missing,
      );
    });

    it('but zero is zero', async () => {
      expect(
        await against(answeringWith(subject, { usage: { input: 0, output: 0 } })),
      ).toMatchObject({
        usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: undefined },
      });
    });

    it.each(Object.entries(subject.broken))(
      'an answer of %s still has its counts',
      async (_, extra) => {
        const usage = { inputTokens: 19, outputTokens: 10 };
        expect(await against(answeringWith(subject, { extra }))).toMatchObject({
          kind: 'failed',
          usage,
        });
      },
    );

    it('an error may have them, too', async () => {
      const { usage } = subject.answer({ usage: { input: 5, output: 0 } });
      const script = answering(500, JSON.stringify({ error: {}, usage }));
      const usageRead = { inputTokens: 5, outputTokens: 0 };
      expect(await against(script)).toMatchObject({ kind: 'failed', usage: usageRead });
    });
  });
}

function describeUnusable(subject: SurfaceSubject, against: Against) {
  const unusable = { kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false };
  const whole = JSON.stringify(subject.answer({}));
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
    ['compressed', answering(200, 'x', { 'content-encoding': 'gzip' })],
    [
      'behind a 100 that nobody asked for',
      (socket) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answerText(200, whole)}`),
    ],
    ['too large', answering(200, 'x', { 'content-length': '100000000' })],
  ];
  describe('a 200 that is not a response may have been billed, and is not retried', () => {
    it.each(rows)('%s', async (_, script) => {
      expect(await against(script)).toMatchObject({ ...unusable, usage: undefined });
    });

    it.each(Object.entries(subject.broken))('of %s', async (_, broken) => {
      const script = answeringWith(subject, { extra: { ...broken, usage: null } });
      expect(await against(script)).toMatchObject({ ...unusable, usage: undefined });
    });
  });
}

function describeUnanswered(subject: SurfaceSubject, against: Against) {
  describe('an exchange without a response', () => {
    it('that was not sent is free and retried', async () => {
      const platform = subject.platformAt(`http://127.0.0.1:${await unusedPort()}`);
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

    it('that was sent may have been billed, and is retried', async () => {
      const outcome = await against((socket) => void socket.resetAndDestroy());
      expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: true });
    });

    it('that was canceled may have been billed, and is not retried', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const outcome = await against(() => controller.abort(), { signal });
      expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: false });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    it('that was canceled before it was sent is free', async () => {
      const outcome = await against(() => undefined, { signal: AbortSignal.abort() });
      expect(outcome).toMatchObject({ code: 'SERVER', billed: 'no', isRetryable: false });
    });
  });

  it('a request that the wire format cannot express is BAD_REQUEST, and is not sent', async () => {
    const part = { type: 'image', mediaType: 'application/x-odd', data: 'AAAA' } as const;
    const request = { messages: [{ role: 'user', content: [part] }], maxTokens: 64 } as const;
    const outcome = await against(answering(500, ''), { request });
    expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no', isRetryable: false });
  });
}
