import type { Catalog } from '../../catalog/catalog.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import type { Dimension } from '../../reports/dimensions.ts';
import {
  noSums,
  type ReportRow,
  sumsDocument,
  topOf,
  totalOf,
  withoutName,
} from '../../reports/report.ts';
import type { AdminContext } from '../context/context.ts';
import type { Progress } from '../days/closed-parts.ts';
import type { Spend } from '../documents/reports.ts';
import { type Report, type ReportQuery, readReport } from './report.ts';

/** UTC days, both included. */
export interface SpendQuery {
  readonly from: string;
  readonly to: string;
  readonly by: readonly Dimension[];
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  /** The model's name in the rollups; undefined: all. */
  readonly model: string | undefined;
  /** The most expensive rows; undefined: {@link rowsMax}. */
  readonly top: number | undefined;
  readonly compare: boolean;
}

/** The default page size: the most expensive rows. */
export const rowsMax = 1_000;

const dayMs = 86_400_000;
const partsMax = 7;
/** The maximum days of a forecast: older days matter less. */
const meanOfMax = 14;

/** Reads as `report` does. Throws an AdminError for an unknown app. */
export async function readSpend(
  context: AdminContext,
  catalog: Catalog,
  query: SpendQuery,
): Promise<Spend> {
  const { from, to, by, apps, model, top } = query;
  const read = (split: SplitQuery, range = { from, to }) =>
    readSpendRows(context, catalog, { ...range, ...split, apps, model });
  const { rows, found, total, byDay } = await rowsAndDays(read, by, top);
  const totals = dayTotals(query, byDay);
  const forecast = forecastOf(totals, utcDayOf(context.clock.now()));
  const earlier = query.compare ? rangeBefore(query) : undefined;
  const before = earlier && { ...earlier, total: (await read({ by: [] }, earlier)).total };
  return {
    ...{ from, to, by },
    rows: rows.map(rowDocument),
    total: sumsDocument(total),
    found,
    days: await daysOf(totals, byDay),
    ...(before && { before: { ...before, total: sumsDocument(before.total) } }),
    ...(forecast && { forecast }),
  };
}

function rowDocument({ names, sums }: ReportRow) {
  return { names, sums: sumsDocument(sums) };
}

/** Empty for sessions without an app. Throws an AdminError for an unknown app. */
export async function readSpendRows(
  context: AdminContext,
  catalog: Catalog,
  { model, ...query }: Pick<SpendQuery, 'from' | 'to' | 'apps' | 'model'> & SplitQuery,
  progress: Progress = () => undefined,
): Promise<SpendRows> {
  const none = { rows: [], alsoRows: [], total: noSums, found: 0 };
  if (query.apps?.length === 0) return none;
  const read = (split: SplitQuery) =>
    readReport(context, catalog, { top: undefined, ...query, ...split }, progress);
  if (model === undefined) return read(query);
  const { by, alsoBy, top } = query;
  const withModel = alsoBy && withFirst('model', alsoBy);
  const { rows, alsoRows } = await read({
    ...{ by: withFirst('model', by), alsoBy: withModel, top: undefined },
  });
  const matches = ofName(rows, by.indexOf('model'), model);
  return {
    rows: top === undefined ? matches : await topOf(matches, top),
    alsoRows: ofName(alsoRows, alsoBy?.indexOf('model') ?? -1, model),
    ...{ total: await totalOf(matches), found: matches.length },
  };
}

type SplitQuery = Pick<ReportQuery, 'by' | 'alsoBy'> & { readonly top?: number | undefined };
type SpendRows = Pick<Report, 'rows' | 'alsoRows' | 'total' | 'found'>;

function withFirst(one: Dimension, by: readonly Dimension[]): readonly Dimension[] {
  return by.includes(one) ? by : [one, ...by];
}

/** `at` -1: `withFirst` added the dimension, which is removed here. */
function ofName(rows: readonly ReportRow[], at: number, name: string): readonly ReportRow[] {
  const matches = rows.filter(({ names }) => names[Math.max(at, 0)] === name);
  return at === -1 ? withoutName(matches, 0) : matches;
}

interface ByDay {
  readonly rows: readonly ReportRow[];
  /** False: the second name has no meaning. */
  readonly isSplit: boolean;
}

