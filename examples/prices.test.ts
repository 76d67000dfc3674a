import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCatalog } from '../packages/server/src/catalog/check-catalog.ts';
import { readInvoice } from '../packages/server/src/invoices/read-invoice.ts';
import { utcDayOf } from '../packages/server/src/lib/clock.ts';
import { formatUsd, parseUsd } from '../packages/server/src/lib/money.ts';
import { readReceipt } from '../packages/server/src/operations/calls/receipt.ts';
import { importInvoice } from '../packages/server/src/operations/reconcile/reconcile-import.ts';
import { reconcile } from '../packages/server/src/operations/reconcile/reconcile-show.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
} from '../packages/server/test/calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../packages/server/test/support/books.ts';
import { startPostgres, type TestPostgres } from '../packages/server/test/support/postgres.ts';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
import { storeKinds } from '../packages/server/test/support/shared-stack.ts';
import {
  codeBlocks,
  readRepositoryFile,
  sectionOf,
  tableRows,
  withoutQuotes,
} from './testing/markdown.ts';

// The prices of docs/finance.md: a running service books each row of its table as it is written.

const section = sectionOf(readRepositoryFile('docs/finance.md'), 'Prices');
const rows = tableRows(section);

let platform: SpokenPlatform;
let postgres: TestPostgres;
let states = '';

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(() => ({ whole: response(states), events: [] }));
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

function yamlOn(store: string): string {
  const [yaml = ''] = codeBlocks(section, 'yaml');
  const onPlatform = yaml.replaceAll(
    'kind: anthropic',
    `kind: anthropic, baseUrl: "${platform.baseUrl}/v1"`,
  );
  const projects = 'projects: { claude: wrkspc_1, discounted: wrkspc_2 }';
  const apps = `apps: [{ name: search, dailyBudgetUsd: "50", ${projects} }]`;
  return `${onPlatform}store: "${store}"\n${apps}\n`;
}

/** A message of Anthropic that reports the usage of a row. */
function response(usage: string) {
  const { input, output, cached, forMinutes, forHour } = countsIn(usage);
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Hi.' }],
    usage: {
      ...{ input_tokens: input, output_tokens: output },
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: forMinutes + forHour,
      cache_creation: {
        ephemeral_5m_input_tokens: forMinutes,
        ephemeral_1h_input_tokens: forHour,
      },
      input_tokens_details: { image_tokens: countOf('of images', usage) },
      output_tokens_details: { thinking_tokens: countOf('of reasoning', usage) },
      server_tool_use: { web_search_requests: countOf('web searches', usage) },
      service_tier: wordOf('tier', usage) ?? 'standard',
      inference_geo: wordOf('region', usage) ?? 'global',
    },
  };
}

function countsIn(usage: string) {
  const of = (what: string) => countOf(what, usage);
  const [forMinutes, forHour] = [of('written for 5 minutes'), of('written for an hour')];
  return { input: of('input'), output: of('output'), cached: of('cached'), forMinutes, forHour };
}

function countOf(what: string, usage: string): number {
  const [, written = '0'] = new RegExp(`(?:^|, )([\\d,]+) ${what}(?:,|$)`).exec(usage) ?? [];
  return Number(written.replaceAll(',', ''));
}

function wordOf(name: string, usage: string): string | undefined {
  return new RegExp(`${name} (\\w+)`).exec(usage)?.[1];
}

test('the table has a row of each kind', () => expect(rows).toHaveLength(11));

