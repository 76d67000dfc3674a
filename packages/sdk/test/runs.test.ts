import { expect, test } from 'vitest';
import { createFakeClient, FakeScriptError } from '../src/testing.ts';
import { apiKey, chatRequest, openScripted } from './scripted-client.ts';
import { answer, apiError, refuse } from './scripted-fetch.ts';

const request = { maxCostUsd: '0.5', expiresInMs: 60_000, models: ['my-model'], label: 'nightly' };
const runs = 'https://gateway.test/v1/runs';

test('runs are created under an idempotency key, shown and ended', async () => {
  const { client, runtime, script } = openScripted([answer(200, { runId: 'run_1' })]);
  const made = await runtime.settle<unknown>(client.createRun(request));
  expect(made).toEqual({ kind: 'answer', answer: { runId: 'run_1' } });
  await runtime.settle<unknown>(client.getRun('run_1'));
  await runtime.settle<unknown>(client.endRun('run_1'));
  expect(script.seen).toMatchObject([
    { method: 'POST', url: runs, body: JSON.stringify(request), headers: { 'x-api-key': apiKey } },
    { method: 'GET', url: `${runs}/run_1`, body: undefined },
    { method: 'DELETE', url: `${runs}/run_1`, body: undefined },
  ]);
  await runtime.settle<unknown>(client.createRun(request, { idempotencyKey: 'job-7' }));
  const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/./), undefined, undefined, 'job-7']);
});

test('a run whose response was lost is requested again under the same key', async () => {
  const { client, runtime, script } = openScripted([refuse(), answer(201, { runId: 'run_1' })]);
  expect(await runtime.settle<unknown>(client.createRun(request))).toMatchObject({
    kind: 'answer',
  });
  const [first, second] = script.seen.map(({ headers }) => headers['idempotency-key']);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test('a missing run is NOT_FOUND, and an invalid id is a TypeError', async () => {
  const { client, runtime, script } = openScripted([apiError(404, 'NOT_FOUND')]);
  const settled = await runtime.settle<unknown>(client.getRun('run_1'));
  expect(settled).toMatchObject({ error: { code: 'NOT_FOUND', attempts: 1 } });
  for (const id of ['', '..', 'a/b', undefined]) {
    const ended: unknown = Reflect.apply(client.endRun, undefined, [id]);
    await expect(ended).rejects.toThrow('endRun: the id must be a string without "/"');
  }
  expect(script.seen).toHaveLength(1);
});

test("a client uses a run's key as its own", async () => {
  const client = createFakeClient([{ run: {} }, { text: 'Hi' }]);
  const run = await client.createRun(request);
  await client.withOptions({ apiKey: run.key }).chat(chatRequest);
  expect(client.calls.map(({ headers }) => headers['x-api-key'])).toEqual(['fake-key', run.key]);
});

test('the fake returns a run’s request, or the script’s values', async () => {
  const client = createFakeClient([
    { run: {} },
    { run: { spentUsd: '0.1' } },
    { run: { endedAt: '2026-11-21T12:00:00.000Z' } },
    { error: 'TOO_MANY_REQUESTS' },
  ]);
  const spend = { maxCostUsd: '0.5', spentUsd: '0', heldUsd: '0', remainingUsd: '0.5' };
  const made = await client.createRun(request);
  expect(made).toMatchObject({ ...spend, key: expect.any(String) });
  expect(await client.getRun(made.runId)).toMatchObject({ runId: made.runId, spentUsd: '0.1' });
  expect(await client.endRun(made.runId)).toMatchObject({ endedAt: expect.any(String) });
  await expect(client.createRun(request)).rejects.toThrow('Too Many Requests');
});

test.each([
  [{ maxCostUsd: '0' }, /maxCostUsd must be a string/],
  [{ expiresInMs: 999 }, /expiresInMs must be a whole number from 1000/],
  [{ models: [] }, /models must be a list of 1 to 128/],
  [{ userId: 'a/b' }, /userId must be a string/],
  [{ label: '' }, /label must be a string/],
  [{ name: 'x' }, /name is an unknown field/],
])('the fake rejects %j like the service', async (more, message) => {
  const client = createFakeClient([{ run: {} }]);
  const made: Promise<unknown> = client.createRun({ ...request, ...more });
  await expect(made).rejects.toThrow(message);
  await expect(made).rejects.toBeInstanceOf(FakeScriptError);
});
