import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LlmError } from '../../src/index.ts';
import { createFakeClient, type FakeStep } from '../../src/testing.ts';
import { majors } from './majors.ts';

const prompt = 'Hi';
const usage = {
  ...{ inputTokens: 10, cachedInputTokens: 4, cacheWriteInputTokens: 3 },
  ...{ outputTokens: 5, reasoningTokens: 2 },
};

function failure(error: unknown): LlmError {
  if (LlmError.is(error)) return error;
  throw new Error('it did not fail with an LlmError', { cause: error });
}

describe.each(majors)('generateText of $name', ({ sdk, model }) => {
  test('returns text, usage and exact cost', async () => {
    const client = createFakeClient([{ text: 'Hello', usage, costUsd: '0.000183' }]);
    const answer = await sdk.generateText({ model: model(client), prompt });
    expect(answer.text).toBe('Hello');
    expect(answer.finishReason).toBe('stop');
    expect(answer.usage).toMatchObject({
      inputTokens: 10,
      inputTokenDetails: { noCacheTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 3 },
      outputTokens: 5,
      outputTokenDetails: { textTokens: 3, reasoningTokens: 2 },
    });
    expect(answer.providerMetadata?.modelGateway).toEqual({
      costUsd: '0.000183',
      estimated: false,
      callId: 'fake-1',
      requestId: null,
      gatewayRequestId: 'fake-request-1',
      replayed: false,
    });
    expect(client.calls[0]).toMatchObject({ path: '/chat', request: { maxTokens: 4_096 } });
  });

  test('forwards its settings, and warns of unsupported ones', async () => {
    const client = createFakeClient([{ text: 'Hello' }]);
    const { warnings } = await sdk.generateText({
      ...{ model: model(client, { userId: 'u1' }), system: 'Be short.', prompt },
      ...{ maxOutputTokens: 7, temperature: 0.5, topP: 0.9, stopSequences: ['.'] },
      ...{ topK: 3, seed: 1, headers: { 'x-team': 'a', 'x-none': undefined } },
    });
    expect(client.calls[0]?.request).toEqual({
      ...{
        model: 'my-model',
        userId: 'u1',
        maxTokens: 7,
        temperature: 0.5,
        topP: 0.9,
        stop: ['.'],
      },
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(client.calls[0]?.headers).toMatchObject({ 'x-team': 'a' });
    expect(client.calls[0]?.headers['user-agent']).toMatch(/^ai\/\d.* model-gateway-sdk\/\d/);
    expect(warnings).toEqual([
      { type: 'unsupported', feature: 'topK' },
      { type: 'unsupported', feature: 'seed' },
    ]);
  });

  test('sends pictures and texts, and rejects other files', async () => {
    const client = createFakeClient([{ text: 'a dot' }]);
    const png = 'iVBORw0KGgo=';
    const image = { type: 'image', image: Buffer.from(png, 'base64') } as const;
    const note = { type: 'file', data: Buffer.from('Ünder'), mediaType: 'text/plain' } as const;
    const content = [{ type: 'text', text: 'What?' } as const, image, note];
    await sdk.generateText({ model: model(client), messages: [{ role: 'user', content }] });
    expect(client.calls[0]?.request.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image', mediaType: 'image/png', data: png },
          { type: 'text', text: 'Ünder' },
        ],
      },
    ]);
    const pdf = { type: 'file', data: Buffer.from('%PDF'), mediaType: 'application/pdf' } as const;
    const messages = [{ role: 'user' as const, content: [pdf] }];
    const refused = await sdk
      .generateText({ model: model(client), messages })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ functionality: 'files of application/pdf' });
    expect(client.calls).toHaveLength(1);
  });
});

describe.each(majors)('structured output of $name', ({ sdk, model }) => {
  const schema = z.object({ city: z.string() });

  test('of an object is a checked object of the gateway', async () => {
    const steps: FakeStep[] = [{ object: { city: 'Ulm' } }, { object: { city: 'Ulm' } }];
    const client = createFakeClient(steps);
    const made = await sdk.generateObject({ model: model(client), schema, prompt });
    expect(made.object).toEqual({ city: 'Ulm' });
    const output = sdk.Output.object({ schema });
    const answer = await sdk.generateText({ model: model(client), output, prompt });
    expect(answer.output).toEqual({ city: 'Ulm' });
    for (const { path, request } of client.calls) {
      expect(path).toBe('/objects');
      expect(request.schema).toMatchObject({ type: 'object', required: ['city'] });
    }
  });

  test('of a list and of a choice', async () => {
    const elements = [{ city: 'Ulm' }, { city: 'Oslo' }];
    const client = createFakeClient([{ object: { elements } }, { object: { result: 'rainy' } }]);
    const list = sdk.Output.array({ element: schema });
    const answer = await sdk.generateText({ model: model(client), output: list, prompt });
    expect(answer.output).toEqual(elements);
    const choice = sdk.Output.choice({ options: ['sunny', 'rainy'] });
    const chosen = await sdk.generateText({ model: model(client), output: choice, prompt });
    expect(chosen.output).toBe('rainy');
  });

  test('with tools is requested in words, with a warning', async () => {
    const client = createFakeClient([{ text: '{"city":"Ulm"}' }]);
    const clock = sdk.tool({ inputSchema: z.object({}), execute: () => 'noon' });
    const output = sdk.Output.object({ schema });
    const answer = await sdk.generateText({
      model: model(client),
      output,
      prompt,
      tools: { clock },
    });
    expect(answer.output).toEqual({ city: 'Ulm' });
    expect(answer.warnings).toMatchObject([{ type: 'compatibility', feature: 'responseFormat' }]);
    const [firstMessage] = Object(client.calls[0]?.request.messages);
    expect(firstMessage).toMatchObject({
      role: 'system',
      content: expect.stringContaining('"city"'),
    });
  });
});

