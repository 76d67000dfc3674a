import { describe, expect, test } from 'vitest';
import { type AgentRunRequest, type AgentRunState, tool } from '../src/index.ts';
import { createFakeClient } from '../src/testing.ts';
import { runRequest, turn } from './agent-script.ts';
import { failure, openScripted } from './scripted-client.ts';
import { apiError, runOfAgent, type Step } from './scripted-fetch.ts';

const clock = tool<object>({ name: 'clock', input: { type: 'object' }, execute: () => 'noon' });
const request: AgentRunRequest = { ...runRequest, tools: [clock], maxCostUsd: '0.003' };
const toolTurn = turn({ calls: [{ name: 'clock' }], usd: '0.001' });
const finishes = turn({ text: 'It is noon.', usd: '0.001' });

function openWith(steps: readonly Step[], answerRun?: Step) {
  const opened = openScripted(steps);
  if (answerRun !== undefined) opened.script.answerRun = answerRun;
  return opened;
}

describe('the run that enforces an agent’s budget', () => {
  test('is created once, under the agent’s key, and its turns are made in it', async () => {
    const { client, runtime, script } = openWith([toolTurn, finishes]);
    await runtime.settle(client.runAgent(request, { idempotencyKey: 'K' }));
    const [made, ...others] = script.runs;
    expect(others).toEqual([]);
    expect(made).toMatchObject({ method: 'POST', url: 'https://gateway.test/v1/runs' });
    expect(made?.headers['idempotency-key']).toBe('K:run');
    expect(JSON.parse(made?.body ?? '')).toEqual({ maxCostUsd: '0.003', expiresInMs: 3_600_000 });
    const inRun = script.seen.map(({ headers }) => headers['x-run-id']);
    expect(inRun).toEqual([runOfAgent, runOfAgent]);
  });

  test.each([
    { status: 400, code: 'INVALID' },
    { status: 403, code: 'FORBIDDEN' },
    { status: 404, code: 'NOT_FOUND' },
    { status: 501, code: 'NOT_IMPLEMENTED' },
  ])('is optional if the service responds with $status', async ({ status, code }) => {
    const { client, runtime, script } = openWith([toolTurn], apiError(status, code));
    const settled = await runtime.settle(client.runAgent(request));
    expect(settled).toMatchObject({
      answer: { stopReason: 'max-cost', turns: 3, costUsd: '0.003' },
    });
    expect(script.runs).toHaveLength(1);
    expect(script.seen.map(({ headers }) => headers['x-run-id'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    { status: 401, code: 'UNAUTHORIZED' },
    { status: 402, code: 'BUDGET_EXCEEDED' },
    { status: 500, code: 'INTERNAL' },
  ])('fails the agent for any other rejection: $status', async ({ status, code }) => {
    const { client, runtime, script } = openWith([toolTurn], apiError(status, code));
    const error = failure(await runtime.settle(client.runAgent(request)));
    expect(error).toMatchObject({ status, run: { turns: 0 } });
    expect(script.seen).toEqual([]);
  });

  test('is retried under the same key if there was no response', async () => {
    const { client, runtime, script } = openWith([toolTurn, finishes]);
    const { answerRun } = script;
    script.answerRun = async (...args) => {
      script.answerRun = answerRun;
      return apiError(503, 'UNAVAILABLE', { 'retry-after': '1' })(...args);
    };
    const settled = await runtime.settle(client.runAgent(request, { idempotencyKey: 'K' }));
    expect(settled).toMatchObject({ answer: { stopReason: 'done' } });
    const keys = script.runs.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['K:run', 'K:run']);
  });

  test('is continued from a saved step', async () => {
    const { client, runtime, script } = openWith([toolTurn, toolTurn, finishes]);
    let saved = '';
    const stop = new Error('the process ends here');
    const onStep = ({ run }: { run: AgentRunState }) => {
      saved = JSON.stringify(run);
      throw stop;
    };
    const options = { onStep, idempotencyKey: 'K' };
    expect(await runtime.settle(client.runAgent(request, options))).toEqual({
      kind: 'error',
      error: stop,
    });
    const resume: AgentRunState = JSON.parse(saved);
    expect(resume).toMatchObject({ turns: 1, runId: runOfAgent });
    const settled = await runtime.settle(client.runAgent(request, { resume }));
    expect(settled).toMatchObject({ answer: { stopReason: 'done', turns: 3 } });
    expect(script.runs).toHaveLength(1);
    const sent = script.seen.map(({ headers }) => [
      headers['idempotency-key'],
      headers['x-run-id'],
    ]);
    expect(sent).toEqual(['K:1', 'K:2', 'K:3'].map((key) => [key, runOfAgent]));
  });
});

describe('the fake client', () => {
  const steps = () => [
    { toolCalls: [{ name: 'clock', input: {} }], costUsd: '0.001' },
    { text: 'It is noon.', costUsd: '0.001' },
  ];

  test('plays an agent with a budget, whose run takes no step and is in its calls', async () => {
    const client = createFakeClient(steps());
    const run = await client.runAgent(request);
    expect(run).toMatchObject({ stopReason: 'done', turns: 2, costUsd: '0.002' });
    expect(client.remaining()).toBe(0);
    const [made, first, second, ended] = client.calls;
    expect([made, first, second, ended].map((call) => call?.path)).toEqual([
      '/runs',
      '/agents/run',
      '/agents/run',
      expect.stringMatching(/^\/runs\/.+/),
    ]);
    expect(made?.request).toMatchObject({ maxCostUsd: '0.003' });
    expect(ended?.path).toBe(`/runs/${first?.headers['x-run-id']}`);
    expect(second?.headers['x-run-id']).toBe(first?.headers['x-run-id']);
  });

  test('reports the text of turns within a run', async () => {
    const events: (string | number)[][] = [];
    const onText = (text: string, at: number) => events.push([at, text]);
    const client = createFakeClient(steps());
    const run = await client.runAgent(request, { onText });
    expect(run).toMatchObject({ stopReason: 'done', text: 'It is noon.' });
    expect(events.map(([at]) => at).every((at) => at === 2)).toBe(true);
    expect(events.map(([, text]) => text).join('')).toBe('It is noon.');
    const streamed = client.calls.filter(({ path }) => path === '/agents/stream');
    expect(streamed.map(({ headers }) => headers['x-run-id'])).toEqual(
      Array(2).fill(expect.stringMatching(/./)),
    );
  });
});
