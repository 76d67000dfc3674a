import type { Catalog } from '../../catalog/catalog.ts';
import type { ComparedRow } from '../../invoices/compare.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectInvoiceDaysSince } from '../../store/queries/invoices.ts';
import type { InvoiceDay } from '../../store/schema/invoice-tables.ts';
import { selectPruneHorizon } from '../../store/sums/prune-calls.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Problem } from '../documents/today.ts';
import { compareDays, isFinalDay } from './reconcile-show.ts';

interface CheckParts {
  readonly catalog: Catalog;
  readonly log: Pick<Log, 'error'>;
}

interface Difference {
  readonly difference: bigint;
  readonly invoice: bigint;
}

interface DayCheck {
  /** Identifies the day's figures: another mark requires another comparison. */
  readonly mark: string;
  readonly atMs: number;
  /** Undefined where the invoice matches. */
  readonly difference: Difference | undefined;
}

const dayMs = 86_400_000;
const lookBackMs = 35 * dayMs;
/** A comparison also reads the calls of two days before and after. */
const daysAtOnce = 7;
/** A correction or a binding may explain a difference. */
const recheckMs = 3_600_000;
const retryDelayMs = 60_000;

/**
 * Returns the newest invoice day that differs from the ledger, with the verdicts of `reconcile
 * show`. A comparison is not stored, and reads all calls of its days. So each imported day is
 * compared once in the background, through the report queue; days that differ are compared again
 * after an hour. A read only checks the imported days.
 */
export function createInvoiceCheck(
  operator: AdminContext,
  { catalog, log }: CheckParts,
): () => Promise<readonly Problem[]> {
  const context = withOperatorReads(operator);
  const { store, clock } = context;
  let checked: ReadonlyMap<string, DayCheck> = new Map();
  let notBeforeMs = 0;
  let isRunning = false;

  return async () => {
    const nowMs = clock.now();
    const marks = await readMarks(context, nowMs);
    const isUnchanged = (day: string) => checked.get(day)?.mark === marks.get(day);
    checked = new Map([...checked].filter(([day]) => isUnchanged(day)));
    const due = [...marks.keys()].filter((day) => isDue(checked.get(day), nowMs));
    if (due.length > 0 && !isRunning && nowMs >= notBeforeMs) void compareAll(marks, due);
    return problemsOf([...checked].toSorted(([a], [b]) => (a > b ? -1 : 1)));
  };

  /** Never rejects. */
  async function compareAll(marks: Marks, due: readonly string[]): Promise<void> {
    isRunning = true;
    try {
      let remaining = due;
      for (let to = remaining[0]; to !== undefined; to = remaining[0]) {
        const oldest = utcDayOf(Date.parse(to) - (daysAtOnce - 1) * dayMs);
        const from = remaining.findLast((day) => day >= oldest) ?? to;
        const differences = await differencesOf(from, to);
        const done = [...marks].filter(([day]) => day >= from && day <= to);
        const atMs = clock.now();
        const now = done.map(
          ([day, mark]) => [day, { mark, atMs, difference: differences.get(day) }] as const,
        );
        checked = new Map([...checked, ...now]);
        remaining = remaining.filter((day) => day < from);
      }
    } catch (error) {
      notBeforeMs = clock.now() + retryDelayMs;
      log.error({ error: String(error) }, 'comparing invoices with the ledger failed');
    }
    isRunning = false;
  }

  async function differencesOf(from: string, to: string) {
    const days = await store.read(selectInvoiceDaysSince(from));
    const platforms = [...new Set(days.map(({ platform }) => platform))];
    const compared = await operator.reportQueue.run(() =>
      compareDays(context, catalog, { platforms, from, to }),
    );
    const rows = compared.flatMap((one) => one.rows).filter(({ verdict }) => verdict !== 'open');
    return new Map(
      [...Map.groupBy(rows, ({ day }) => day)].flatMap(([day, of]) =>
        of.some(isUnexplained) ? [[day, differenceOf(of)] as const] : [],
      ),
    );
  }
}

/** The marks of imported days, newest first. */
type Marks = ReadonlyMap<string, string>;

async function readMarks({ store }: AdminContext, nowMs: number): Promise<Marks> {
  const horizon = (await store.read(selectPruneHorizon)) ?? '';
  const days = await store.read(selectInvoiceDaysSince(utcDayOf(nowMs - lookBackMs)));
  const unpruned = days.filter(({ day }) => day >= horizon);
  return new Map(
    [...Map.groupBy(unpruned, ({ day }) => day)].map(([day, of]) => [day, markOf(of)]),
  );
}

function markOf(days: readonly InvoiceDay[]): string {
  return days
    .map((day) => `${day.platform} ${day.figureHash} ${isFinalDay(day) ? 'final' : 'open'}`)
    .join('\n');
}

function isDue(check: DayCheck | undefined, nowMs: number): boolean {
  return check === undefined || (check.difference !== undefined && nowMs - check.atMs >= recheckMs);
}

/** `reconcile show` fails for these. */
function isUnexplained({ verdict }: ComparedRow): boolean {
  return verdict !== 'equal' && verdict !== 'explained';
}

function differenceOf(rows: readonly ComparedRow[]): Difference {
  let [difference, invoice] = [0n, 0n];
  for (const row of rows) {
    difference += row.invoice - row.exact - row.estimated;
    invoice += row.invoice;
  }
  return { difference, invoice };
}

function problemsOf(newestFirst: readonly (readonly [string, DayCheck])[]): readonly Problem[] {
  const [first, ...others] = newestFirst.flatMap(([day, { difference }]) =>
    difference === undefined ? [] : [{ day, difference }],
  );
  if (first === undefined) return [];
  const { day, difference } = first;
  const more = others.length === 0 ? '' : `; ${daysText(others.length)} before it also differ`;
  const text = `invoice of ${day}: differs from the ledger ${byText(difference)}${more}`;
  const query = new URLSearchParams({ month: day.slice(0, 7), day });
  return [{ kind: 'invoice', text, href: `/console/reconcile?${query}` }];
}

function daysText(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

function byText({ difference, invoice }: Difference): string {
  // Differences of single lines may cancel each other.
  if (difference === 0n) return 'in single lines, not in total';
  const size = difference < 0n ? -difference : difference;
  const share = invoice > 0n ? ` (${shareOf((size * 10_000n) / invoice)})` : '';
  return `by $${formatUsd(size)}${share}`;
}

/** Takes hundredths of a percent, truncated; from 10 % on, shows only whole percent. */
function shareOf(hundredths: bigint): string {
  if (hundredths === 0n) return 'under 0.01%';
  if (hundredths >= 1_000n) return `${hundredths / 100n}%`;
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}
