import { describe, expect, test } from 'vitest';
import { createBillBook } from '../src/bill.ts';
import { type Bill, type Outcome, simulatorModels } from '../src/index.ts';
import { answerOf, asking, at, open } from './open.ts';
import { settle } from './virtual-clock.ts';

/** Adds up a bill from its calls and the list of models, independently of the simulator. */
function addedUp(bill: Bill, projectId: string) {
  let [calls, inputTokens, outputTokens, costPicoUsd] = [0, 0, 0, 0n];
  for (const call of bill.calls.filter((one) => one.projectId === projectId)) {
    calls++;
    inputTokens += call.inputTokens;
    outputTokens += call.outputTokens;
    const prices = simulatorModels.find(({ id }) => id === call.model)?.pricesPicoUsd;
    if (prices === undefined) continue;
    const { cachedInputTokens, cacheWriteInputTokens } = call;
    const plainTokens = call.inputTokens - cachedInputTokens - cacheWriteInputTokens;
    costPicoUsd += BigInt(plainTokens) * prices.input + BigInt(call.outputTokens) * prices.output;
    costPicoUsd += BigInt(cachedInputTokens) * prices.cachedInput;
    costPicoUsd += BigInt(cacheWriteInputTokens) * prices.cacheWrite;
  }
  return { projectId, calls, inputTokens, outputTokens, costPicoUsd };
}

test('one call costs its tokens at their prices, by hand', async () => {
  const { chat, simulator, projectId, clock } = open();
  const response = await chat(asking('sim-cached', 'x'.repeat(320)));
  // 100 in (50 from the cache, 25 written to it, 25 plain) and 80 out, at the model's prices.
  const costPicoUsd = 25n * 1_100_000n + 50n * 110_000n + 25n * 1_375_000n + 80n * 6_600_000n;
  const sum = {
    inputTokens: 100,
    cachedInputTokens: 50,
    cacheWriteInputTokens: 25,
    outputTokens: 80,
    reasoningTokens: 0,
    costPicoUsd,
  };
  const requestId = response.headers.get('x-request-id');
  const call = { requestId, projectId, model: 'sim-cached', at: clock.now(), answered: true };
  expect(simulator.bill()).toEqual({
    total: { calls: 1, ...sum },
    projects: [{ projectId, calls: 1, ...sum }],
    calls: [{ ...call, ...sum }],
    forgottenCalls: 0,
    missingProjectCalls: 0,
    storedCalls: 0,
  });
});

test('after calls of every model by several projects the bill adds up exactly', async () => {
  const { chat, simulator, clock } = open();
  const projects = ['one', 'two', 'three'].map((name) => simulator.createProject(name).id);
  const leaving = new AbortController();
  const calls: Promise<unknown>[] = [];
  for (const [index, { id }] of simulatorModels.entries()) {
    for (let time = 0; time < 3; time++) {
      const projectId = projects[(index + time) % 3];
      const body = asking(id, 'y'.repeat(index * 7 + time));
      calls.push(chat(body, { projectId, signal: leaving.signal }));
    }
  }
  const ended = Promise.allSettled(calls);
  await clock.advance(60_000);
  leaving.abort();
  await ended;
  const bill = simulator.bill();
  expect(bill.projects).toHaveLength(3);
  for (const project of bill.projects) {
    expect(project).toMatchObject(addedUp(bill, project.projectId));
  }
  const sums = bill.projects.reduce((sum, { costPicoUsd }) => sum + costPicoUsd, 0n);
  expect(bill.total).toMatchObject({ calls: bill.calls.length, costPicoUsd: sums });
  expect(bill.total.costPicoUsd).toBeGreaterThan(0n);
});

test('a call of a disconnected client is billed when the model finishes', async () => {
  const { chat, simulator, clock } = open();
  const leaving = new AbortController();
  const pending = chat(asking('sim-slow'), { signal: leaving.signal });
  await clock.advance(1_000);
  leaving.abort(new Error('the client left'));
  await expect(pending).rejects.toThrow('the client left');
  expect(simulator.bill().total.calls).toBe(0);
  await clock.advance(1_000);
  expect(simulator.bill().calls).toMatchObject([{ answered: false, at: clock.now() }]);
});

