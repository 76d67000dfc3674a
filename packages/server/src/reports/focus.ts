import { eachInTurns } from '../lib/in-turns.ts';
import { formatUsd } from '../lib/money.ts';
import { csvLine, plainLine } from './csv.ts';
import type { Dimension } from './dimensions.ts';
import type { FocusCharge } from './focus-charges.ts';
import { tagsJson } from './tags.ts';

// FOCUS, the open specification of billing data: its mandatory columns, and the other columns that
// have a meaning here. A row is the count of one meter at one price, or an amount without a unit
// price.

export const focusBy = [
  'day',
  'app',
  'project',
  'platform',
  'model',
] as const satisfies readonly Dimension[];

/** Newest last. */
export const focusVersions = ['1.2', '1.3'] as const;
export type FocusVersion = (typeof focusVersions)[number];

const rowsAtOnce = 50;

interface FocusVendor {
  readonly name: string;
  readonly service: string;
}

export interface FocusParts {
  readonly company: string;
  readonly platforms: readonly {
    readonly name: string;
    readonly vendor: FocusVendor | undefined;
  }[];
  /** Undefined: the newest. */
  readonly version?: FocusVersion;
}

export async function focusLines(
  charges: readonly FocusCharge[],
  { company, platforms, version }: FocusParts,
): Promise<readonly string[]> {
  const columns = columnsOf(version);
  const vendors = new Map(platforms.map(({ name, vendor }) => [name, vendor]));
  const lines = [csvLine(columns.map(({ name }) => name))];
  const add = (charge: FocusCharge) => {
    const row = {
      ...charge,
      company,
      vendor: vendors.get(charge.platform) ?? unknownVendor(charge.platform),
    };
    // No protection against formulas: other programs join by these strings, so they must not
    // change.
    lines.push(plainLine(columns.map(({ cell }) => String(cell(row)))));
  };
  await eachInTurns(charges, add, rowsAtOnce);
  return lines;
}

export function focusMetadata(version: FocusVersion | undefined, generatorVersion: string) {
  const FocusVersion = version ?? newest;
  return {
    DataGenerator: { DataGenerator: 'model-gateway' },
    Schema: {
      SchemaId: `model-gateway-focus-${FocusVersion}`,
      ...{ FocusVersion, DataGeneratorVersion: generatorVersion },
      ColumnDefinition: columnsOf(FocusVersion).map(({ name, type }) => ({
        ...{ ColumnName: name, DataType: type },
      })),
    },
  };
}

const newest = '1.3' satisfies FocusVersion;

/** Only the platform's alias is available. */
function unknownVendor(platform: string): FocusVendor {
  return { name: platform, service: platform };
}

interface FocusRow extends FocusCharge {
  readonly vendor: FocusVendor;
  readonly company: string;
}

interface Column {
  readonly name: string;
  readonly type: 'STRING' | 'DATETIME' | 'DECIMAL' | 'JSON';
  readonly cell: (row: FocusRow) => string | number | bigint;
  /** The first version with it; undefined: all. */
  readonly since?: FocusVersion;
}

function text(name: string, cell: Column['cell'], since?: FocusVersion): Column {
  return { name, type: 'STRING', cell, ...(since === undefined ? {} : { since }) };
}

function time(name: string, cell: Column['cell']): Column {
  return { name, type: 'DATETIME', cell };
}

function json(name: string, cell: Column['cell']): Column {
  return { name, type: 'JSON', cell };
}

function number(name: string, cell: Column['cell']): Column {
  return { name, type: 'DECIMAL', cell };
}

const usd = ({ cost }: FocusRow) => formatUsd(cost);
const quantity = ({ meter }: FocusRow) => meter?.quantity ?? '';
const unit = ({ meter }: FocusRow) => meter?.unit ?? '';
// The store only has prices with the contract's factor, so the list price equals the contracted
// price.
const unitPrice = ({ meter }: FocusRow) => (meter === undefined ? '' : formatUsd(meter.unitPrice));
const vendorName = ({ vendor }: FocusRow) => vendor.name;