describe.each(storeKinds)('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yamlOn(store) });
  });
  afterAll(() => server.close());

  test.each(rows)('%s: %s', async (quoted, usage = '', calculation = '', costUsd = '') => {
    const model = withoutQuotes(quoted);
    states = usage;
    const client = await server.client('search');
    const messages = [{ role: 'user' as const, content: 'x'.repeat(1_000_000) }];
    await client.chat({ model, messages, maxTokens: 100 });
    const call = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
    if (call === undefined) throw new Error('the call is in the books');
    const booked = { costUsd: formatUsd(call.cost), basis: call.basis };
    expect(booked).toEqual({ costUsd, basis: 'exact' });
    expect(sumOf(calculation)).toBeCloseTo(Number(costUsd), 12);
    const { lines } = await readReceipt(server.service.admin, call.callId);
    const products = lines.map(({ tokens, usdPerMillion, count: uses, usdEach }) =>
      tokens === null ? `${uses} × ${usdEach} USD` : `${tokens} × ${usdPerMillion}`,
    );
    expect(products).toEqual(calculation.replaceAll(',', '').split(/ \+ |; /));
    await expectClean(server);
  });

  test('an invoice at the price without tier, step or factor is not equal', async () => {
    const amounts = rows.map(([quoted, usage = '']) => {
      return { model: withoutQuotes(quoted), picoUsd: plainCost(withoutQuotes(quoted), usage) };
    });
    expect(await verdictsOn(server, amounts)).toEqual({
      ...{ flat: 'equal', cached: 'over', stepped: 'under', dated: 'over', tiered: 'under' },
      ...{ regional: 'under', contract: 'over', request: 'under', tool: 'under' },
      parts: 'under',
    });
  });

  test('an invoice of these amounts equals the booked amounts', async () => {
    const amounts = rows.map(([quoted, , , usd = '']) => {
      return { model: withoutQuotes(quoted), picoUsd: parseUsd(usd) ?? 0n };
    });
    const models = new Set(amounts.map(({ model }) => model));
    const equal = Object.fromEntries([...models].map((model) => [model, 'equal']));
    expect(await verdictsOn(server, amounts)).toEqual(equal);
    await expectClean(server);
  });

  /** The cost of all tokens at a model's first rates in the file. */
  function plainCost(model: string, usage: string): bigint {
    const { models } = server.configOf(yamlOn('sqlite:./gateway.db'));
    const [price] = models.find(({ id }) => id === model)?.prices ?? [];
    if (price === undefined) throw new Error(`${model} has a price`);
    const { input, output, cached, forMinutes, forHour } = countsIn(usage);
    const read = BigInt(input + cached + forMinutes + forHour);
    return read * price.inputPicoUsd + BigInt(output) * price.outputPicoUsd;
  }
});

/** In USD: rates are per million tokens, and amounts after a semicolon do not count. */
function sumOf(calculation: string): number {
  const products = calculation.split(/ \+ |; /).map((product) => {
    const [count = 0, each = 0] = product
      .replace(/,| USD/g, '')
      .split(' × ')
      .map(Number);
    return count * each * (product.endsWith('USD') ? 1_000_000 : 1);
  });
  return products.reduce((sum, product) => sum + product, 0) / 1_000_000;
}

const dayMs = 86_400_000;

interface Amount {
  readonly model: string;
  readonly picoUsd: bigint;
}

/** Imports an invoice of each platform, which is final when it is the same days later. */
async function verdictsOn(server: TestServer, amounts: readonly Amount[]) {
  const { admin } = server.service;
  const now = server.clock.now();
  const day = utcDayOf(now);
  const ends = utcDayOf(now + dayMs);
  for (const [name, workspace_id] of [
    ['claude', 'wrkspc_1'],
    ['discounted', 'wrkspc_2'],
  ] as const) {
    const own = amounts.filter(({ model }) => (model === 'contract') === (name === 'discounted'));
    const results = own.map(({ model, picoUsd }) => ({
      // In cents.
      ...{ currency: 'USD', amount: formatUsd(picoUsd * 100n), workspace_id },
      ...{ description: 'Tokens', cost_type: 'tokens', model },
    }));
    const bucket = { starting_at: `${day}T00:00:00Z`, ending_at: `${ends}T00:00:00Z`, results };
    const invoice = JSON.stringify({ data: [bucket], has_more: false, next_page: null });
    for (const days of [1, 4]) {
      const clock = { ...server.clock, now: () => now + days * dayMs };
      const sources = [{ name, chunks: bytesOf(invoice) }];
      const range = { from: day, to: day };
      const read = () => readInvoice(sources);
      await importInvoice({ ...admin, clock }, { platform: name, read, range });
    }
  }
  const config = server.configOf(yamlOn('sqlite:./gateway.db'));
  const { catalog } = checkCatalog(config, { shipped: [], clock: server.clock });
  const compared = await reconcile(admin, catalog, { from: day, to: day });
  return Object.fromEntries(compared.map(({ model, verdict }) => [model, verdict]));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
