import { eachInTurns } from '../lib/in-turns.ts';
import { formatUsd } from '../lib/money.ts';
import { csvLine } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import type { Names, ReportRow } from './report.ts';
import { tagsJson } from './tags.ts';

// FOCUS, the open specification of billing data: its mandatory columns as far as they have a
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
  ...['ListCost', 'ContractedCost', 'ConsumedQuantity', 'ConsumedUnit', 'ProviderName'],
  ...['PublisherName', 'InvoiceIssuerName', 'ServiceCategory', 'ServiceName', 'SubAccountId'],
  ...['SubAccountName', 'SkuId', 'ResourceId', 'Tags', 'x_App', 'x_Calls', 'x_Errors'],
  ...['x_InputTokens', 'x_OutputTokens', 'x_EstimatedCost', 'x_CorrectedCost', 'x_UnpricedCost'],
];

/** The lines of a file of FOCUS 1; rows are split by {@link focusBy}. */
export async function focusLines(
  rows: readonly ReportRow[],
  company: string,
  tagsOf: Names['tags'],
): Promise<readonly string[]> {
  const lines = [csvLine(head)];
  await eachInTurns(rows, (row) => void lines.push(csvLine(cellsOf(row, company, tagsOf))));
  return lines;
}

function cellsOf({ names: found, sums }: ReportRow, company: string, tagsOf: Names['tags']) {
  const [day = '', app = '', project = '', platform = '', model = ''] = found;
  const month = day.slice(0, 7);
  const number = (value: number | string) => ({ number: String(value) });
  const cost = number(formatUsd(sums.cost));
  return [
    ...[company, company, 'USD', startOf(`${month}-01`), nextMonthOf(month)],
    ...[startOf(day), startOf(nextDayOf(day)), 'Usage', ''],
    ...[`${model} by ${app}`, 'Usage-Based', cost, cost, cost, cost],
    ...[number(sums.inputTokens + sums.outputTokens), 'Tokens', platform, platform, platform],
    ...['AI and Machine Learning', platform, project, project === '' ? '' : app, model, ''],
    ...[tagsJson(tagsOf(app)), app, number(sums.calls), number(sums.errors)],
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