const columns: readonly Column[] = [
  text('BillingAccountId', ({ company }) => company),
  text('BillingAccountName', ({ company }) => company),
  text('BillingCurrency', () => 'USD'),
  time('BillingPeriodStart', ({ month }) => startOf(`${month}-01`)),
  time('BillingPeriodEnd', ({ month }) => nextMonthOf(month)),
  time('ChargePeriodStart', ({ day }) => startOf(day)),
  time('ChargePeriodEnd', ({ day }) => startOf(nextDayOf(day))),
  text('ChargeCategory', categoryOf),
  text('ChargeClass', ({ isCorrection }) => (isCorrection ? 'Correction' : '')),
  text('ChargeDescription', descriptionOf),
  text('ChargeFrequency', () => 'Usage-Based'),
  number('BilledCost', usd),
  number('EffectiveCost', usd),
  number('ListCost', usd),
  number('ContractedCost', usd),
  number('ListUnitPrice', unitPrice),
  number('ContractedUnitPrice', unitPrice),
  text('PricingCategory', ({ meter }) => (meter === undefined ? '' : 'Standard')),
  number('ConsumedQuantity', quantity),
  text('ConsumedUnit', unit),
  number('PricingQuantity', quantity),
  text('PricingUnit', unit),
  text('ProviderName', vendorName),
  text('PublisherName', vendorName),
  text('ServiceProviderName', vendorName, '1.3'),
  text('HostProviderName', vendorName, '1.3'),
  text('InvoiceIssuerName', vendorName),
  text('ServiceCategory', () => 'AI and Machine Learning'),
  text('ServiceSubcategory', () => 'Generative AI'),
  text('ServiceName', ({ vendor }) => vendor.service),
  text('SubAccountId', ({ project }) => project),
  text('SubAccountName', ({ project, app }) => (project === '' ? '' : app)),
  text('SkuId', ({ model }) => model),
  text('SkuMeter', meterOf),
  text('SkuPriceId', ({ meter }) => meter?.priceId ?? ''),
  json('SkuPriceDetails', ({ meter }) =>
    meter === undefined ? '' : JSON.stringify(meter.details),
  ),
  text('ResourceId', () => ''),
  json('Tags', ({ tags }) => tagsJson(tags)),
  text('x_App', ({ app }) => app),
  number('x_Calls', ({ sums }) => sums.calls),
  number('x_Errors', ({ sums }) => sums.errors),
  number('x_InputTokens', ({ sums }) => sums.inputTokens),
  number('x_OutputTokens', ({ sums }) => sums.outputTokens),
  number('x_EstimatedCost', ({ sums }) => formatUsd(sums.estimated)),
  number('x_CorrectedCost', ({ sums }) => formatUsd(sums.corrected)),
  number('x_UnpricedCost', ({ sums }) => formatUsd(sums.unpriced)),
  text('x_Platform', ({ platform }) => platform),
];

/** FOCUS requires a quantity and a price for usage; an amount without them is an adjustment. */
function categoryOf({ meter, isCorrection }: FocusRow): string {
  return meter !== undefined || isCorrection ? 'Usage' : adjustment;
}

/** Names the meter of a row with a SKU; otherwise the kind of its amount. */
function meterOf({ meter, isCorrection, sums }: FocusRow): string {
  if (meter !== undefined) return meter.name;
  if (isCorrection) return 'Correction';
  return sums.estimated === 0n ? adjustment : 'Estimate';
}

const adjustment = 'Adjustment';

function descriptionOf(row: FocusRow): string {
  const subject = `${row.model} by ${row.app}`;
  const name = meterOf(row);
  return name === adjustment ? subject : `${subject}: ${name}`;
}

function columnsOf(version: FocusVersion = newest): readonly Column[] {
  const at = focusVersions.indexOf(version);
  return columns.filter(({ since }) => since === undefined || focusVersions.indexOf(since) <= at);
}

function startOf(day: string): string {
  return `${day}T00:00:00Z`;
}

function nextDayOf(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function nextMonthOf(month: string): string {
  const first = Date.parse(`${month}-01`);
  // No month has 32 days, and each has at least 28, so this day is in the next month.
  return startOf(`${new Date(first + 32 * 86_400_000).toISOString().slice(0, 7)}-01`);
}
