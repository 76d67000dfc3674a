import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReceipt } from '../packages/server/src/admin/receipt.ts';
import { importInvoice } from '../packages/server/src/admin/reconcile-import.ts';
import { reconcile } from '../packages/server/src/admin/reconcile-show.ts';
import { checkCatalog } from '../packages/server/src/catalog/check-catalog.ts';
import { utcDayOf } from '../packages/server/src/lib/clock.ts';
import { formatUsd } from '../packages/server/src/lib/money.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
} from '../packages/server/test/calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../packages/server/test/support/books.ts';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
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
let server: TestServer;
let states = '';

beforeAll(async () => {
  platform = await startSpokenPlatform(() => ({ whole: response(), events: [] }));
  server = await startServer({ yaml: yamlOf(platform) });
});
afterAll(async () => {
  await server.close();
  platform.close();
});

function yamlOf({ baseUrl }: SpokenPlatform): string {
  const [yaml = ''] = codeBlocks(section, 'yaml');
  const onPlatform = yaml.replaceAll(
    'kind: anthropic',
    `kind: anthropic, baseUrl: "${baseUrl}/v1"`,
  );
  const projects = 'projects: { claude: wrkspc_1, discounted: wrkspc_2 }';
  const apps = `apps: [{ name: search, dailyBudgetUsd: "50", ${projects} }]`;
  return `${onPlatform}store: sqlite:./gateway.db\n${apps}\n`;
}

/** A message of Anthropic that states what a row says. */
function response() {
  const [forMinutes, forHour] = [count('written for 5 minutes'), count('written for an hour')];
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Hi.' }],
    usage: {
      ...{ input_tokens: count('input'), output_tokens: count('output') },
      cache_read_input_tokens: count('cached'),
      cache_creation_input_tokens: forMinutes + forHour,
      cache_creation: {
        ephemeral_5m_input_tokens: forMinutes,
        ephemeral_1h_input_tokens: forHour,
      },
      input_tokens_details: { image_tokens: count('of images') },
      output_tokens_details: { thinking_tokens: count('of reasoning') },
      server_tool_use: { web_search_requests: count('web searches') },
      service_tier: word('tier') ?? 'standard',
      inference_geo: word('region') ?? 'global',
    },
  };
}

function count(of: string): number {
  const [, written = '0'] = new RegExp(`(?:^|, )([\\d,]+) ${of}(?:,|$)`).exec(states) ?? [];
  return Number(written.replaceAll(',', ''));
}

function word(name: string): string | undefined {
  return new RegExp(`${name} (\\w+)`).exec(states)?.[1];
}

test('the table has a row of each kind', () => expect(rows).toHaveLength(11));

test.each(rows)('%s: %s', async (quoted, stated = '', calculation = '', costUsd = '') => {
  const model = withoutQuotes(quoted);
  states = stated;
  const client = await server.client('search');
  const messages = [{ role: 'user' as const, content: 'x'.repeat(1_000_000) }];
  await client.chat({ model, messages, maxTokens: 100 });
  const call = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
  if (call === undefined) throw new Error('the call is in the books');
  expect({ costUsd: formatUsd(call.cost), basis: call.basis }).toEqual({ costUsd, basis: 'exact' });
  expect(sumOf(calculation)).toBeCloseTo(Number(costUsd), 12);
  const { lines } = await readReceipt(server.service.admin, call.callId);
  const products = lines.map(({ tokens, usdPerMillion, count: uses, usdEach }) =>
    tokens === null ? `${uses} × ${usdEach} USD` : `${tokens} × ${usdPerMillion}`,
  );
  expect(products).toEqual(calculation.replaceAll(',', '').split(/ \+ |; /));
  await expectClean(server);
});

/** In USD: rates are per million tokens, and amounts behind a semicolon are not. */
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

test('an invoice of these amounts is equal to what was booked', async () => {
  const { admin } = server.service;
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  expect(calls).toHaveLength(rows.length);
  const [day, next] = [0, 86_400_000].map((later) => utcDayOf(server.clock.now() + later));
  if (day === undefined) throw new Error('today is a day');
  const invoice = (platformName: string, workspace_id: string) => {
    const own = rows.filter(([model]) => (model === '`contract`') === (platformName !== 'claude'));
    const results = own.map(([model, , , usd = '']) => ({
      ...{ currency: 'USD', amount: String((Number(usd) * 100).toFixed(10)), workspace_id },
      ...{ description: 'Tokens', cost_type: 'tokens', model: withoutQuotes(model) },
    }));
    const bucket = { starting_at: `${day}T00:00:00Z`, ending_at: `${next}T00:00:00Z`, results };
    return JSON.stringify({ data: [bucket], has_more: false, next_page: null });
  };
  for (const [name, workspace] of [
    ['claude', 'wrkspc_1'],
    ['discounted', 'wrkspc_2'],
  ] as const) {
    const sources = [{ name, chunks: bytesOf(invoice(name, workspace)) }];
    await importInvoice(admin, { platform: name, sources, range: { from: day, to: day } });
  }
  const config = server.configOf(yamlOf(platform));
  const { catalog } = checkCatalog(config, { shipped: [], clock: server.clock });
  const compared = await reconcile(admin, catalog, { from: day, to: day });
  const verdicts = compared.map(({ model, verdict }) => `${model} ${verdict}`);
  const models = new Set(rows.map(([model]) => withoutQuotes(model)));
  expect(verdicts.toSorted()).toEqual([...models].map((model) => `${model} equal`).toSorted());
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
