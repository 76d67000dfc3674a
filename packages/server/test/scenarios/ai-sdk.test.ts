// The AI SDK through the client's provider and the whole service, on a real socket.
import { createModelGateway, type SpecificationVersion } from '@model-gateway/sdk/ai';
import * as seven from 'ai';
import * as six from 'ai-6';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../../../harness/until.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { defaultYaml } from '../support/stack.ts';

let server: TestServer;

const yaml = `streaming: true\n${defaultYaml}  - { name: broke, dailyBudgetUsd: "0.000001" }\n`;

beforeAll(async () => {
  server = await startServer({ yaml });
});
afterAll(() => server.close());

async function gatewayOf<Version extends SpecificationVersion>(version: Version, app = 'search') {
  const apiKey = await server.key(app);
  const baseUrl = `${server.url}/v1`;
  return createModelGateway<Version>({ baseUrl, apiKey, specificationVersion: version });
}

/** The app's calls and their cost in USD × 10¹², once nothing is reserved for them. */
async function settled(app = 'search') {
  const client = await server.client(app);
  return until(async () => {
    const { budget, totals } = await client.usage();
    const isSettled = budget === null || /^0(\.0*)?$/.test(budget.heldUsd);
    return isSettled && { calls: totals.calls, picoUsd: picoUsdOf(totals.costUsd) };
  });
}

function picoUsdOf(usd: unknown): bigint {
  const [whole, fraction = ''] = String(usd).split('.');
  return BigInt(`${whole}${fraction.padEnd(12, '0')}`);
}

/** The total cost of these responses by the provider. */
function saidOf(metadata: readonly unknown[]): bigint {
  return metadata.reduce((sum: bigint, each) => {
    const { costUsd, estimated } = Object(Object(each).modelGateway);
    expect(estimated).toBe(false);
    return sum + picoUsdOf(costUsd);
  }, 0n);
}

describe('the AI SDK 7', () => {
  test('responds, with the amounts of the ledger', async () => {
    const before = await settled();
    const model = (await gatewayOf('v4'))('sim-echo');
    const whole = await seven.generateText({ model, prompt: 'one two' });
    const stream = seven.streamText({ model, prompt: 'one two' });
    expect([whole.text, await stream.text]).toEqual(['one two', 'one two']);
    const said = saidOf([whole.providerMetadata, await stream.providerMetadata]);
    const after = { calls: before.calls + 2, picoUsd: before.picoUsd + said };
    expect(await settled()).toEqual(after);
  });

  test('creates objects, and runs tools', async () => {
    const model = (await gatewayOf('v4'))('sim-echo');
    const output = seven.Output.object({ schema: z.object({ city: z.string() }) });
    const { output: object } = await seven.generateText({ model, output, prompt: 'Ulm' });
    expect(typeof object.city).toBe('string');
    const executed: unknown[] = [];
    const weather = seven.tool({
      inputSchema: z.object({ city: z.string() }),
      execute: (input) => executed.push(input),
    });
    const agent = new seven.ToolLoopAgent({ model, tools: { weather } });
    const answer = await agent.generate({ prompt: 'Ulm' });
    expect(answer.finishReason).toBe('stop');
    expect(executed).toHaveLength(answer.steps.length - 1);
    expect(executed.length).toBeGreaterThan(0);
  });

  test('fails at once if the budget is spent, and nothing is called', async () => {
    const model = (await gatewayOf('v4', 'broke'))('sim-echo');
    const error: unknown = await seven
      .generateText({ model, prompt: 'Hi', maxRetries: 3 })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED', statusCode: 402, isRetryable: false });
    expect(seven.APICallError.isInstance(error)).toBe(true);
    expect(await settled('broke')).toEqual({ calls: 0, picoUsd: 0n });
  });
});

describe('the AI SDK 6', () => {
  test('responds, with the amounts of the ledger', async () => {
    const before = await settled();
    const model = (await gatewayOf('v3'))('sim-echo');
    const whole = await six.generateText({ model, prompt: 'one two' });
    const stream = six.streamText({ model, prompt: 'one two' });
    expect([whole.text, await stream.text]).toEqual(['one two', 'one two']);
    const said = saidOf([whole.providerMetadata, await stream.providerMetadata]);
    const after = { calls: before.calls + 2, picoUsd: before.picoUsd + said };
    expect(await settled()).toEqual(after);
  });
});
