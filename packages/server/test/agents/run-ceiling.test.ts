import {
  type AgentRunRequest,
  type Client,
  LlmError,
  type ToolContext,
  tool,
} from '@model-gateway/sdk';
import type { Script } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack, type Stack } from '../support/stack.ts';

/** Calls the tool as often as the first message requests, and then finishes. */
const script: Script = ({ request: { messages } }) => {
  const [first] = messages;
  const asked = Number(/^tools: (\d+)/.exec(first?.texts.join('') ?? '')?.[1] ?? 0);
  const used = messages.filter(({ role }) => role === 'tool').length;
  if (used >= asked) return { kind: 'answer', text: 'Done.' };
  return { kind: 'answer', toolCalls: [{ name: 'work', arguments: '{}' }] };
};

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 10000, burst: 10000, requestsPerDay: 1000000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

/** An agent whose tool runs this function. */
function agent(turns: number, execute: (context: ToolContext) => unknown = () => 'ok') {
  const work = tool<object>({
    ...{ name: 'work', input: { type: 'object' } },
    execute: (_, context) => execute(context),
  });
  const messages = [{ role: 'user', content: `tools: ${turns}` }] as const;
  return { model: 'sim-echo', maxTokens: 500, messages, tools: [work], maxTurns: 50 } as const;
}

async function settled(stack: Stack, client: Client, ...args: Parameters<Client['runAgent']>) {
  return stack.clock.run(
    client.runAgent(...args).then(
      (result) => result,
      (error: unknown) => error,
    ),
  );
}

async function runsOf({ store }: Stack, app: string) {
  return store.read({
    sql: `select run.id, run.ended_at, coalesce(spent, 0) as spent, max_cost, held
            from run left join budget_scope on scope = 'run:' || app || ':' || id
           where app = $1 order by created_at, id`,
    values: [app],
    map: (rows) =>
      rows.map(({ id, ended_at, spent, max_cost, held }) => ({
        ...{ id: String(id), isEnded: ended_at !== null, held: Number(held ?? 0) },
        ...{ spent: Number(spent), ceiling: Number(max_cost) },
      })),
  });
}

