import { describe, expect, test } from 'vitest';
import { createBehaviours } from '../src/behaviours/behaviours.ts';
import { simulatorModels } from '../src/index.ts';
import { unlistedIds } from '../src/model/models.ts';
import { answerOf, asking, open } from './open.ts';
import { settle } from './virtual-clock.ts';

const question = 'What is a gateway?';

test('every listed model has a behaviour, and every behaviour a model', () => {
  const ids = simulatorModels.map(({ id }) => id);
  expect(new Set(createBehaviours().keys())).toEqual(new Set([...ids, ...unlistedIds]));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => unlistedIds.includes(id))).toEqual([]);
});

describe('models that reject or fail have the exact shape of the platform, unbilled', () => {
  const rows = [
    { model: 'sim-throttled', status: 429, code: 'rate_limit_exceeded' },
    { model: 'sim-throttled-hint', status: 429, code: 'rate_limit_exceeded', retryAfter: '2' },
    { model: 'sim-throttled-once', status: 429, code: 'rate_limit_exceeded' },
    { model: 'sim-quota', status: 429, code: 'insufficient_quota' },
    { model: 'sim-flaky', status: 503, code: 'service_unavailable' },
    { model: 'sim-down', status: 503, code: 'service_unavailable' },
    { model: 'sim-crash', status: 500, code: 'internal_error' },
    { model: 'sim-overloaded', status: 529, code: 'overloaded' },
    { model: 'sim-rejects', status: 400, code: 'validation_error' },
    { model: 'sim-denied', status: 403, code: 'access_denied' },
    { model: 'sim-unauthorized', status: 401, code: 'invalid_api_key' },
    { model: 'sim-missing', status: 404, code: 'model_not_found' },
    { model: 'sim-messages-only', status: 400, code: 'validation_error' },
  ] as const;
  test.each(rows)('$model is $status $code', async ({ model, status, code, ...row }) => {
    const { chat, simulator } = open();
    const response = await chat(asking(model));
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('retryAfter' in row ? row.retryAfter : null);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-v]{52}$/);
    const text = await response.text();
    expect(text).toMatch(/^{"error":{"code":".+","message":".+","param":.+,"type":".+"}}$/);
    expect(JSON.parse(text).error.code).toBe(code);
    expect(simulator.bill().total.calls).toBe(0);
  });

  test('a front end responds for sim-gateway-timeout in its own shape', async () => {
    const { chat, simulator } = open();
    const response = await chat(asking('sim-gateway-timeout'));
    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ message: 'Endpoint request timed out' });
    expect(simulator.bill().total.calls).toBe(0);
  });

  test('sim-redirect redirects elsewhere', async () => {
    const { chat, simulator } = open();
    const response = await chat(asking('sim-redirect'));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://elsewhere.example/v1/chat/completions');
    expect(simulator.bill().total.calls).toBe(0);
  });

  test('messages contain the account and its resources, like the real ones', async () => {
    const { chat } = open();
    for (const model of ['sim-denied', 'sim-unauthorized', 'sim-throttled', 'sim-missing']) {
      expect((await answerOf(await chat(asking(model)))).errorMessage).toContain('111122223333');
    }
    const denied = await answerOf(await chat(asking('sim-denied')));
    expect(denied.errorMessage).toContain('arn:aws:bedrock-mantle:us-east-1:111122223333:project/');
  });
});

describe('models with status 200', () => {
  const rows = [
    { model: 'sim-echo', text: question, finish: 'stop' },
    { model: 'sim-unpriced', text: question, finish: 'stop' },
    { model: 'sim-reasoning', text: question, finish: 'stop' },
    { model: 'sim-cached', text: question, finish: 'stop' },
    { model: 'sim-stop', text: 'What', finish: 'stop' },
    { model: 'sim-content-filter', text: 'What is ', finish: 'content_filter' },
    { model: 'sim-empty', text: '', finish: 'stop' },
    { model: 'sim-bad-json', text: '{"answer": not JSON', finish: 'stop' },
    { model: 'sim-wrong-shape', text: '["an array in place of an object"]', finish: 'stop' },
    { model: 'sim-no-usage', text: question, finish: 'stop' },
  ] as const;
  test.each(rows)(
    '$model returns "$text" and ends with $finish',
    async ({ model, text, finish }) => {
      const { chat, simulator } = open();
      const answer = await answerOf(await chat(asking(model)));
      expect(answer).toMatchObject({ status: 200, text, finish });
      expect(simulator.bill().calls).toMatchObject([{ model, answered: true }]);
    },
  );

  test('sim-truncated uses the whole maximum and is truncated', async () => {
    const { chat, simulator } = open();
    const answer = await answerOf(await chat({ ...asking('sim-truncated'), max_tokens: 30 }));
    expect(answer).toMatchObject({ status: 200, finish: 'length' });
    expect(answer.text).toHaveLength(120);
    expect(answer.usage).toMatchObject({ completion_tokens: 30 });
    expect(simulator.bill().total.outputTokens).toBe(30);
  });

  test('sim-truncated without a maximum stops at its own', async () => {
    const { chat } = open();
    const { model, messages } = asking('sim-truncated');
    const { usage } = await answerOf(await chat({ model, messages }));
    expect(usage).toMatchObject({ completion_tokens: 16_384 });
  });

  test('sim-stop ends before the stop sequence of the request', async () => {
    const { chat } = open();
    const answer = await answerOf(await chat({ ...asking('sim-stop'), stop: ['gate'] }));
    expect(answer).toMatchObject({ text: 'What is a ', finish: 'stop' });
  });

  test('sim-reasoning reports its reasoning, which can use the whole maximum', async () => {
    const { chat } = open();
    const answer = await answerOf(await chat(asking('sim-reasoning')));
    expect(answer.usage).toMatchObject({
      completion_tokens: 64 + 5,
      completion_tokens_details: { reasoning_tokens: 64 },
    });
    const short = await answerOf(await chat({ ...asking('sim-reasoning'), max_tokens: 50 }));
    expect(short).toMatchObject({ text: '', finish: 'length', usage: { completion_tokens: 50 } });
  });

  test('sim-cached reports both cached kinds', async () => {
    const { chat } = open();
    // 16 for the request, 4 for the message, 80 for 320 bytes.
    const { usage } = await answerOf(await chat(asking('sim-cached', 'x'.repeat(320))));
    expect(usage).toMatchObject({
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 25 },
    });
  });

  test('sim-unpriced is billed at nothing', async () => {
    const { chat, simulator } = open();
    await chat(asking('sim-unpriced'));
    expect(simulator.bill().total).toMatchObject({ calls: 1, costPicoUsd: 0n });
  });

  test('sim-wrong-tool calls a tool that was not offered', async () => {
    const { chat } = open();
    const tools = [{ type: 'function', function: { name: 'unoffered_tool', parameters: {} } }];
    const answer = await answerOf(await chat({ ...asking('sim-wrong-tool'), tools }));
    expect(answer).toMatchObject({ finish: 'tool_calls', toolName: 'unoffered_tool_' });
    expect((await answerOf(await chat(asking('sim-wrong-tool')))).toolName).toBe('unoffered_tool');
  });
});

