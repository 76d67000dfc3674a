// The scenario of every consumer of the packed client, on every Node: plain JavaScript, no imports.

/** Runs the client against a gateway; returns its results, for the test to compare. */
async function runScenario({ createClient, tool, LlmError, ToolError }, { createFakeClient }) {
  const client = createClient({ baseUrl: process.env.MODEL_GATEWAY_URL, apiKey: 'mgk_consumer' });
  const ask = (content) => ({ model: 'm', maxTokens: 9, messages: [{ role: 'user', content }] });
  const failureOf = (promise) =>
    promise.then(
      () => 'answered',
      (error) => ({
        isLlmError: error instanceof LlmError && LlmError.is(error),
        code: error.code ?? error.name,
        status: error.status,
        attempts: error.attempts,
      }),
    );
  const controller = new AbortController();
  const seen = {};

  seen.chat = (await client.chat(ask('Hello'))).text;
  seen.retried = (await client.chat(ask('flaky'))).text;
  seen.refused = await failureOf(client.chat(ask('refused')));
  seen.stalled = await failureOf(client.chat(ask('stall'), { timeoutMs: 150 }));
  seen.redirected = await failureOf(client.chat(ask('redirect')));
  setTimeout(() => controller.abort(), 50);
  seen.aborted = await failureOf(client.chat(ask('stall'), { signal: controller.signal }));
  seen.badUse = await failureOf(client.chat(ask('Hello'), { timeoutMs: 0 }));
  const dead = createClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k', maxAttempts: 1 });
  seen.unreachable = await failureOf(dead.usage());

  seen.words = [];
  for await (const text of client.chatStream(ask('Hello')).text()) seen.words.push(text);
  seen.collected = (await client.chatStream(ask('cut')).final()).text;
  const stream = client.chatStream(ask('Hello'));
  for await (const event of stream) if (event.type === 'text') break;
  seen.left = await failureOf(stream.final());

  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  seen.object = (await client.object({ ...ask('Where?'), schema })).object;
  const weather = tool({
    name: 'weather',
    input: schema,
    execute: ({ city }, { signal }) => {
      if (signal.aborted) throw new ToolError('too late');
      return `${city}: 7 degrees`;
    },
  });
  const turns = [];
  for await (const step of client.runAgent({ ...ask('Weather?'), tools: [weather] }).steps()) {
    turns.push(step.answer.text ?? step.toolResults[0].content);
  }
  seen.turns = turns;
  const run = await client.runAgent({ ...ask('Weather?'), tools: [weather] });
  seen.run = { turns: run.turns, costUsd: run.costUsd, stopReason: run.stopReason };
  seen.told = '';
  const onText = (text) => {
    seen.told += text;
  };
  await client.runAgent({ ...ask('Weather?'), tools: [weather] }, { onText });
  seen.app = (await client.usage()).app;
  seen.models = (await client.models()).models.length;
  seen.credits = (await client.credits('user 1')).userId;

  const fake = createFakeClient([{ text: 'scripted' }, { error: 'BUDGET_EXCEEDED' }]);
  seen.fake = (await fake.chat(ask('Hello'))).text;
  seen.fakeFailure = await failureOf(fake.chat(ask('Hello')));
  return seen;
}

module.exports = { runScenario };
