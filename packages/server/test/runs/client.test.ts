import { createClient } from '@model-gateway/sdk';
import { describe, expect, test } from 'vitest';
import { openCapped } from '../budgets/support/caps.ts';
import { chatOf } from '../support/exchange.ts';
import { storeKinds } from '../support/shared-stack.ts';

const most = '0.0002694375';

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);

  test('a client with the key of a run is limited to its budget, until its end', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const own = await stack.client(app);
    const run = await stack.clock.run(own.createRun({ maxCostUsd: most, expiresInMs: 60_000 }));
    const baseUrl = 'http://gateway.test/v1';
    const inRun = createClient({ baseUrl, apiKey: run.key, fetch: stack.fetch, maxAttempts: 1 });
    const { cost } = await stack.clock.run(inRun.chat(chatOf('sim-echo')));
    const scope = { code: 'BUDGET_EXCEEDED', budgetScope: `run:${run.runId}` };
    for (const call of [
      () => inRun.chat(chatOf('sim-echo', { maxTokens: 9_999 })),
      () => inRun.chatStream(chatOf('sim-echo', { maxTokens: 9_999 })).final(),
    ]) {
      const error = await stack.clock.run(call().catch((thrown: unknown) => thrown));
      expect(error).toMatchObject(scope);
      expect(error).not.toHaveProperty('retryAfterMs');
    }
    const asked = { operation: 'chat', request: chatOf('sim-echo', { maxTokens: 9_999 }) } as const;
    const quote = await stack.clock.run(inRun.quote(asked));
    expect(quote).toMatchObject({ fits: false, binding: `run:${run.runId}` });

    const shown = await stack.clock.run(inRun.getRun(run.runId));
    expect(shown).toMatchObject({ spentUsd: cost.usd, heldUsd: '0', endedAt: null });
    const forbidden = { code: 'FORBIDDEN', status: 403 };
    await expect(stack.clock.run(inRun.usage())).rejects.toMatchObject(forbidden);
    await expect(stack.clock.run(inRun.endRun(run.runId))).rejects.toMatchObject(forbidden);
    await stack.clock.run(own.endRun(run.runId));
    await stack.clock.advance(1_000);
    const late = stack.clock.run(inRun.chat(chatOf('sim-echo')));
    await expect(late).rejects.toMatchObject(forbidden);
  });
});