describe.each(majors)('an agent of $name', ({ sdk, model }) => {
  const cities: string[] = [];
  const weather = sdk.tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      cities.push(city);
      if (city === 'Atlantis') throw new Error('It has sunk.');
      return { celsius: 7 };
    },
  });
  const toolTurn = (city: string, id: string) =>
    ({ toolCalls: [{ name: 'weather', input: { city }, id }], costUsd: '0.1' }) as const;

  test('executes tools until it has finished, each step with its own key', async () => {
    cities.length = 0;
    const finished = { text: 'Take a coat.', costUsd: '0.2' };
    const client = createFakeClient([toolTurn('Ulm', 'c1'), toolTurn('Atlantis', 'c2'), finished]);
    const agent = new sdk.ToolLoopAgent({ model: model(client), tools: { weather } });
    const options = { modelGateway: { idempotencyKey: 'K', userId: 'u2' } };
    const own = new sdk.ToolLoopAgent({
      ...{ model: model(client), tools: { weather }, providerOptions: options },
    });
    expect(agent.tools).toHaveProperty('weather');
    const answer = await own.generate({ prompt });
    expect(answer.text).toBe('Take a coat.');
    expect(cities).toEqual(['Ulm', 'Atlantis']);
    const costs = answer.steps.map(
      ({ providerMetadata }) => providerMetadata?.modelGateway?.costUsd,
    );
    expect(costs).toEqual(['0.1', '0.1', '0.2']);
    expect(answer.steps.map(({ finishReason }) => finishReason)).toEqual([
      'tool-calls',
      'tool-calls',
      'stop',
    ]);
    expect(client.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'K:1',
      'K:2',
      'K:3',
    ]);
    const last = client.calls[2]?.request;
    expect(last).toMatchObject({ userId: 'u2', toolChoice: 'auto', tools: [{ name: 'weather' }] });
    expect(last?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'c1', name: 'weather', input: { city: 'Ulm' } }] },
      { role: 'tool', toolCallId: 'c1', content: '{"celsius":7}' },
      { role: 'assistant', toolCalls: [{ id: 'c2' }] },
      { role: 'tool', toolCallId: 'c2', content: expect.stringContaining('It has sunk.') },
    ]);
  });

  test('can force a tool, or forbid all', async () => {
    const client = createFakeClient([
      toolTurn('Ulm', 'c1'),
      toolTurn('Ulm', 'c1'),
      { text: 'No tool.' },
    ]);
    const request = {
      model: model(client),
      prompt,
      tools: { weather },
      stopWhen: sdk.stepCountIs(1),
    };
    await sdk.generateText({ ...request, toolChoice: 'required' });
    await sdk.generateText({ ...request, toolChoice: { type: 'tool', toolName: 'weather' } });
    await sdk.generateText({ ...request, toolChoice: 'none' });
    expect(client.calls.map(({ path, request }) => [path, request.toolChoice])).toEqual([
      ['/agents/run', 'required'],
      ['/agents/run', { name: 'weather' }],
      ['/chat', undefined],
    ]);
  });
});

describe.each(majors)('a failure in $name', ({ sdk, model }) => {
  test('is an error of the AI SDK and of the client, without the conversation', async () => {
    const client = createFakeClient([{ error: { code: 'NOT_FOUND', requestId: 'req_1' } }]);
    const thrown = await sdk
      .generateText({ model: model(client), prompt: 'a secret' })
      .catch((error: unknown) => error);
    expect(sdk.APICallError.isInstance(thrown)).toBe(true);
    const error = failure(thrown);
    expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, statusCode: 404 });
    expect(Reflect.get(error, 'requestBodyValues')).toMatchObject({ model: 'my-model' });
    expect(JSON.stringify({ ...error })).not.toContain('secret');
  });

  test.each([
    ['BUDGET_EXCEEDED', 402],
    ['INSUFFICIENT_CREDITS', 402],
    ['INTERNAL', 500],
    ['BAD_OUTPUT', 502],
    ['TOO_MANY_REQUESTS', 429],
    ['GATEWAY_TIMEOUT', 504],
    ['NETWORK', undefined],
  ] as const)('is not retried by the AI SDK: %s', async (code, statusCode) => {
    const client = createFakeClient([{ error: code }, { text: 'paid twice' }]);
    const thrown = await sdk
      .generateText({ model: model(client), prompt, maxRetries: 2 })
      .catch((error: unknown) => error);
    expect(failure(thrown)).toMatchObject({ code, statusCode, isRetryable: false });
    expect(client.calls).toHaveLength(1);
  });

  test('is retried if the client has not retried it and it was not billed', async () => {
    const throttled = { error: { code: 'THROTTLED', retryAfter: 0.001 } } as const;
    const client = createFakeClient([throttled, { text: 'now' }]);
    const answer = await sdk.generateText({ model: model(client), prompt, maxRetries: 1 });
    expect(answer.text).toBe('now');
    expect(client.calls).toHaveLength(2);
  });

  test('by its signal is thrown with the signal’s reason', async () => {
    const client = createFakeClient([{ hangs: true }]);
    const controller = new AbortController();
    const request = { model: model(client), prompt, abortSignal: controller.signal };
    const thrown = sdk.generateText(request).catch((error: unknown) => error);
    await Promise.resolve();
    controller.abort();
    expect(await thrown).toMatchObject({ name: 'AbortError' });
    expect(client.calls.length).toBeLessThanOrEqual(1);
  });
});
