import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { metaOf, tool } from '../src/index.ts';
import { runRequest, turn } from './agent-script.ts';
import { chatAnswer, chatRequest, failure, openScripted } from './scripted-client.ts';
import { answer, apiError, hang, refuse, type Step } from './scripted-fetch.ts';

const clock = tool<object>({ name: 'clock', input: { type: 'object' }, execute: () => 'noon' });
const request = { ...runRequest, tools: [clock] };

/** An error of a billed call. */
function billed(code: string, status: number, usd: string, callId: string): Step {
  return apiError(status, code, { 'x-cost-usd': usd, 'x-call-id': callId });
}

const badOutput = billed('BAD_OUTPUT', 502, '0.0014', 'call_a');

describe('what a failed call was billed', () => {
  test('is in its error, all attempts together', async () => {
    const steps = [badOutput, billed('SERVER', 502, '0.00000000001', 'call_b')];
    const error = await openScripted(steps).failingChat({ maxAttempts: 2 });
    expect(error).toMatchObject({ code: 'SERVER', costUsd: '0.00140000001' });
    expect(JSON.parse(JSON.stringify(error))).toHaveProperty('costUsd', '0.00140000001');
  });

  test('counts one call of the gateway once, however often it is reported', async () => {
    const again = apiError(502, 'BAD_OUTPUT', {
      'x-cost-usd': '0.0014',
      'x-call-id': 'call_a',
      'idempotent-replayed': 'true',
    });
    const error = await openScripted([badOutput, again]).failingChat({ maxAttempts: 2 });
    expect(error.costUsd).toBe('0.0014');
  });

  test('counts each response without a call’s id', async () => {
    const unnamed = apiError(502, 'BAD_OUTPUT', { 'x-cost-usd': '0.0014' });
    expect(await openScripted([unnamed]).failingChat()).toMatchObject({ costUsd: '0.0042' });
  });

  test.each(['0.1e1', '-1', '', 'free', 'NaN'])('excludes invalid amounts: %j', async (usd) => {
    const error = await openScripted([billed('SERVER', 502, usd, 'a')]).failingChat();
    expect(error).not.toHaveProperty('costUsd');
  });

  test.each([
    { name: 'its time', end: { timeoutMs: 3_000 }, code: 'TIMEOUT' },
    { name: 'its caller', end: { signal: AbortSignal.abort() }, code: 'ABORTED' },
  ])('is reported when $name ends it', async ({ end, code }) => {
    const controller = new AbortController();
    const { failingChat } = openScripted((runtime) => [
      async (seen, script) => {
        if (code === 'ABORTED') runtime.after(1_000, () => controller.abort());
        return badOutput(seen, script);
      },
      hang(),
    ]);
    const options = code === 'ABORTED' ? { signal: controller.signal } : end;
    expect(await failingChat(options)).toMatchObject({ code, costUsd: '0.0014' });
  });
});

test('the meta of a response includes the cost of failed attempts', async () => {
  const timeout = apiError(504, 'TIMEOUT', { 'x-call-id': 'call-1' });
  const settled = await openScripted([badOutput, timeout, answer(200, chatAnswer)]).chat();
  if (settled.kind === 'error') throw settled.error;
  expect(metaOf(settled.answer)).toMatchObject({ attempts: 3, costUsd: '0.001583' });
});

test('the cost of a call without a price is unknown', async () => {
  const free = answer(200, { ...chatAnswer, cost: { usd: null, estimated: false } });
  const settled = await openScripted([badOutput, free]).chat();
  if (settled.kind === 'error') throw settled.error;
  expect(metaOf(settled.answer).costUsd).toBeNull();
});

