import type { AuditLine } from '../../books/audit-line.ts';
import type { MonthCorrection } from '../../books/month-correction.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { sortedInTurns } from '../../lib/in-turns.ts';
import { focusBy } from '../../reports/focus.ts';
import { type FocusCharge, focusCharges, type Meter } from '../../reports/focus-charges.ts';
import type { Names } from '../../reports/report.ts';
import type { Tags } from '../../reports/tags.ts';
import type { Store } from '../../store/port/port.ts';
import { selectAppLines } from '../../store/queries/audit-log.ts';
import { selectMonthCorrections } from '../../store/sums/corrections.ts';
import { AdminError } from '../context/admin-error.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { Progress } from '../days/closed-parts.ts';
import { type MetersOf, readMeters } from './focus-meters.ts';
import { type Report, readReport } from './report.ts';
import { reportNames } from './report-names.ts';

export interface FocusQuery extends MetersOf {
  /** The model's name in the rollups; undefined: all. */
  readonly model?: string | undefined;
  /** The most expensive rows; undefined: all. */
  readonly top?: number | undefined;
}

/** Retries after a correction overtook the report. */
const triesMax = 5;

/**
 * The rows add up to the report, less corrections of later months, plus corrections made on these
 * days for earlier months. Calls that end during the read have amounts without a unit price. Throws
 * an AdminError for an unknown app.
 */
export async function readFocus(
  context: AdminContext,
  catalog: Catalog,
  query: FocusQuery,
  progress: Progress = () => undefined,
): Promise<readonly FocusCharge[]> {
  const { from, to, apps, model, top } = query;
  if (apps?.length === 0) return [];
  const days = { from, to, apps };
  const { names, meters } = await readCounts(context, catalog, days, progress);
  const { report, corrections } = await readAmounts(context, catalog, days, progress);
  const matchesModel = (name = '') => model === undefined || name === model;
  const charges = await focusCharges({
    ...{ from, to, names },
    rows: report.rows.filter((row) => matchesModel(row.names[modelAt])),
    meters: meters.filter((meter) => matchesModel(meter.model)),
    corrections: corrections.filter((correction) => matchesModel(correction.model)),
    tags: await readTagHistory(withOperatorReads(context).store, names.tags),
  });
  if (top === undefined) return charges;
  const sorted = await sortedInTurns(charges, (one, other) =>
    one.cost === other.cost ? 0 : one.cost < other.cost ? 1 : -1,
  );
  return sorted.slice(0, top);
}

export function withVendors(platforms: readonly Pick<PlatformFacts, 'name' | 'kind'>[]) {
  return platforms.map(({ name, kind }) => ({ name, vendor: factsOf(kind).vendor }));
}

const modelAt = focusBy.indexOf('model');

interface Counts {
  readonly names: Names;
  readonly meters: readonly Meter[];
}

/** Counts are read first, so a surplus in the report is never a missing count. */
function readCounts(
  context: AdminContext,
  catalog: Catalog,
  days: MetersOf,
  progress: Progress,
): Promise<Counts> {
  return context.reportQueue.run(
    async () => {
      const readContext = withOperatorReads(context);
      const names = await reportNames(readContext, catalog, days.apps);
      return { names, meters: await readMeters(readContext.store, days, names.platform, progress) };
    },
    (before) => progress(`${before} before this one`),
  );
}

interface Amounts {
  readonly report: Report;
  readonly corrections: readonly MonthCorrection[];
}

/** Retries until no correction falls between the two reads. */
async function readAmounts(
  context: AdminContext,
  catalog: Catalog,
  days: MetersOf,
  progress: Progress,
): Promise<Amounts> {
  const { store } = withOperatorReads(context);
  let before = await store.read(selectMonthCorrections(days));
  for (let tries = 0; tries < triesMax; tries++) {
    const query = { ...days, by: focusBy, top: undefined };
    const report = await readReport(context, catalog, query, progress);
    const corrections = await store.read(selectMonthCorrections(days));
    if (textOf(corrections) === textOf(before)) return { report, corrections };
    before = corrections;
  }
  throw new AdminError('too many concurrent corrections of calls; try again in 1 minute');
}

function textOf(corrections: readonly MonthCorrection[]): string {
  return JSON.stringify(corrections, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

const dayMs = 86_400_000;

/**
 * Returns tags at each day's end, from the audit log. Days before an app's first line have the tags
 * before that change; apps without a line have today's tags.
 */
export async function readTagHistory(
  store: Pick<Store, 'read'>,
  today: Names['tags'],
): Promise<(app: string, day: string) => Tags> {
  const lines = Map.groupBy(await store.read(selectAppLines), ({ subject }) => subject);
  const spans = new Map([...lines].map(([app, ofApp]) => [app, spansOf(ofApp)]));
  return (app, day) => {
    const endMs = Date.parse(day) + dayMs;
    const ofApp = spans.get(app) ?? [];
    return (ofApp.findLast(({ since }) => since < endMs) ?? ofApp[0])?.tags ?? today(app);
  };
}

interface Span {
  readonly since: number;
  readonly tags: Tags;
}

function spansOf(lines: readonly AuditLine[]): readonly Span[] {
  const spans = lines.map(({ at, after }) => ({ since: at, tags: tagsIn(after) }));
  const [first] = lines;
  return first?.before === undefined
    ? spans
    : [{ since: Number.NEGATIVE_INFINITY, tags: tagsIn(first.before) }, ...spans];
}

function tagsIn(settings = '{}'): Tags {
  const { tags = {} }: { readonly tags?: Tags } = JSON.parse(settings);
  return tags;
}
