import { createParser } from 'eventsource-parser';
import { describe, expect, test } from 'vitest';
import { createFakeClient, type FakeStep } from '../src/testing.ts';
import { toEventStreamResponse, toUIMessageStreamResponse } from '../src/web.ts';
import { openScripted } from './scripted-client.ts';
import { events as streamOf } from './scripted-fetch.ts';

const request = { model: 'm', maxTokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };
const tools = [{ name: 'weather', inputSchema: { type: 'object' as const } }];

/** A response as read by a third-party reader. */
async function read(response: Response): Promise<readonly (readonly [unknown, unknown])[]> {
  const list: (readonly [unknown, unknown])[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      list.push([event, data === '[DONE]' ? data : JSON.parse(data)]);
    },
  });
  parser.feed(await response.text());
  return list;
}

function agentStream(step: FakeStep) {
  return createFakeClient([step]).agentStream({ ...request, tools });
}

const toolCalls = [{ name: 'weather', input: { city: 'Ulm' }, id: 'c1' }];

describe('a page gets a plain event stream', () => {
  test('of text and tool calls, without the cost', async () => {
    const finished: unknown[] = [];
    const onFinish = (answer: { cost: { usd: string | null } }) => finished.push(answer.cost.usd);
    const stream = agentStream({ text: 'Let me look', toolCalls, costUsd: '0.5' });
    const response = toEventStreamResponse(stream, { onFinish, headers: { 'x-own': '1' } });
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-own': '1',
    });
    expect(await read(response)).toEqual([
      ['text', { text: 'Let ' }],
      ['text', { text: 'me ' }],
      ['text', { text: 'look' }],
      ['toolCall', { id: 'c1', name: 'weather', input: { city: 'Ulm' } }],
      ['finish', {}],
    ]);
    expect(finished).toEqual(['0.5']);
  });

  test('that ends with the code of an error', async () => {
    const failed: unknown[] = [];
    const step = { error: { code: 'SERVER', message: 'inner words', afterText: 'Hi' } } as const;
    const onError = (error: unknown) => failed.push(error);
    const response = toEventStreamResponse(agentStream(step), { onError });
    expect(await read(response)).toEqual([
      ['text', { text: 'Hi' }],
      ['error', { code: 'SERVER' }],
    ]);
    expect(failed).toMatchObject([{ message: 'inner words' }]);
  });

  test('and its disconnection ends the call at once, even without events', async () => {
    const start = ['start', { id: 'call-1', model: 'm', requestId: null }] as const;
    const silent = streamOf([start, ['text', { text: 'Hi' }]], 'is silent');
    const { client, runtime, script } = openScripted([silent]);
    const stream = client.chatStream(request);
    const reader = toEventStreamResponse(stream).body?.getReader();
    await reader?.read();
    const waiting = reader?.read();
    await runtime.advance(1_000);
    await reader?.cancel();
    await waiting;
    expect(script.cancelledBodies).toBe(1);
    await expect(stream.final()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(runtime.timers()).toBe(0);
  });
});

describe('a page of the AI SDK gets a UI message stream', () => {
  test('of one message with its text and its tool calls', async () => {
    const response = toUIMessageStreamResponse(agentStream({ text: 'Let me', toolCalls }));
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect((await read(response)).map(([, data]) => data)).toEqual([
      { type: 'start', messageId: 'fake-1' },
      { type: 'start-step' },
      { type: 'text-start', id: 'text' },
      { type: 'text-delta', id: 'text', delta: 'Let ' },
      { type: 'text-delta', id: 'text', delta: 'me' },
      { type: 'text-end', id: 'text' },
      {
        type: 'tool-input-available',
        toolCallId: 'c1',
        toolName: 'weather',
        input: { city: 'Ulm' },
      },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls' },
      '[DONE]',
    ]);
  });

  test('that ends with the code of an error', async () => {
    const response = toUIMessageStreamResponse(agentStream({ error: 'BUDGET_EXCEEDED' }));
    expect(await read(response)).toEqual([
      [undefined, { type: 'error', errorText: 'BUDGET_EXCEEDED' }],
      [undefined, '[DONE]'],
    ]);
  });
});
