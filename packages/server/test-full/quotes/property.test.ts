import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import {
  openQuoteStack,
  pathOf,
  type Quoted,
  type QuoteStack,
  quoteText,
} from '../../test/quotes/quote-stack.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';

let postgres: TestPostgres;
let stacks: Readonly<Record<'sqlite' | 'postgres', QuoteStack>>;

beforeAll(async () => {
  postgres = await startPostgres();
  stacks = {
    sqlite: await openQuoteStack('sqlite:./gateway.db'),
    postgres: await openQuoteStack(await postgres.database()),
  };
});

afterAll(async () => {
  await stacks.sqlite.stack.close();
  await stacks.postgres.stack.close();
  await postgres.close();
});

const models = ['sim-echo', 'sim-cached', 'by-tool', 'no-output', 'short', 'both', 'dear-first'];
const schema = { type: 'object', properties: { a: { type: 'string' } } };

/** Fields of each operation in addition to a conversation. */
const ofOperation: Readonly<Record<Quoted, object>> = {
  chat: {},
  objects: { schema },
  agents: { tools: [{ name: 'look_up', description: 'Für alles', inputSchema: schema }] },
  embeddings: {},
};

/** An app's money, and a request with many unusual inputs: digits, umlauts, JSON whitespace. */
const scenes = fc.record({
  operation: fc.constantFrom<Quoted>('chat', 'chat', 'objects', 'agents', 'embeddings'),
  model: fc.constantFrom(...models, 'sim-unpriced'),
  maxTokens: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 1_000_000 })),
  content: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ maxLength: 400 })),
  indent: fc.constantFrom(undefined, 1, 2),
  budget: fc.option(fc.constantFrom('0', '0.00025', '0.0004', '0.001', '0.004', '0.02', '5')),
  /** The monthly grant, in pico-USD. */
  credits: fc.option(
    fc.constantFrom(...[0n, 300n, 500n, 2_000n, 10_000n, 10n ** 6n].map((c) => c * 10n ** 6n)),
    { freq: 2 },
  ),
  hasSpent: fc.boolean(),
  others: fc.subarray([...models, 'sim-embed'], { maxLength: 2 }),
});

type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;

let apps = 0;

async function appOf({ stack }: QuoteStack, { budget, credits }: Scene): Promise<string> {
  apps += 1;
  const name = `app-${apps}`;
  await stack.clock.run(
    createApp(stack.admin, name, {
      dailyBudgetPicoUsd: budget === null ? undefined : parseUsd(budget),
      ...(credits !== null && {
        credits: { monthlyGrantPicoUsd: credits, picoUsdPerCredit: 10n ** 10n },
      }),
    }),
  );
  await stack.clock.run(stack.service.registry.refresh());
  return name;
}

function requestOf({ operation, model, maxTokens, content, credits }: Scene): object {
  const userId = credits === null ? {} : { userId: 'ada' };
  if (operation === 'embeddings') return { model: 'sim-embed', input: `x${content}`, ...userId };
  const messages = [{ role: 'user', content }];
  return { model, maxTokens, messages, ...userId, ...ofOperation[operation] };
}

/** A quote equals the result of the call, as long as nothing else happens. */
async function holds(quoted: QuoteStack, scene: Scene) {
  const { stack, reservedBy } = quoted;
  const { operation, indent } = scene;
  const app = await appOf(quoted, scene);
  const request = requestOf(scene);
  const written = (more: object) => JSON.stringify({ ...request, ...more }, undefined, indent);
  const call = (more: object = {}) =>
    reservedBy(() => stack.post(app, pathOf[operation], written(more)));
  if (scene.hasSpent) {
    const small = { model: 'short', maxTokens: 1, messages: [{ role: 'user', content: 'x' }] };
    await stack.post(app, '/v1/chat', { ...small, userId: 'ada' });
  }
  const others = operation === 'embeddings' ? [] : scene.others;
  const quote = await quoteText(stack, app, operation, written({}), others);
  if (quote.status !== 200) {
    const made = await stack.post(app, pathOf[operation], written({}));
    expect([made.status, await made.text()]).toEqual([quote.status, quote.text]);
    return;
  }
  const { fits, code, maxCostUsd, maxTokensThatFit: most } = quote.body;
  for (const { model, ...other } of quote.body.others) {
    const { status, body, text } = await quoteText(stack, app, operation, written({ model }));
    const { fits, maxCostUsd, code } = body;
    if (status === 200) expect(other).toEqual({ fits, maxCostUsd, code });
    else expect([other.fits, text]).toEqual([false, expect.stringContaining(String(other.code))]);
  }
  // A rejected request reserves nothing, so it is first.
  if (!fits) expect(await call()).toMatchObject([{ outcome: code }]);
  const modelMost = Math.max(quote.body.outputTokensAtMost, most ?? 0);
  if (most !== null && most < modelMost) {
    const [{ outcome } = { outcome: 'none' }] = await call({ maxTokens: most + 1 });
    // A larger call may fail by the budget where this one fails by the wallet.
    expect(['BUDGET_EXCEEDED', 'INSUFFICIENT_CREDITS']).toContain(outcome);
  }
  if (fits) {
    const amountUsd = maxCostUsd ?? '0';
    expect(await call()).toEqual([{ amountUsd, outcome: 'reserved' }]);
  } else if (most !== null && most > 0) {
    expect(await call({ maxTokens: most })).toMatchObject([{ outcome: 'reserved' }]);
  }
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (name) => {
  test('a quote equals the call’s result, to the token and the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, (scene) => holds(stacks[name], scene)),
      { numRuns: name === 'sqlite' ? 100 : 30, seed: 17 },
    );
  });
});
