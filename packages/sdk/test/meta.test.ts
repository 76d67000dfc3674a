import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { type AgentStep, type CallMeta, metaOf, tool } from '../src/index.ts';
import { runRequest, turn } from './agent-script.ts';
import { apiKey, chatAnswer, chatRequest, openScripted } from './scripted-client.ts';
import { answer, apiError, partial, refuse, type Step } from './scripted-fetch.ts';

const headers = { 'x-request-id': 'req_1', 'x-call-id': 'call-1' };

async function metaOfChat(...steps: readonly Step[]): Promise<CallMeta> {
  const settled = await openScripted(steps).chat();
  if (settled.kind === 'error') throw settled.error;
  return metaOf(settled.answer);
}

describe('metaOf', () => {
  test('returns the facts of a call', async () => {
    const meta = await metaOfChat(
      refuse(),
      apiError(503, 'WALLET_BUSY', { 'retry-after': '2', 'x-request-id': 'req_0' }),
      answer(200, chatAnswer, headers),
    );
    expect(meta).toEqual({
      gatewayRequestId: 'req_1',
      attempts: 3,
      replayed: false,
      // 250 ms, and 2 s with 500 ms of jitter.
      durationMs: 2_750,
      costUsd: '0.000183',
      headers: { ...headers, 'content-type': 'application/json' },
    });
  });

  test('distinguishes a replayed response from a new one', async () => {
    const again = { ...headers, 'idempotent-replayed': 'true' };
    expect(await metaOfChat(answer(200, chatAnswer, again))).toMatchObject({ replayed: true });
    expect(await metaOfChat(answer(200, chatAnswer))).toMatchObject({
      replayed: false,
      gatewayRequestId: undefined,
    });
  });

  test('is there for every method, and for each step of a run', async () => {
    const { client, runtime } = openScripted([answer(200, { models: [] }, headers)]);
    const { usage, models } = client;
    const calls = [usage(), models(), client.credits('ada')];
    const settled = await runtime.settle(Promise.all(calls));
    if (settled.kind === 'error') throw settled.error;
    for (const one of settled.answer) {
      expect(metaOf(one)).toMatchObject({ gatewayRequestId: 'req_1', costUsd: undefined });
    }
    const steps: AgentStep[] = [];
    const clock = tool<object>({ name: 'clock', input: { type: 'object' }, execute: () => 'noon' });
    const run = openScripted([turn({ calls: [{ name: 'clock' }] }), turn({ text: 'ok' })]);
    const onStep = (step: AgentStep) => steps.push(step);
    const request = { ...runRequest, tools: [clock] };
    await run.runtime.settle(run.client.runAgent(request, { onStep }));
    expect(steps.map((step) => metaOf(step.answer).costUsd)).toEqual(['0.001', '0.001']);
  });

  test('survives the schema that transforms an object', async () => {
    const { client, runtime } = openScripted([answer(200, { ...chatAnswer, object: {} }, headers)]);
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => ({ value: 'transformed' }),
        jsonSchema: { input: () => ({ type: 'object' }) },
      },
    };
    const settled = await runtime.settle(client.object({ ...chatRequest, schema }));
    if (settled.kind === 'error') throw settled.error;
    expect(settled.answer.object).toBe('transformed');
    expect(metaOf(settled.answer).gatewayRequestId).toBe('req_1');
  });

  test('is invisible in the response', async () => {
    const settled = await openScripted([answer(200, chatAnswer, headers)]).chat();
    if (settled.kind === 'error') throw settled.error;
    expect(settled.answer).toEqual(chatAnswer);
    expect(Reflect.ownKeys({ ...settled.answer })).toEqual(Object.keys(chatAnswer));
    expect(inspect(settled.answer)).not.toContain('req_1');
    expect(JSON.stringify(settled.answer)).toBe(JSON.stringify(chatAnswer));
  });

  test('never shows the key, even if a header repeats it', async () => {
    const meta = await metaOfChat(answer(200, chatAnswer, { 'x-echo': apiKey }));
    expect(meta.headers['x-echo']).toBe('[api key]');
  });

  test('is recognized by another copy of the package', async () => {
    const settled = await openScripted([answer(200, chatAnswer, headers)]).chat();
    if (settled.kind === 'error') throw settled.error;
    vi.resetModules();
    const other = await import('../src/index.ts');
    expect(other.metaOf).not.toBe(metaOf);
    expect(other.metaOf(settled.answer)).toBe(metaOf(settled.answer));
  });

  test('has no headers of a fetch that cannot list them', async () => {
    const get = (name: string) => new Map(Object.entries(headers)).get(name) ?? null;
    const body = JSON.stringify(chatAnswer);
    const response = { status: 200, headers: { get }, body: undefined, text: async () => body };
    const { chat } = openScripted([], { options: { fetch: async () => Object(response) } });
    const settled = await chat();
    if (settled.kind === 'error') throw settled.error;
    expect(metaOf(settled.answer)).toMatchObject({ gatewayRequestId: 'req_1', headers: {} });
  });

  test.each([{ ...chatAnswer }, {}, new Error('no')])('of %s is a TypeError', (value) => {
    expect(() => metaOf(value)).toThrow(
      /^metaOf: pass a response of the client; for a run, step.answer/,
    );
    expect(() => metaOf(value)).toThrow(TypeError);
  });
});

describe('the gateway’s id of a request that failed', () => {
  const id = { 'x-request-id': 'req_9' };
  const rows: readonly { readonly name: string; readonly step: Step }[] = [
    { name: 'an error of the API', step: apiError(500, 'INTERNAL', id) },
    { name: 'a refusal of the gateway', step: answer(403, { message: 'Forbidden' }, id) },
    { name: 'a broken body', step: partial(503, '{', { breaks: true, headers: id }) },
    { name: 'a redirect', step: async () => new Response('', { status: 307, headers: id }) },
    { name: 'a success that is none', step: async () => new Response('no', { headers: id }) },
  ];
  test.each(rows)('is in the error: $name', async ({ step }) => {
    const error = await openScripted([step]).failingChat({ maxAttempts: 1 });
    expect(error.gatewayRequestId).toBe('req_9');
    expect(inspect(error)).toContain("gatewayRequestId: 'req_9'");
    expect(JSON.parse(JSON.stringify(error))).toHaveProperty('gatewayRequestId', 'req_9');
  });

  test('is that of the last attempt, or absent', async () => {
    const first = apiError(503, 'WALLET_BUSY', { 'x-request-id': 'req_1' });
    const last = apiError(503, 'WALLET_BUSY', { 'x-request-id': 'req_2' });
    expect(await openScripted([first, last]).failingChat()).toHaveProperty(
      'gatewayRequestId',
      'req_2',
    );
    expect(await openScripted([first, refuse()]).failingChat()).not.toHaveProperty(
      'gatewayRequestId',
    );
  });

  test('is not the platform’s, which is in the body', async () => {
    const body = { error: { code: 'TRUNCATED', message: 'm', requestId: 'platform-1' } };
    const error = await openScripted([answer(422, body, id)]).failingChat();
    expect(error).toMatchObject({ gatewayRequestId: 'req_9', requestId: 'platform-1' });
  });
});
