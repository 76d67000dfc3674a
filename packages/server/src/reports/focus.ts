import { eachInTurns } from '../lib/in-turns.ts';
import { formatUsd } from '../lib/money.ts';
import { plainCsvLine } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import type { Names, ReportRow } from './report.ts';
import { tagsJson } from './tags.ts';

// FOCUS 1.2, the open specification of billing data: its mandatory columns as far as they have a
// meaning here, one row a day, app, project, platform and model.

/** How a report is split for it. */
export const focusBy = [
  'day',
  'app',
  'project',
  'platform',
  'model',
] as const satisfies readonly Dimension[];

const head = [
  ...['BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodStart'],
  ...['BillingPeriodEnd', 'ChargePeriodStart', 'ChargePeriodEnd', 'ChargeCategory'],
  ...['ChargeClass', 'ChargeDescription', 'ChargeFrequency', 'BilledCost', 'EffectiveCost'],
  ...['ListCost', 'ContractedCost', 'ConsumedQuantity', 'ConsumedUnit', 'PricingQuantity'],
  ...['PricingUnit', 'ProviderName', 'PublisherName', 'InvoiceIssuerName', 'ServiceCategory'],
  ...['ServiceSubcategory', 'ServiceName', 'SubAccountId', 'SubAccountName', 'SkuId', 'ResourceId'],
  ...['Tags', 'x_App', 'x_Platform', 'x_Calls', 'x_Errors', 'x_InputTokens', 'x_OutputTokens'],
  ...['x_EstimatedCost', 'x_CorrectedCost', 'x_UnpricedCost'],
];

/** What names of a file are made of. */
export interface FocusParts {
  readonly company: string;
  readonly tagsOf: Names['tags'];
  readonly platforms: readonly { readonly name: string; readonly kind: string }[];
}

/** Who bills for a platform, and for what. */
interface Vendor {
  readonly name: string;
  readonly service: string;
}

/** By the kind of the platform; others go by their names in the configuration. */
const vendors: Readonly<Record<string, Vendor>> = {
  openai: { name: 'OpenAI', service: 'OpenAI API' },
  anthropic: { name: 'Anthropic', service: 'Claude API' },
  'bedrock-mantle': { name: 'AWS', service: 'Amazon Bedrock' },
};

/** The lines of a file of FOCUS; rows are split by {@link focusBy}. */
export async function focusLines(
  rows: readonly ReportRow[],
  parts: FocusParts,
): Promise<readonly string[]> {
  const vendorOf = new Map(parts.platforms.map(({ name, kind }) => [name, vendors[kind]]));
  const lines = [plainCsvLine(head)];
  await eachInTurns(rows, (row) => {
    const [, , , platform = ''] = row.names;
    const vendor = vendorOf.get(platform) ?? { name: platform, service: platform };
    lines.push(plainCsvLine(cellsOf(row, vendor, parts)));
  });
  return lines;
}

function cellsOf(
  { names: found, sums }: ReportRow,
  { name: vendor, service }: Vendor,
  { company, tagsOf }: FocusParts,
) {
  const [day = '', app = '', project = '', platform = '', model = ''] = found;
  const month = day.slice(0, 7);
  const number = (value: number | string) => ({ number: String(value) });
  const cost = number(formatUsd(sums.cost));
  const tokens = number(sums.inputTokens + sums.outputTokens);
  return [
    ...[company, company, 'USD', startOf(`${month}-01`), nextMonthOf(month)],
    ...[startOf(day), startOf(nextDayOf(day)), 'Usage', ''],
    ...[`${model} by ${app}`, 'Usage-Based', cost, cost, cost, cost],
    ...[tokens, 'Tokens', tokens, 'Tokens', vendor, vendor, vendor],
    ...['AI and Machine Learning', 'Generative AI', service],
    ...[project, project === '' ? '' : app, model, '', tagsJson(tagsOf(app)), app, platform],
    ...[number(sums.calls), number(sums.errors)],
    ...[number(sums.inputTokens), number(sums.outputTokens), number(formatUsd(sums.estimated))],
    ...[number(formatUsd(sums.corrected)), number(formatUsd(sums.unpriced))],
  ];
}

function startOf(day: string): string {
  return `${day}T00:00:00Z`;
}

function nextDayOf(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function nextMonthOf(month: string): string {
  const first = Date.parse(`${month}-01`);
  // Any moment of the month after it: no month has 32 days, and none fewer than 28.
  return startOf(`${new Date(first + 32 * 86_400_000).toISOString().slice(0, 7)}-01`);
}