describe('odd usage is reported, true usage is billed', () => {
  const rows = [
    { model: 'sim-no-usage', stated: undefined, billed: 25 },
    { model: 'sim-odd-usage', stated: 1.5, billed: 25 },
    { model: 'sim-usage-string', stated: '12', billed: 25 },
    { model: 'sim-usage-negative', stated: -12, billed: 25 },
    { model: 'sim-usage-huge', stated: 1e300, billed: 25 },
    { model: 'sim-usage-zero', stated: 0, billed: 0 },
  ] as const;
  test.each(rows)('$model reports $stated', async ({ model, stated, billed }) => {
    const { chat, simulator } = open();
    const { usage, status } = await answerOf(await chat(asking(model)));
    expect(status).toBe(200);
    if (stated === undefined) expect(usage).toBeUndefined();
    else expect(usage).toMatchObject({ prompt_tokens: stated, completion_tokens: stated });
    expect(simulator.bill().total.inputTokens).toBe(billed);
  });
});

describe('models that damage the response in transit are billed', () => {
  const rows = [
    { model: 'sim-html', type: 'text/html; charset=utf-8', starts: '<!doctype html>' },
    { model: 'sim-half-json', type: 'application/json', starts: '{"id":"chatcmpl-' },
    { model: 'sim-empty-body', type: null, starts: '' },
  ] as const;
  test.each(rows)('$model is 200 and not JSON', async ({ model, type, starts }) => {
    const { chat, simulator } = open();
    const response = await chat(asking(model));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(text.startsWith(starts)).toBe(true);
    expect(() => JSON.parse(text)).toThrow();
    expect(simulator.bill().calls).toMatchObject([{ model, answered: true }]);
  });

  test('sim-reset rejects like a dead socket', async () => {
    const { chat, simulator } = open();
    await expect(chat(asking('sim-reset'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.bill().calls).toMatchObject([{ model: 'sim-reset', answered: false }]);
  });

  test('sim-reset-mid-body breaks within the body', async () => {
    const { chat, simulator } = open();
    const response = await chat(asking('sim-reset-mid-body'));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(simulator.bill().calls).toMatchObject([{ answered: false }]);
  });
});

describe('models with a delay', () => {
  const rows = [
    { model: 'sim-slow', afterMs: 2_000 },
    { model: 'sim-timeout', afterMs: 30_000 },
  ] as const;
  test.each(rows)(
    '$model responds after $afterMs ms and not before',
    async ({ model, afterMs }) => {
      const { chat, clock, simulator } = open();
      let isAnswered = false;
      const pending = chat(asking(model)).finally(() => {
        isAnswered = true;
      });
      await clock.advance(afterMs - 1);
      expect(isAnswered).toBe(false);
      expect(simulator.bill().total.calls).toBe(0);
      await clock.advance(1);
      expect((await answerOf(await pending)).text).toBe(question);
      expect(simulator.bill().calls).toMatchObject([{ at: clock.now(), answered: true }]);
    },
  );

  test('sim-stuck is released when its client disconnects, and is not billed', async () => {
    const { chat, clock, simulator } = open();
    const leaving = new AbortController();
    const pending = chat(asking('sim-stuck'), { signal: leaving.signal });
    await clock.advance(86_400_000);
    leaving.abort();
    await expect(pending).rejects.toThrow('aborted');
    await settle();
    expect(simulator.bill().total.calls).toBe(0);
    expect(clock.pending()).toBe(0);
  });
});

describe('models that fail every other time', () => {
  test.each(['sim-flaky', 'sim-throttled-once'])('%s counts by request body', async (model) => {
    const { chat } = open();
    const statuses = async (text: string, times: number) => {
      const seen: number[] = [];
      for (let time = 0; time < times; time++) seen.push((await chat(asking(model, text))).status);
      return seen;
    };
    const failed = model === 'sim-flaky' ? 503 : 429;
    expect(await statuses('one', 4)).toEqual([failed, 200, failed, 200]);
    expect(await statuses('two', 1)).toEqual([failed]);
    expect(await statuses('one', 1)).toEqual([failed]);
    expect(await statuses('two', 1)).toEqual([200]);
  });
});