describe.each(storeKinds)('on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store), script })),
  );
  const open = async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    return { stack, app, client: await stack.client(app) };
  };

  test('the service rejects the turn that could exceed the run budget', async () => {
    const { stack, app, client } = await open();
    const one = Object(await settled(stack, client, agent(0)));
    const request: AgentRunRequest = { ...agent(50), maxCostUsd: '0.002' };
    const result = Object(await settled(stack, client, request));
    expect(result).toMatchObject({ stopReason: 'max-cost', turns: expect.any(Number) });
    expect(result.turns).toBeGreaterThan(1);
    expect(Number(result.costUsd)).toBeGreaterThan(Number(one.costUsd));
    const [run] = await runsOf(stack, app);
    expect(run).toMatchObject({ isEnded: true, held: 0, ceiling: 2e9 });
    expect(run?.spent).toBe(Math.round(Number(result.costUsd) * 1e12));
    expect(run?.spent).toBeLessThanOrEqual(2e9);
    // With a larger budget it continues, in another run.
    const raised = { ...request, maxCostUsd: '5' };
    const rest = Object(await settled(stack, client, raised, { resume: result }));
    expect(rest).toMatchObject({ stopReason: 'max-turns', turns: 50 });
    expect(await runsOf(stack, app)).toHaveLength(2);
  });

  test('a run budget below the first turn is an error with that reason', async () => {
    const { stack, client } = await open();
    const error = await settled(stack, client, { ...agent(3), maxCostUsd: '0.000001' });
    expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED', run: { turns: 0 } });
    expect(LlmError.is(error) && error.budgetScope).toMatch(/^run:run_/);
  });

  test('parallel calls of tools and sub-agents share the run budget', async () => {
    const { stack, app, client } = await open();
    const codes: string[] = [];
    const execute = async ({ runId = 'none' }: ToolContext) => {
      const headers = { 'x-run-id': runId };
      const calls = Array.from({ length: 4 }, () =>
        client.chat(chatOf('sim-echo', { maxTokens: 5_000 }), { headers }),
      );
      const sub = client.runAgent({ ...agent(2), maxCostUsd: '1' }, { headers });
      const told = (error: unknown) => (LlmError.is(error) ? `${error.budgetScope}` : 'odd');
      const all = [...calls, sub].map((call) => call.then(() => 'ok', told));
      codes.push(...(await Promise.all(all)));
      return 'ok';
    };
    const request = { ...agent(50, execute), maxCostUsd: '0.004' };
    const result = Object(await settled(stack, client, request));
    expect(result).toMatchObject({ stopReason: 'max-cost' });
    await stack.clock.advance(5_000);
    const [run, ...others] = await runsOf(stack, app);
    expect(others).toEqual([]);
    expect(new Set(codes)).toEqual(new Set(['ok', `run:${run?.id}`]));
    expect(run?.held).toBe(0);
    expect(run?.spent).toBeLessThanOrEqual(4e9);
    expect(run?.spent).toBeGreaterThan(Number(result.costUsd) * 1e12);
  });

  test('an agent that restarts after a crash finds its run and pays its turns once', async () => {
    const { stack, app, client } = await open();
    const calls = () => stack.simulator.bill().total.calls;
    const before = calls();
    const crash = async () => new Promise(() => {});
    const request = (at: number) => {
      let used = 0;
      return { ...agent(4, () => (++used === at ? crash() : 'ok')), maxCostUsd: '0.05' };
    };
    const options = { idempotencyKey: 'job-7' };
    client.runAgent(request(3), options).catch(() => {});
    await stack.clock.advance(1_000);
    expect(calls() - before).toBe(3);
    for (let times = 0; times < 2; times++) {
      const result = await settled(stack, client, request(9), options);
      expect(result).toMatchObject({ stopReason: 'done', turns: 5 });
      expect(calls() - before).toBe(5);
    }
    const [run, ...others] = await runsOf(stack, app);
    expect(others).toEqual([]);
    // A retry under its key needs the run, so it is left to expire.
    expect(run).toMatchObject({ isEnded: false, held: 0 });
    const other = { ...request(9), maxCostUsd: '0.06' };
    expect(await settled(stack, client, other, options)).toMatchObject({ code: 'INVALID' });
  });

  test('a run that expires leaves the rest of its budget to the next', async () => {
    const { stack, app, client } = await open();
    let used = 0;
    const wait = async () => {
      used += 1;
      if (used !== 2) return 'ok';
      const sql = 'update run set expires_at = $1 where app = $2';
      await stack.store.write([{ sql, values: [stack.clock.now(), app] }]);
      await stack.clock.advance(1_000);
      return 'ok';
    };
    const request = { ...agent(4, wait), maxCostUsd: '0.05' };
    const result = Object(await settled(stack, client, request));
    expect(result).toMatchObject({ stopReason: 'done', turns: 5 });
    const [first, second, ...others] = await runsOf(stack, app);
    expect(others).toEqual([]);
    expect(second?.ceiling).toBe(5e10 - (first?.spent ?? 0));
    expect((first?.spent ?? 0) + (second?.spent ?? 0)).toBe(Math.round(result.costUsd * 1e12));
    expect(second?.isEnded).toBe(true);
  });

  test('an ended run ends its agent, and an agent within a run creates none', async () => {
    const { stack, app, client } = await open();
    let ending = '';
    const end = async ({ runId = '' }: ToolContext) => {
      ending = runId;
      await client.endRun(runId);
      return 'ok';
    };
    const ended = await settled(stack, client, { ...agent(4, end), maxCostUsd: '0.05' });
    expect(ended).toMatchObject({ code: 'FORBIDDEN', run: { turns: 1 } });
    expect(await runsOf(stack, app)).toMatchObject([{ id: ending, isEnded: true }]);

    const run = await stack.clock.run(client.createRun({ maxCostUsd: '1', expiresInMs: 60_000 }));
    const inner = client.withOptions({ apiKey: run.key });
    const result = await settled(stack, inner, { ...agent(2), maxCostUsd: '0.05' });
    expect(result).toMatchObject({ stopReason: 'done', turns: 3 });
    expect(await runsOf(stack, app)).toHaveLength(2);
  });
});
