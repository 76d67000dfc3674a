import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFakeClient } from '../../src/testing.ts';
import { openScripted } from '../scripted-client.ts';
import { events } from '../scripted-fetch.ts';
import { majors } from './majors.ts';

const prompt = 'Hi';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe.each(majors)('streamText of $name', ({ sdk, model }) => {
  test('sends word by word, and ends with its cost', async () => {
    const client = createFakeClient([{ text: 'Hello big world', costUsd: '0.000183' }]);
    const result = sdk.streamText({ model: model(client), prompt });
    expect(await all(result.textStream)).toEqual(['Hello ', 'big ', 'world']);
    expect(await result.finishReason).toBe('stop');
    const { modelGateway } = Object(await result.providerMetadata);
    expect(modelGateway).toMatchObject({ costUsd: '0.000183', callId: 'fake-1' });
    expect(client.calls[0]?.path).toBe('/chat/stream');
  });

  test('runs tools between its steps, and is a UI stream', async () => {
    const toolTurn = { text: 'Let me look', toolCalls: [{ name: 'clock', input: {}, id: 'c1' }] };
    const client = createFakeClient([toolTurn, { text: 'It is noon' }]);
    const clock = sdk.tool({ inputSchema: z.object({}), execute: () => 'noon' });
    const stopWhen = sdk.stepCountIs(3);
    const result = sdk.streamText({ model: model(client), prompt, tools: { clock }, stopWhen });
    const chunks = await all(result.toUIMessageStream());
    const types = chunks.map(({ type }) => type).filter((type) => !type.startsWith('text'));
    expect(types).toEqual([
      ...['start', 'start-step', 'tool-input-start', 'tool-input-delta', 'tool-input-available'],
      ...['tool-output-available', 'finish-step', 'start-step', 'finish-step', 'finish'],
    ]);
    expect(await result.text).toBe('It is noon');
    expect(client.calls.map(({ path }) => path)).toEqual(['/agents/stream', '/agents/stream']);
    expect(client.calls[1]?.request.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Let me look', toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', content: 'noon' },
    ]);
  });

  test('sends an object in pieces', async () => {
    const client = createFakeClient([{ object: { city: 'Ulm', tags: ['a', 'b'] } }]);
    const schema = z.object({ city: z.string(), tags: z.array(z.string()) });
    const output = sdk.Output.object({ schema });
    const result = sdk.streamText({ model: model(client), output, prompt });
    const partial = await all(result.partialOutputStream);
    expect(partial.at(-1)).toEqual({ city: 'Ulm', tags: ['a', 'b'] });
    expect(await result.output).toEqual({ city: 'Ulm', tags: ['a', 'b'] });
    expect(client.calls[0]?.path).toBe('/objects/stream');
  });
});

describe.each(majors)('a stream of $name that breaks', ({ sdk, model }) => {
  test('is collected under its key, and continues', async () => {
    const broken = { error: { code: 'NETWORK', afterText: 'Hello ' } } as const;
    const client = createFakeClient([broken, { text: 'Hello big world' }]);
    const result = sdk.streamText({ model: model(client), prompt });
    expect(await all(result.textStream)).toEqual(['Hello ', 'big world']);
    expect(await result.finishReason).toBe('stop');
    const keys = new Set(client.calls.map(({ headers }) => headers['idempotency-key']));
    expect([client.calls.length, keys.size]).toEqual([2, 1]);
  });

  test('ends in the error if its response differs', async () => {
    const broken = { error: { code: 'NETWORK', afterText: 'Hello ' } } as const;
    const client = createFakeClient([broken, { text: 'Goodbye' }]);
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const result = sdk.streamText({ model: model(client), prompt, onError });
    expect(await all(result.textStream)).toEqual(['Hello ']);
    expect(errors).toMatchObject([{ code: 'NETWORK', isRetryable: false }]);
  });

  test('by an error of the gateway reports it, and is not retried', async () => {
    const failing = { error: { code: 'SERVER', afterText: 'Hello ' } } as const;
    const client = createFakeClient([failing]);
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const result = sdk.streamText({ model: model(client), prompt, onError });
    await all(result.textStream);
    expect(errors).toMatchObject([{ code: 'SERVER' }]);
    expect(sdk.APICallError.isInstance(errors[0])).toBe(true);
    expect(client.calls).toHaveLength(1);
  });

  test('at its token limit has the finish reason length', async () => {
    const cut = { error: { code: 'TRUNCATED', afterText: 'Hello ', costUsd: '0.5' } } as const;
    const result = sdk.streamText({ model: model(createFakeClient([cut])), prompt });
    expect(await result.text).toBe('Hello ');
    expect(await result.finishReason).toBe('length');
    expect(await result.providerMetadata).toMatchObject({ modelGateway: { costUsd: '0.5' } });
  });

  test('before its first word fails like a call does: a spent budget once', async () => {
    const client = createFakeClient([{ error: 'BUDGET_EXCEEDED' }]);
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const result = sdk.streamText({ model: model(client), prompt, onError });
    await all(result.textStream);
    expect(errors).toMatchObject([{ code: 'BUDGET_EXCEEDED', statusCode: 402 }]);
    expect(client.calls).toHaveLength(1);
  });

  test('because its reader disconnected ends the call', async () => {
    const start = ['start', { id: 'call-1', model: 'm', requestId: null }] as const;
    const { client, script } = openScripted([events([start], 'is silent')]);
    const { stream } = await model(client).doStream({ prompt: [] });
    await stream.cancel();
    expect(script.cancelledBodies).toBe(1);
  });
});