/** One read, except for users: the rollups have no days of users. */
async function rowsAndDays(
  read: (split: SplitQuery) => Promise<SpendRows>,
  by: readonly Dimension[],
  top: number | undefined,
): Promise<Omit<SpendRows, 'alsoRows'> & { readonly byDay: ByDay }> {
  if (by.includes('user')) {
    const { rows } = await read({ by: ['day'] });
    return { ...(await read({ by, top: top ?? rowsMax })), byDay: { rows, isSplit: false } };
  }
  const [first] = by;
  const isSplit = first !== undefined && first !== 'day';
  const split = await read({ by, alsoBy: isSplit ? ['day', first] : ['day'], top });
  const isTooMany = top === undefined && split.rows.length > rowsMax;
  const shown = isTooMany ? await topOf(split.rows, rowsMax) : split.rows;
  return { ...split, rows: shown, byDay: { rows: split.alsoRows, isSplit } };
}

interface DayTotal {
  readonly day: string;
  readonly cost: bigint;
}

function dayTotals(
  { from, to }: Pick<SpendQuery, 'from' | 'to'>,
  { rows }: ByDay,
): readonly DayTotal[] {
  const costs = new Map<string, bigint>();
  for (const {
    names: [day = ''],
    sums,
  } of rows)
    costs.set(day, (costs.get(day) ?? 0n) + sums.cost);
  return daysBetween(from, to).map((day) => ({ day, cost: costs.get(day) ?? 0n }));
}

function daysBetween(from: string, to: string): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) => dayAfter(from, index));
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

async function daysOf(
  totals: readonly DayTotal[],
  { rows, isSplit }: ByDay,
): Promise<Spend['days']> {
  const named = isSplit ? rows.map(({ names, sums }) => ({ names: names.slice(1, 2), sums })) : [];
  const mostExpensive = await topOf(
    withoutName(
      named.map(({ names, sums }) => ({ names: ['', ...names], sums })),
      0,
    ),
    partsMax,
  );
  const shown = new Set(mostExpensive.map(({ names: [name = ''] }) => name));
  const byDay = Map.groupBy(isSplit ? rows : [], ({ names: [day = ''] }) => day);
  return totals.map(({ day, cost }) => {
    const costs = new Map<string | null, bigint>();
    for (const {
      names: [, name = ''],
      sums,
    } of byDay.get(day) ?? []) {
      const part = shown.has(name) ? name : null;
      costs.set(part, (costs.get(part) ?? 0n) + sums.cost);
    }
    const parts = [...costs].map(([name, part]) => ({ name, costUsd: formatUsd(part) }));
    return { day, costUsd: formatUsd(cost), parts };
  });
}

/** The same number of days before, or of whole months. */
function rangeBefore({ from, to }: Pick<SpendQuery, 'from' | 'to'>) {
  const before = dayAfter(from, -1);
  const isMonths = from.endsWith('-01') && dayAfter(to, 1).endsWith('-01');
  if (!isMonths) return { from: dayAfter(from, -daysBetween(from, to).length), to: before };
  const months = monthNumber(to) - monthNumber(from) + 1;
  const first = monthNumber(from) - months;
  const year = String(Math.floor(first / 12)).padStart(4, '0');
  const month = String((first % 12) + 1).padStart(2, '0');
  return { from: `${year}-${month}-01`, to: before };
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** The mean of the last full days, for each remaining day. */
function forecastOf(totals: readonly DayTotal[], today: string): Spend['forecast'] {
  const over = totals.filter(({ day }) => day < today);
  const open = totals.filter(({ day }) => day >= today);
  const [now] = open;
  const known = over.slice(-meanOfMax);
  if (now === undefined || now.day !== today || known.length === 0) return undefined;
  const sum = (days: readonly DayTotal[]) => days.reduce((all, { cost }) => all + cost, 0n);
  const mean = sum(known) / BigInt(known.length);
  const rest = larger(now.cost, mean) + mean * BigInt(open.length - 1);
  const days =
    known.length === 1 ? 'the last full day' : `the mean of the last ${known.length} full days`;
  const basis = `${days} for each of the ${open.length} remaining days`;
  return { usd: formatUsd(sum(over) + rest), basis };
}
