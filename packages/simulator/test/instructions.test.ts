import { describe, expect, test } from 'vitest';
import { answerOf, asking, at, open } from './open.ts';
import { settle } from './virtual-clock.ts';

/** A chat with instructions for the model. */
function telling(instructions: unknown, model = 'sim-told') {
  return asking(model, JSON.stringify(instructions));
}

describe('sim-told bills by its instructions', () => {
  test('as much output as requested, under a label', async () => {
    const { chat, simulator } = open();
    const answer = await answerOf(
      await chat(telling({ label: 'crowd-1', bills: { inputTokens: 20, outputTokens: 'all' } })),
    );
    expect(answer).toMatchObject({ text: 'As told.', finish: 'stop' });
    expect(answer.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 500 });
    expect(simulator.bill().calls).toMatchObject([
      { label: 'crowd-1', inputTokens: 20, outputTokens: 500, answered: true },
    ]);
  });

  test('more than requested, and reports it', async () => {
    const { chat, simulator } = open();
    const answer = await answerOf(await chat(telling({ bills: { outputTokens: 5_000 } })));
    expect(answer.usage).toMatchObject({ completion_tokens: 5_000 });
    expect(simulator.bill().total.outputTokens).toBe(5_000);
  });

  test('a token for each byte of its normalized texts', async () => {
    const { chat, simulator } = open();
    const instructions = JSON.stringify({ bills: { inputTokens: 'normalized' } });
    // U+FDFA has 3 bytes, and 33 in NFKC; U+0F76 has 3, and 6 in NFC.
    const text = '\ufdfa'.repeat(10) + '\u0f76'.repeat(5);
    const body = asking('sim-told', instructions);
    const messages = [{ role: 'system', content: text }, ...body.messages];
    await chat({ ...body, messages });
    const ofTexts = 16 + 4 + 330 + 30 + 4 + Buffer.byteLength(instructions);
    expect(simulator.bill().total.inputTokens).toBe(ofTexts);
  });

  test('without instructions it counts by the rule, and echoes plain text', async () => {
    const { chat, simulator } = open();
    await chat(telling({ text: 'twelve bytes' }));
    expect(simulator.bill().total.outputTokens).toBe(3);
    expect((await answerOf(await chat(asking('sim-told', '{ Hello')))).text).toBe('{ Hello');
  });
});

describe('sim-told reports by its instructions', () => {
  test('impossible counts with a true bill', async () => {
    const { chat, simulator } = open();
    const states = { inputTokens: 'many', outputTokens: 1e300 };
    const instructions = { bills: { outputTokens: 'all' }, states };
    const answer = await answerOf(await chat(telling(instructions)));
    expect(answer.usage).toEqual({ prompt_tokens: 'many', completion_tokens: 1e300 });
    expect(simulator.bill().total.outputTokens).toBe(500);
  });

  test('no counts at all', async () => {
    const { chat } = open();
    const answer = await answerOf(await chat(telling({ states: 'absent' })));
    expect(at(answer.body, 'usage')).toBeUndefined();
  });
});

test('sim-told waits before the bill, and after it', async () => {
  const { chat, simulator, clock } = open();
  const instructions = { delayMs: 1_000, handoverDelayMs: 500 };
  const running = chat(telling(instructions));
  await settle();
  expect(simulator.bill().total.calls).toBe(0);
  await clock.advance(1_000);
  expect(simulator.bill().calls).toMatchObject([{ answered: false }]);
  await clock.advance(500);
  expect((await running).status).toBe(200);
  expect(simulator.bill().calls).toMatchObject([{ answered: true }]);
});

test('sim-told loses a response that it has billed', async () => {
  const { chat, simulator } = open();
  await expect(chat(telling({ fault: 'reset' }))).rejects.toThrow('reset');
  expect(simulator.bill().calls).toMatchObject([{ answered: false }]);
});

describe('an invalid instruction is rejected with a message, unbilled', () => {
  const rows = [
    { instructions: { bill: {} }, message: "Unknown 'told.bill'" },
    { instructions: { bills: { outputTokens: -1 } }, message: "Invalid 'told.bills.outputTokens'" },
    {
      instructions: { states: { inputTokens: [] } },
      message: "Invalid type for 'told.states.inputTokens'",
    },
    { instructions: { fault: 'fire' }, message: "Invalid 'told.fault': expected reset" },
    { instructions: { delayMs: 'soon' }, message: "Invalid type for 'told.delayMs'" },
    { instructions: { label: 'x'.repeat(101) }, message: "Invalid 'told.label'" },
  ];
  test.each(rows)('$message', async ({ instructions, message }) => {
    const { chat, simulator } = open();
    const answer = await answerOf(await chat(telling(instructions)));
    expect(answer).toMatchObject({ status: 400, errorCode: 'validation_error' });
    expect(answer.errorMessage).toContain(message);
    expect(simulator.bill().total.calls).toBe(0);
  });
});

describe('a model named by its price', () => {
  test.each([
    { model: 'sim-usd-3-15', input: 3_000_000n, output: 15_000_000n },
    { model: 'sim-usd-0.15-0.6-mini', input: 150_000n, output: 600_000n },
    { model: 'sim-usd-0.000001-0', input: 1n, output: 0n },
  ])('$model bills the price in its name', async ({ model, input, output }) => {
    const { chat, simulator } = open();
    const instructions = { bills: { inputTokens: 10, outputTokens: 'all' } };
    expect((await chat(telling(instructions, model))).status).toBe(200);
    expect(simulator.bill().calls).toMatchObject([
      { model, costPicoUsd: 10n * input + 500n * output },
    ]);
  });

  test.each([
    'sim-usd-3',
    'sim-usd-3-x',
    'sim-usd-1.1234567-1',
    'sim-usd--1-1',
    'sim-usd-3-15mini',
  ])('%s is an invalid name, and unknown', async (model) => {
    const { chat } = open();
    expect(await answerOf(await chat(telling({}, model)))).toMatchObject({
      status: 404,
      errorCode: 'model_not_found',
    });
  });

  test('is in no list, but can be retrieved', async () => {
    const { send } = open();
    expect(await (await send('GET', '/v1/models')).text()).not.toContain('sim-usd');
    expect((await send('GET', '/v1/models/sim-usd-3-15')).status).toBe(200);
  });
});
