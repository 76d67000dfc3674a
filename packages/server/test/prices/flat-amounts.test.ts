import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import type { Json, Reply } from '../calls/support/wires.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// An amount for each billed request and for each use of a tool that the platform runs: reserved,
// booked exactly where the platform counts the uses, and a line of the receipt each.

let postgres: TestPostgres;
let platform: SpokenPlatform;
/** The report of the next response, next to its content and its counts. */
let stated: Json = {};
/** The number of failed responses before that. */
let failures = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(reply);
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

function reply(): Reply {
  if (failures > 0) {
    failures -= 1;
    return { whole: { error: { message: 'busy' } }, events: [], status: 503 };
  }
  const { content = [], ...more } = stated;
  const usage = { prompt_tokens: 1_000, completion_tokens: 10, ...counts, ...more };
  const text = { type: 'text', text: 'Hi.' };
  const whole = {
    ...{ id: 'answer_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
    content: [text, ...(Array.isArray(content) ? content : [])],
    choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage,
  };
  return { whole, events: [{ ...whole, choices: [chunk] }, '[DONE]'] };
}

const counts = { input_tokens: 1_000, output_tokens: 10 };
const chunk = { index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' };

const rates = `inputUsdPerMillion: "2", outputUsdPerMillion: "10"`;
const flat = 'perRequestUsd: "0.005"';
const tools =
  'toolUses: { web_search: { usdPerThousand: "10", maxUses: 3 }, x_search: { usdPerThousand: "5.5" }, sources: { usdPerThousand: "0" } }';
/** Pico-USD of the tokens, a request, and a use of each tool. */
const ofTokens = 1_000n * 2_000_000n + 10n * 10_000_000n;
const request = 5_000_000_000n;
const search = 10_000_000_000n;
const xSearch = 5_500_000_000n;

const yaml = (store: string) => `
company: acme
store: "${store}"
streaming: true
retry: { attempts: 2, baseMs: 1, capMs: 1 }
platforms:
  any: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890 }
  contract: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890, priceFactor: "0.5" }
  claude: { kind: anthropic, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-an-1234567890 }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: plain, platform: any, ${rates} }
  - { id: request, platform: any, ${rates}, ${flat} }
  - { id: tools, platform: any, ${rates}, ${flat}, ${tools}, tiers: { priority: "2" } }
  - { id: dated, platform: any, prices: [{ from: 2026-01-01, ${rates}, ${flat}, ${tools} }] }
  - { id: contract, platform: contract, ${rates}, ${flat}, ${tools} }
  - { id: claude, platform: claude, ${rates}, toolUses: { web_search: { usdPerThousand: "10" } } }
apps:
  - name: search
    dailyBudgetUsd: "50"
    projects: { claude: wrkspc_1 }
`;

interface Case {
  readonly model: string;
  readonly states: Json;
  readonly cost: bigint;
  readonly reason?: string;
  /** Lines of the receipt behind those of tokens: kind, tool, count. */
  readonly lines?: readonly (readonly [kind: string, tool: string | undefined, count: number])[];
}

const aRequest = ['request', undefined, 1] as const;
const cases: readonly Case[] = [
  { model: 'plain', states: {}, cost: ofTokens, lines: [] },
  {
    ...{ model: 'plain', states: { num_search_queries: 2 }, cost: ofTokens },
    reason: 'server-tool',
  },
  { model: 'request', states: {}, cost: ofTokens + request, lines: [aRequest] },
  { model: 'tools', states: {}, cost: ofTokens + request, lines: [aRequest] },
  {
    ...{ model: 'tools', states: { num_search_queries: 2 } },
    ...{ cost: ofTokens + request + 2n * search, lines: [aRequest, ['toolUse', 'web_search', 2]] },
  },
  {
    ...{ model: 'dated', states: { server_tool_use: { web_search_requests: 3, x: 0 } } },
    ...{ cost: ofTokens + request + 3n * search, lines: [aRequest, ['toolUse', 'web_search', 3]] },
  },
  {
    model: 'tools',
    states: {
      ...{ num_server_side_tools_used: 3, num_sources_used: 0 },
      server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 2 },
    },
    cost: ofTokens + request + search + 2n * xSearch,
    lines: [aRequest, ['toolUse', 'web_search', 1], ['toolUse', 'x_search', 2]],
  },
  // A total that its parts do not explain.
  {
    model: 'tools',
    states: {
      num_server_side_tools_used: 4,
      server_side_tool_usage_details: { web_search_calls: 1 },
    },
    ...{ cost: ofTokens + request + search, reason: 'server-tool' },
  },
  // Two counts of one tool.
  {
    model: 'tools',
    states: { num_search_queries: 1, server_tool_use: { web_search_requests: 2 } },
    ...{ cost: ofTokens + request + 2n * search, reason: 'server-tool' },
  },
  // A tool without a price.
  {
    model: 'tools',
    states: { server_tool_use: { web_search_requests: 1, code_execution_requests: 1 } },
    ...{ cost: ofTokens + request + search, reason: 'server-tool' },
  },
  {
    model: 'tools',
    states: { server_tool_use: { web_search_requests: -1 } },
    ...{ cost: ofTokens + request, reason: 'server-tool' },
  },
  // More than the reserved ones are billed in full.
  {
    ...{ model: 'tools', states: { num_search_queries: 5 } },
    ...{ cost: ofTokens + request + 5n * search, lines: [aRequest, ['toolUse', 'web_search', 5]] },
  },
  { model: 'tools', states: { num_sources_used: 9 }, cost: ofTokens + request, lines: [aRequest] },
  {
    ...{ model: 'contract', states: { num_search_queries: 2 } },
    cost: (ofTokens + request + 2n * search) / 2n,
    lines: [aRequest, ['toolUse', 'web_search', 2]],
  },
  {
    model: 'claude',
    states: {
      server_tool_use: { web_search_requests: 2 },
      content: [{ type: 'server_tool_use', id: 't', name: 'web_search', input: {} }],
    },
    ...{ cost: ofTokens + 2n * search, lines: [['toolUse', 'web_search', 2]] },
  },
  // An item without a count.
  {
    model: 'claude',
    states: { content: [{ type: 'server_tool_use', id: 't', name: 'web_search', input: {} }] },
    ...{ cost: ofTokens, reason: 'server-tool' },
  },
];

const messages = [{ role: 'user' as const, content: 'x'.repeat(2_000) }];

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yaml(store) });
  });
  afterAll(() => server.close());

  async function call(model: string) {
    const client = await server.client('search');
    const response = await client.chat({ model, messages, maxTokens: 100 });
    expect(response.usage).not.toHaveProperty('toolUses');
    return lastRecord();
  }

  async function lastRecord() {
    const day = utcDayOf(server.clock.now());
    const record = (await readCalls(server.store, 'search', day)).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    await expectClean(server);
    return record;
  }

  async function linesOf(callId: string) {
    const { lines, matches } = await readReceipt(server.service.admin, callId);
    expect(matches).toBe(true);
    const sum = lines.reduce((all, { usd }) => all + (parseUsd(usd) ?? 0n), 0n);
    for (const { count, usdEach, usd } of lines) {
      if (usdEach === undefined) continue;
      expect(BigInt(count ?? 0) * (parseUsd(usdEach) ?? 0n)).toBe(parseUsd(usd));
    }
    return { sum, lines };
  }

  test.each(cases)('$model: $states', async ({ model, states, cost, reason, lines }) => {
    stated = states;
    const record = await call(model);
    expect(record).toMatchObject({ cost, basis: reason ? 'estimated' : 'exact' });
    expect(record.estimateReason).toBe(reason);
    const receipt = await linesOf(record.callId);
    expect(receipt.sum).toBe(cost);
    const flatLines = receipt.lines.filter(({ usdEach }) => usdEach !== undefined);
    const shown = flatLines.map(({ kind: of, tool, count }) => [of, tool, count]);
    if (lines !== undefined) expect(shown).toEqual(lines);
  });

  test('streamed', async () => {
    stated = { num_search_queries: 2 };
    const client = await server.client('search');
    const stream = client.chatStream({ model: 'tools', messages, maxTokens: 100 });
    for await (const _ of stream) {
      // To its end.
    }
    const record = await lastRecord();
    expect(record).toMatchObject({ cost: ofTokens + request + 2n * search, basis: 'exact' });
    expect((await linesOf(record.callId)).lines).toHaveLength(4);
  });

  test('in another tier', async () => {
    stated = { service_tier: 'priority', num_search_queries: 1 };
    const record = await call('tools');
    // Tokens cost twice as much there; uses do not.
    expect(record).toMatchObject({ cost: 2n * ofTokens + request + search, basis: 'exact' });
    expect((await linesOf(record.callId)).sum).toBe(record.cost);
    const price = { perRequestUsd: '0.005', toolUses: { web_search: { usdPerThousand: '10' } } };
    expect(await findCall(server.service.admin, record.callId)).toMatchObject({ price });
  });

  test('the reservation of a call', async () => {
    const client = await server.client('search');
    const quote = async (model: string) => {
      const asked = { model, messages, maxTokens: 100 };
      const { maxCostUsd } = await client.quote({ operation: 'chat', request: asked });
      return parseUsd(maxCostUsd ?? '') ?? 0n;
    };
    const aToken = 2_000_000n;
    // Bodies differ by the length of the model's name.
    const plain = await quote('plain');
    expect((await quote('request')) - plain).toBe(request + 2n * aToken);
    const uses = 3n * search + 10n * xSearch;
    const dated = (await quote('dated')) - plain;
    expect(dated).toBe(request + uses);
    const claude = (await quote('claude')) - plain;
    expect(claude).toBe(aToken);
  });

  test('the list of models has them', async () => {
    const client = await server.client('search');
    const { models } = await client.models();
    expect(models.find(({ id }) => id === 'tools')?.price).toMatchObject({
      perRequestUsd: '0.005',
      toolUses: { web_search: { usdPerThousand: '10' }, x_search: { usdPerThousand: '5.5' } },
    });
    expect(models.find(({ id }) => id === 'plain')?.price).not.toHaveProperty('perRequestUsd');
  });

  test('the lines of a call with two attempts', async () => {
    stated = { num_search_queries: 2 };
    failures = 1;
    const record = await call('tools');
    const { sum, lines } = await linesOf(record.callId);
    expect(sum).toBe(record.cost);
    const last = lines.filter(({ tool }) => tool !== undefined);
    expect(last).toMatchObject([{ attempt: 2, kind: 'toolUse', tool: 'web_search', count: 2 }]);
  });
});