test('a request that was aborted before it was sent is no call', async () => {
  const { chat, simulator } = open();
  await expect(chat(asking('sim-echo'), { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  await settle();
  expect(simulator.bill().total.calls).toBe(0);
});

test('other prices can be given', async () => {
  const prices = { input: 1n, cachedInput: 2n, cacheWrite: 3n, output: 1_000n };
  const { chat, simulator } = open({ priceTable: { 'sim-echo': prices } });
  await chat(asking('sim-echo', 'hello'));
  expect(simulator.bill().total.costPicoUsd).toBe(22n + 2_000n);
});

test('over HTTP money is decimal text, and single calls come on request', async () => {
  const { chat, send, simulator } = open();
  await chat(asking('sim-echo'));
  const { body: sums } = await answerOf(await send('GET', '/simulator/bill'));
  const { body } = await answerOf(await send('GET', '/simulator/bill?calls=1'));
  const cost = simulator.bill().total.costPicoUsd.toString();
  expect(at(sums, 'calls')).toBeUndefined();
  expect(at(sums, 'projects', 0, 'costPicoUsd')).toBe(cost);
  expect(at(body, 'calls', 0, 'costPicoUsd')).toBe(cost);
  expect(at(body, 'missingProjectCalls')).toBe(0);
});

test('the bill has the last calls individually, and every sum', () => {
  const book = createBillBook(3);
  const usage = {
    inputTokens: 1,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
  };
  const noteAnswered = [1, 2, 3, 4, 5, 6, 7].map((at) =>
    book.charge({ requestId: `${at}`, projectId: 'p', model: 'm', usage, prices: undefined, at }),
  );
  for (const note of noteAnswered.slice(0, 6)) note();
  expect(book.calls()).toMatchObject([
    { requestId: '5', answered: true },
    { requestId: '6', answered: true },
    { requestId: '7', answered: false },
  ]);
  expect(book.sums()).toMatchObject({ total: { calls: 7, inputTokens: 7 }, forgottenCalls: 4 });
});

describe('a script replaces a model', () => {
  const json = { status: 500, headers: { 'content-type': 'application/json' } } as const;
  const answer = { kind: 'answer', text: 'scripted' } as const;
  const rows: { what: string; outcome: Outcome; status: number; billed: number }[] = [
    { what: 'an answer', outcome: answer, status: 200, billed: 1 },
    {
      what: 'an error before the bill',
      outcome: {
        kind: 'error',
        error: { status: 418, code: 'teapot', type: 'odd', message: 'short and stout' },
      },
      status: 418,
      billed: 0,
    },
    {
      what: 'an error after the bill',
      outcome: { ...answer, fault: { kind: 'raw', ...json, body: '{}' } },
      status: 500,
      billed: 1,
    },
    { what: 'a raw reply', outcome: { kind: 'raw', ...json }, status: 500, billed: 0 },
  ];
  test.each(rows)('$what', async ({ outcome, status, billed }) => {
    const { chat, simulator } = open({ script: () => outcome });
    expect((await chat(asking('sim-down'))).status).toBe(status);
    expect(simulator.bill().total.calls).toBe(billed);
  });

  test('a response that is lost after the bill, and a connection that dies before it', async () => {
    const lost = open({ script: () => ({ ...answer, fault: 'reset' }) });
    await expect(lost.chat(asking('sim-echo'))).rejects.toThrow('reset');
    expect(lost.simulator.bill().calls).toMatchObject([{ answered: false }]);
    const dead = open({ script: () => ({ kind: 'raw', status: 200, fault: 'reset' }) });
    await expect(dead.chat(asking('sim-echo'))).rejects.toThrow('reset');
    expect(dead.simulator.bill().total.calls).toBe(0);
  });

  test('a delay before the bill, and one after it', async () => {
    const script = () => ({ ...answer, delayMs: 100, handoverDelayMs: 50 });
    const { chat, clock, simulator } = open({ script });
    const startMs = clock.now();
    const pending = chat(asking('sim-echo'));
    await clock.advance(120);
    expect(simulator.bill().calls).toMatchObject([{ at: startMs + 100, answered: false }]);
    await clock.advance(30);
    expect((await answerOf(await pending)).text).toBe('scripted');
    expect(simulator.bill().calls).toMatchObject([{ answered: true }]);
  });

  test('it receives the call, and may leave it to the model', async () => {
    const seen: unknown[] = [];
    const { chat, projectId } = open({
      script(call) {
        seen.push([call.request.model, call.projectId, call.inputTokens, call.outputTokensMax]);
        return undefined;
      },
    });
    expect((await answerOf(await chat(asking('sim-echo', 'hello')))).text).toBe('hello');
    expect(seen).toEqual([['sim-echo', projectId, 22, 500]]);
  });

  test('it may bill other counts than those of the rule', async () => {
    const usage = { inputTokens: 7, outputTokens: 9 };
    const { chat, simulator } = open({ script: () => ({ ...answer, usage }) });
    await chat(asking('sim-echo'));
    expect(simulator.bill().total).toMatchObject(usage);
  });
});
