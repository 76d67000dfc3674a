import { describe, expect, test } from 'vitest';
import { createFakeClient, FakeScriptError } from '../src/testing.ts';
import { apiKey, openScripted } from './scripted-client.ts';
import { answer, apiError } from './scripted-fetch.ts';

const request = { model: 'my-embeddings', input: ['One', 'Two'], dimensions: 2 };
const embeddings = [
  [0.1, -0.2],
  [0.3, 1e-7],
];

describe('embed', () => {
  test('sends the texts, the key and an idempotency key, and returns the numbers', async () => {
    const { client, runtime, script } = openScripted([answer(200, { id: 'call-1', embeddings })]);
    const settled = await runtime.settle<unknown>(client.embed(request));
    expect(settled).toEqual({ kind: 'answer', answer: { id: 'call-1', embeddings } });
    expect(script.seen).toMatchObject([
      {
        ...{ method: 'POST', url: 'https://gateway.test/v1/embeddings' },
        body: JSON.stringify(request),
        headers: { 'x-api-key': apiKey, 'idempotency-key': 'uuid-1' },
      },
    ]);
  });

  test('retries after a failure, with the same key', async () => {
    const steps = [apiError(502, 'SERVER'), answer(200, { id: 'call-1', embeddings })];
    const { client, runtime, script } = openScripted(steps);
    const settled = await runtime.settle<unknown>(client.embed(request));
    expect(settled).toMatchObject({ kind: 'answer' });
    const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['uuid-1', 'uuid-1']);
  });
});

describe('the fake client', () => {
  test('responds to embed from its script', async () => {
    const client = createFakeClient([{ embeddings, costUsd: '0.000002' }, { error: 'BAD_OUTPUT' }]);
    const answered = await client.embed(request);
    expect(answered).toMatchObject({ embeddings, cost: { usd: '0.000002', estimated: false } });
    await expect(client.embed(request)).rejects.toMatchObject({ code: 'BAD_OUTPUT' });
    client.assertDone();
  });

  test.each([
    [{ input: [] }, /input must be a list of 1 to 2048 entries/],
    [{ input: ['a', ''] }, /input\[1\] must be a string of at least 1 characters/],
    [{ dimensions: 0 }, /dimensions must be a whole number from 1 to 8192/],
    [{ maxTokens: 5 }, /maxTokens is an unknown field/],
  ])('rejects %j, like the service', async (more, message) => {
    const client = createFakeClient([{ embeddings }]);
    const body = Object.assign({}, request, more);
    await expect(client.embed(body)).rejects.toThrow(message);
    await expect(client.embed(body)).rejects.toBeInstanceOf(FakeScriptError);
  });

  test('accepts no text in place of numbers', async () => {
    const client = createFakeClient([{ text: 'Hello' }]);
    await expect(client.embed(request)).rejects.toThrow(FakeScriptError);
  });
});
