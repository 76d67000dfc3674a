import type { BilledDay, TokenType } from './billed-days.ts';
import { invalid } from './lib/platform-error.ts';
import { type Exchange, jsonHeaders, jsonReply, type Reply } from './lib/wire.ts';
import { defaultProjectId, type Projects } from './projects.ts';

interface Parts {
  readonly days: () => readonly BilledDay[];
  readonly projects: Projects;
}

const dayMs = 86_400_000;

/** Undefined for other paths or methods. */
export function answerInvoices(parts: Parts, exchange: Exchange): Reply | undefined {
  if (exchange.method !== 'GET') return undefined;
  const query = new URLSearchParams(exchange.query);
  switch (exchange.path) {
    case '/v1/organizations/cost_report':
      return jsonReply(exchange.requestId, 200, costReport(parts, query));
    case '/v1/organization/costs':
      return {
        ...{ status: 200, headers: jsonHeaders(exchange.requestId) },
        // The values become numbers, with more digits than a float has.
        body: JSON.stringify(costs(parts, query)).replaceAll(/"value":"([\d.]+)"/g, '"value":$1'),
      };
    case '/simulator/cur.csv':
      return {
        ...{ status: 200, headers: { 'content-type': 'text/csv' } },
        body: usageReport(parts),
      };
    default:
      return undefined;
  }
}

const anthropicTypes: Readonly<Record<TokenType, string>> = {
  input: 'uncached_input_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation.ephemeral_5m_input_tokens',
  cacheWrite1h: 'cache_creation.ephemeral_1h_input_tokens',
  output: 'output_tokens',
};

/** Decimal texts in cents; the default workspace is null. */
function costReport({ days }: Parts, query: URLSearchParams) {
  const from = Date.parse(query.get('starting_at') ?? '');
  const { dayStartsMs, ...rest } = pageOf(
    query,
    { from, to: Date.parse(query.get('ending_at') ?? '') },
    31,
  );
  return {
    data: dayStartsMs.map((startMs) => ({
      starting_at: timeTextOf(startMs),
      ending_at: timeTextOf(startMs + dayMs),
      results: daysAt(days(), startMs).map(({ projectId, model, tokenType, costPicoUsd }) => ({
        ...{ currency: 'USD', amount: decimal(costPicoUsd, 10), cost_type: 'tokens', model },
        workspace_id: projectId === defaultProjectId ? null : projectId.replace('proj_', 'wrkspc_'),
        ...{ description: `${model} ${tokenType}`, token_type: anthropicTypes[tokenType] },
        ...{ context_window: '0-200k', service_tier: 'standard', inference_geo: 'not_available' },
      })),
    })),
    ...rest,
  };
}

const openaiTypes: Readonly<Record<TokenType, string>> = {
  input: 'input',
  cacheRead: 'cached input',
  cacheWrite: 'cache write',
  cacheWrite1h: 'cache write 1h',
  output: 'output',
};

function costs({ days }: Parts, query: URLSearchParams) {
  const from = Number(query.get('start_time') ?? 'none') * 1_000;
  const { dayStartsMs, ...rest } = pageOf(
    query,
    { from, to: Number(query.get('end_time')) * 1_000 },
    180,
  );
  return {
    object: 'page',
    data: dayStartsMs.map((startMs) => ({
      ...{ object: 'bucket', start_time: startMs / 1_000, end_time: (startMs + dayMs) / 1_000 },
      results: daysAt(days(), startMs).map(
        ({ projectId, model, tokenType, tokens, costPicoUsd }) => ({
          object: 'organization.costs.result',
          amount: { value: decimal(costPicoUsd, 12), currency: 'usd' },
          line_item: `${model}, ${openaiTypes[tokenType]}`,
          ...{ project_id: projectId, quantity: tokens },
        }),
      ),
    })),
    ...rest,
  };
}

/** `page` is the number of earlier days. */
function pageOf(
  query: URLSearchParams,
  { from, to }: { readonly from: number; readonly to: number },
  limitMax: number,
) {
  if (!(from >= 0 && to > from)) throw invalid('Invalid time range.', 'start_time');
  const limit = Number(query.get('limit') ?? 7);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw invalid(`Invalid 'limit': expected 1 to ${limitMax}.`, 'limit');
  }
  const skipped = Number((query.get('page') ?? 'page_0').slice('page_'.length));
  const first = from + skipped * dayMs;
  const dayStartsMs: number[] = [];
  for (let at = first; at < to && dayStartsMs.length < limit; at += dayMs) dayStartsMs.push(at);
  const hasMore = first + dayStartsMs.length * dayMs < to;
  return {
    dayStartsMs,
    has_more: hasMore,
    next_page: hasMore ? `page_${skipped + dayStartsMs.length}` : null,
  };
}

function daysAt(days: readonly BilledDay[], startMs: number): readonly BilledDay[] {
  const dayText = timeTextOf(startMs).slice(0, 10);
  return days.filter(({ day }) => day === dayText);
}

const mantleTypes: Readonly<Record<TokenType, string>> = {
  input: 'input-tokens-standard',
  cacheRead: 'cache-read-tokens-standard',
  cacheWrite: 'cache-write-tokens-30m-standard',
  cacheWrite1h: 'cache-write-tokens-1h-standard',
  output: 'output-tokens-standard',
};

const columns = [
  ...['line_item_usage_start_date', 'line_item_usage_end_date', 'line_item_product_code'],
  ...['line_item_usage_type', 'line_item_usage_amount', 'pricing_unit'],
  ...['line_item_unblended_cost', 'line_item_currency_code', 'line_item_line_item_type'],
  'resource_tags',
];

/** A row per day; half of the rows count in thousands, half in millions. */
function usageReport({ days, projects }: Parts): string {
  const rows = days().map((row, index) => {
    const { projectId, day, model, tokenType, tokens, costPicoUsd } = row;
    const [unit, digits] = index % 2 === 0 ? ['1K tokens', 3] : ['1M tokens', 6];
    const { tags } = projects.get(projectId);
    const prefixed = Object.entries(tags).map(([name, value]) => [`user_${name}`, value]);
    return [
      ...[`${day}T00:00:00Z`, `${day}T01:00:00Z`, 'AmazonBedrock'],
      `USE1-${model}-mantle-${mantleTypes[tokenType]}`,
      ...[decimal(BigInt(tokens), Number(digits)), String(unit)],
      ...[
        decimal(costPicoUsd, 12),
        'USD',
        'Usage',
        quote(JSON.stringify(Object.fromEntries(prefixed))),
      ],
    ].join(',');
  });
  return [columns.join(','), ...rows, ''].join('\n');
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function timeTextOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

function decimal(amount: bigint, digits: number): string {
  const text = amount.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
