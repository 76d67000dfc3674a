import { describe, expect, test } from 'vitest';
import { rejectionShapes } from '../src/model/rejections.ts';
import { otherWords } from '../src/model/reported-otherwise.ts';
import { asking, at, open } from './open.ts';
import { eventsIn, openStreams } from './read-stream.ts';

const bills = {
  ...{ inputTokens: 20, cachedInputTokens: 8, cacheWriteInputTokens: 4, outputTokens: 10 },
};
const model = 'sim-usd-3-15-cache-0.3-3.75';

async function reported(reports: string, states?: object) {
  const { chat, simulator } = open();
  const instructions = JSON.stringify({ bills, reports, ...(states && { states }) });
  const body: unknown = await (await chat(asking(model, instructions))).json();
  return { body, total: simulator.bill().total };
}

describe('a response in another vendor’s report format', () => {
  test('bills its counts at the prices in its name', async () => {
    const { body, total } = await reported('cache-creation');
    const costPicoUsd = 8n * 3_000_000n + 8n * 300_000n + 4n * 3_750_000n + 10n * 15_000_000n;
    expect(total).toMatchObject({ ...bills, costPicoUsd });
    expect(at(body, 'usage')).toEqual({
      ...{ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
      ...{ cache_read_input_tokens: 8, cache_creation_input_tokens: 4 },
    });
  });

  test.each([
    ['choice-usage', ['choices', 0, 'usage', 'prompt_tokens'], 20],
    ['x-groq', ['x_groq', 'usage', 'completion_tokens'], 10],
    ['usage-metadata', ['usageMetadata', 'cachedContentTokenCount'], 8],
    ['cached-creation-tokens', ['usage', 'prompt_tokens_details', 'cached_creation_tokens'], 4],
    ['priority', ['service_tier'], 'priority'],
  ])('%s', async (reports, path, value) => {
    expect(at((await reported(reports)).body, ...path)).toBe(value);
  });

  test.each([
    ['cost', ['usage', 'cost'], 0.0001914],
    ['cost-ticks', ['usage', 'cost_in_usd_ticks'], 1_914_000],
  ])('%s is the bill, whatever counts are reported', async (reports, path, value) => {
    const { body, total } = await reported(reports, { inputTokens: 2, outputTokens: 1 });
    expect(at(body, 'usage', 'prompt_tokens')).toBe(2);
    expect(at(body, ...path)).toBe(value);
    expect(total.costPicoUsd).toBe(191_400_000n);
  });

  test('in the last event of a stream too', async () => {
    const { stream } = openStreams();
    const instructions = { bills, reports: 'search-call', text: 'one two' };
    const events = eventsIn(await (await stream('responses', { model, instructions })).text());
    expect(events.at(-1)).toMatchObject({
      name: 'response.completed',
      data: { response: { output: [{ type: 'web_search_call' }, { type: 'message' }] } },
    });
  });
});

describe('a call rejected with status 200', () => {
  test.each(rejectionShapes)('%s is billed nothing', async (as) => {
    const { chat, simulator } = open();
    const response = await chat(asking('sim-told', JSON.stringify({ rejects: { as } })));
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/Rejected for account/);
    expect(simulator.bill().total.calls).toBe(0);
  });

  test.each([
    ['chat', 'openrouter-choice', undefined],
    ['responses', 'failed', 'response.failed'],
    ['responses', 'flat', 'error'],
    ['messages', 'overloaded', 'error'],
  ] as const)('%s has %s as its first event', async (surface, as, name) => {
    const { stream, simulator } = openStreams();
    const response = await stream(surface, { instructions: { rejects: { as } } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(eventsIn(await response.text())).toMatchObject([{ name }]);
    expect(simulator.bill().total.calls).toBe(0);
  });

  test('after counts, which are billed, or after zeros', async () => {
    const { stream, simulator } = openStreams();
    const startOf = async (place: string) => {
      const rejects = { as: 'overloaded', at: place };
      const instructions = { label: 'first', bills: { inputTokens: 20 }, rejects };
      const events = eventsIn(await (await stream('messages', { instructions })).text());
      expect(events.map(({ name }) => name)).toEqual(['message_start', 'ping', 'error']);
      return at(events[0]?.data, 'message', 'usage');
    };
    expect(await startOf('started')).toEqual({ input_tokens: 0, output_tokens: 0 });
    expect(simulator.bill().calls).toEqual([]);
    expect(await startOf('counted')).toEqual({ input_tokens: 20, output_tokens: 1 });
    expect(simulator.bill().calls).toMatchObject([
      { label: 'first', inputTokens: 20, outputTokens: 1 },
    ]);
  });

  test('as JSON in place of a stream', async () => {
    const { stream } = openStreams();
    const instructions = { rejects: { as: 'openai', at: 'whole' } };
    const response = await stream('chat', { instructions });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(at(await response.json(), 'error', 'code')).toBe('rate_limit_exceeded');
  });
});

test.each([
  [{ rejects: { as: 'nobody' } }, 'nobody'],
  [{ rejects: { as: 'openai', at: 'last' } }, 'last'],
  [{ rejects: {} }, 'rejects.as'],
  [{ reports: 'nothing' }, otherWords.join(', ')],
])('%j is an invalid instruction', async (instructions, message) => {
  const { chat } = open();
  const response = await chat(asking('sim-told', JSON.stringify(instructions)));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
});
