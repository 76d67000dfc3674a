import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFakeClient, FakeScriptError } from '../src/testing.ts';
import { apiKey, chatRequest, openScripted } from './scripted-client.ts';
import { answer, apiError } from './scripted-fetch.ts';

const quoteRequest = { operation: 'chat', request: chatRequest, models: ['other'] } as const;

describe('quote', () => {
  test('sends the request as its method would, and no idempotency key', async () => {
    const { client, runtime, script } = openScripted([answer(200, { fits: true })]);
    const settled = await runtime.settle<unknown>(client.quote(quoteRequest));
    expect(settled).toEqual({ kind: 'answer', answer: { fits: true } });
    expect(script.seen).toMatchObject([
      {
        ...{ method: 'POST', url: 'https://gateway.test/v1/quote' },
        body: JSON.stringify(quoteRequest),
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      },
    ]);
    expect(script.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('describes a library’s schema like `object`', async () => {
    const { client, runtime, script } = openScripted([
      answer(200, { object: [] }),
      answer(200, {}),
    ]);
    const request = { ...chatRequest, schema: z.array(z.string()) };
    await runtime.settle<unknown>(client.object(request));
    await runtime.settle<unknown>(client.quote({ operation: 'objects', request }));
    const [object, quote] = script.seen.map(({ body }) => JSON.parse(body ?? ''));
    expect(quote).toEqual({ operation: 'objects', request: object });
  });

  test('throws the rejection of the call', async () => {
    const { client, runtime } = openScripted([apiError(403, 'MODEL_NOT_ALLOWED')]);
    const settled = await runtime.settle(client.quote(quoteRequest));
    expect(settled).toMatchObject({ error: { code: 'MODEL_NOT_ALLOWED', attempts: 1 } });
  });

  test('accepts no idempotency key', async () => {
    const { client } = openScripted([]);
    const call = Promise.resolve(
      Reflect.apply(client.quote, client, [quoteRequest, { idempotencyKey: 'k' }]),
    );
    await expect(call).rejects.toThrow('quote: unknown option idempotencyKey');
  });
});

describe('a rejection for lack of money', () => {
  test('names its budget', async () => {
    const refusal = apiError(429, 'BUDGET_EXCEEDED', { 'x-budget-scope': 'group-day:research' });
    const { client, runtime } = openScripted([refusal]);
    const settled = await runtime.settle(client.chat(chatRequest));
    expect(settled).toMatchObject({ error: { budgetScope: 'group-day:research' } });
  });
});

describe('the fake client', () => {
  test('quotes from its script: by default a call fits and costs nothing', async () => {
    const short = { fits: false, binding: 'wallet', maxTokensThatFit: 7 };
    const client = createFakeClient([{ quote: {} }, { quote: short }, { error: 'USER_REQUIRED' }]);
    expect(await client.quote(quoteRequest)).toEqual({
      ...{ fits: true, code: null, model: chatRequest.model, maxCostUsd: '0', binding: null },
      ...{ inputTokensAtMost: 0, outputTokensAtMost: chatRequest.maxTokens, budget: null },
      ...{ wallet: null, maxTokensThatFit: chatRequest.maxTokens, others: [] },
    });
    expect(await client.quote(quoteRequest)).toMatchObject(short);
    await expect(client.quote(quoteRequest)).rejects.toMatchObject({ code: 'USER_REQUIRED' });
    client.assertDone();
  });

  test.each([
    [{ operation: 'sing' }, /operation must be chat or objects or agents or embeddings/],
    [{ models: Array(17).fill('m') }, /models must be a list of 0 to 16 entries/],
    [{ request: { ...chatRequest, maxTokens: 0 } }, /maxTokens must be a whole number/],
    [{ more: 1 }, /more is an unknown field/],
  ])('rejects %j, like the service', async (more, message) => {
    const client = createFakeClient([{ quote: {} }]);
    const call = Promise.resolve(
      Reflect.apply(client.quote, client, [{ ...quoteRequest, ...more }]),
    );
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toBeInstanceOf(FakeScriptError);
  });

  test('accepts no text in place of a quote', async () => {
    const client = createFakeClient([{ text: 'Hello' }]);
    await expect(client.quote(quoteRequest)).rejects.toThrow('use quote, or error');
  });
});