describe('the cost of a run', () => {
  const toolTurn = turn({ calls: [{ name: 'clock' }], usd: '0.0014' });
  const ends = turn({ text: 'ok', usd: '0.0001' });

  test('includes billed bad outputs and their retries', async () => {
    const { client, runtime } = openScripted([badOutput, toolTurn, ends]);
    const settled = await runtime.settle(client.runAgent(request));
    expect(settled).toMatchObject({ answer: { turns: 2, costUsd: '0.0029' } });
  });

  test('reaches maxCostUsd with them', async () => {
    const { client, runtime, script } = openScripted([badOutput, toolTurn, ends]);
    const settled = await runtime.settle(client.runAgent({ ...request, maxCostUsd: '0.0028' }));
    expect(settled).toMatchObject({ answer: { stopReason: 'max-cost', costUsd: '0.0028' } });
    expect(script.seen).toHaveLength(2);
  });

  test('includes a failed turn’s bill in error.run', async () => {
    const steps = [toolTurn, badOutput, billed('BAD_OUTPUT', 502, '0.0014', 'call_b')];
    const { client, runtime } = openScripted(steps);
    const error = failure(await runtime.settle(client.runAgent(request, { maxAttempts: 2 })));
    expect(error).toMatchObject({ code: 'BAD_OUTPUT', costUsd: '0.0028' });
    expect(error.run).toMatchObject({ turns: 1, costUsd: '0.0042' });
  });

  test('includes it if the run’s time limit ends a back-off', async () => {
    const { client, runtime } = openScripted([toolTurn, badOutput, hang()]);
    const call = client.runAgent(request, { runTimeoutMs: 5_000 });
    const error = failure(await runtime.settle(call));
    expect(error).toMatchObject({ code: 'TIMEOUT', lastError: { code: 'BAD_OUTPUT' } });
    expect(error.run).toMatchObject({ turns: 1, costUsd: '0.0028' });
  });

  test('continues from there when it is resumed, and counts nothing twice', async () => {
    const first = openScripted([badOutput, refuse()]);
    const failed = failure(
      await first.runtime.settle(first.client.runAgent(request, { maxAttempts: 2 })),
    );
    expect(failed).toMatchObject({ code: 'NETWORK', run: { costUsd: '0.0014' } });
    const { client, runtime } = openScripted([ends]);
    const settled = await runtime.settle(client.runAgent(request, { resume: failed.run }));
    expect(settled).toMatchObject({ answer: { costUsd: '0.0015' } });
  });

  test('excludes a failing call of onStep', async () => {
    const { client, runtime } = openScripted([toolTurn]);
    const other = openScripted([badOutput]);
    const onStep = () => other.client.chat(chatRequest, { maxAttempts: 1 });
    const error = failure(await runtime.settle(client.runAgent(request, { onStep })));
    expect(error).toMatchObject({ code: 'BAD_OUTPUT', costUsd: '0.0014' });
    expect(error.run).toMatchObject({ turns: 1, costUsd: '0.0014', idempotencyKey: 'uuid-1' });
  });
});

describe('a response that only the caller’s own schema rejects', () => {
  const usage = { ...chatAnswer.usage, outputTokens: 7 };
  const cost = { usd: '0.1', estimated: false };
  const paid = answer(200, { ...chatAnswer, object: { n: 3 }, usage, cost });
  const schema = z.object({ n: z.number().refine((n) => n > 1e6) });

  test('is in the error, with its usage and its cost', async () => {
    const { client, runtime } = openScripted([badOutput, paid]);
    const call = client.object({ ...chatRequest, schema });
    const error = failure(await runtime.settle<unknown>(call));
    expect(error).toMatchObject({ status: 200, code: 'BAD_OUTPUT', attempts: 2, usage, cost });
    expect(error.object).toEqual({ n: 3 });
    expect(error.costUsd).toBe('0.1014');
    expect(error.cause).toMatchObject([{ path: 'n' }]);
  });

  test('is not printed: a model wrote it', async () => {
    const { client, runtime } = openScripted([
      answer(200, { ...chatAnswer, object: { n: 'private words' } }),
    ]);
    const call = client.object({ ...chatRequest, schema });
    const error = failure(await runtime.settle<unknown>(call));
    expect(error.object).toEqual({ n: 'private words' });
    expect(Object.keys(error)).not.toContain('object');
    expect(JSON.stringify(error)).not.toContain('private');
  });
});
