import type { MonthCorrection } from '../../books/month-correction.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { sortedInTurns } from '../../lib/in-turns.ts';
import { focusBy } from '../../reports/focus.ts';
import { type FocusCharge, focusCharges, type Meter } from '../../reports/focus-charges.ts';
import type { Names } from '../../reports/report.ts';
import { selectMonthCorrections } from '../../store/sums/corrections.ts';
import { AdminError } from '../admin-error.ts';
import { readTagHistory } from '../apps/tag-history.ts';
import { type AdminContext, readingAside } from '../context.ts';
import type { Progress } from '../days/closed-parts.ts';
import { type MetersOf, readMeters } from './focus-meters.ts';
import { type Report, readReport } from './report.ts';
import { reportNames } from './report-names.ts';

export interface FocusAsked extends MetersOf {
  /** As sums name it; undefined: all. */
  readonly model?: string | undefined;
  /** The most expensive rows; undefined: all. */
  readonly top?: number | undefined;
}

/** Retries after a correction overtook the report. */
const triesMax = 5;

/**
 * The rows add up to the report, less corrections of later months, plus corrections made on these
 * days for earlier months. Calls that end meanwhile have amounts without a unit price. Throws an
 * AdminError for an unknown app.
 */
export async function readFocus(
  context: AdminContext,
  catalog: Catalog,
  asked: FocusAsked,
  progress: Progress = () => undefined,
): Promise<readonly FocusCharge[]> {
  const { from, to, apps, model, top } = asked;
  if (apps?.length === 0) return [];
  const days = { from, to, apps };
  const { names, meters } = await readCounts(context, catalog, days, progress);
  const { report, corrections } = await readAmounts(context, catalog, days, progress);
  const isWanted = (name = '') => model === undefined || name === model;
  const charges = await focusCharges({
    ...{ from, to, names },
    rows: report.rows.filter((row) => isWanted(row.names[modelAt])),
    meters: meters.filter((meter) => isWanted(meter.model)),
    corrections: corrections.filter((correction) => isWanted(correction.model)),
    tags: await readTagHistory(readingAside(context).store, names.tags),
  });
  if (top === undefined) return charges;
  const sorted = await sortedInTurns(charges, (one, other) =>
    one.cost === other.cost ? 0 : one.cost < other.cost ? 1 : -1,
  );
  return sorted.slice(0, top);
}

/** Who bills each platform. */
export function withVendors(platforms: readonly Pick<PlatformFacts, 'name' | 'kind'>[]) {
  return platforms.map(({ name, kind }) => ({ name, vendor: factsOf(kind).vendor }));
}

const modelAt = focusBy.indexOf('model');

interface Counts {
  readonly names: Names;
  readonly meters: readonly Meter[];
}

/** Counts are read first: what the report has in addition is then no count that is missing. */
function readCounts(
  context: AdminContext,
  catalog: Catalog,
  days: MetersOf,
  progress: Progress,
): Promise<Counts> {
  return context.turns.take(
    async () => {
      const aside = readingAside(context);
      const names = await reportNames(aside, catalog, days.apps);
      return { names, meters: await readMeters(aside.store, days, names.platform, progress) };
    },
    (before) => progress(`${before} before this one`),
  );
}

interface Amounts {
  readonly report: Report;
  readonly corrections: readonly MonthCorrection[];
}

/** No correction was made between the two readings. */
async function readAmounts(
  context: AdminContext,
  catalog: Catalog,
  days: MetersOf,
  progress: Progress,
): Promise<Amounts> {
  const { store } = readingAside(context);
  let before = await store.read(selectMonthCorrections(days));
  for (let tries = 0; tries < triesMax; tries++) {
    const asked = { ...days, by: focusBy, top: undefined };
    const report = await readReport(context, catalog, asked, progress);
    const corrections = await store.read(selectMonthCorrections(days));
    if (textOf(corrections) === textOf(before)) return { report, corrections };
    before = corrections;
  }
  throw new AdminError('calls are corrected too fast to be read: try again in a minute');
}

function textOf(corrections: readonly MonthCorrection[]): string {
  return JSON.stringify(corrections, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
